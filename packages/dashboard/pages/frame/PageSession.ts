/** Who is at the page, and whether the dialog "Sign in" is over it. */

import type { Me } from "@trunkline/client"
import { observed } from "./Observed.ts"

export type Session =
  | { readonly phase: "starting" }
  /** Nobody is signed in; a link may be at hand that signs in. */
  | { readonly phase: "out"; readonly link: string | null }
  | { readonly phase: "in"; readonly me: Me }

export const session = observed<Session>({ phase: "starting" })

let changes = 0
session.listen(() => {
  changes += 1
})

/** How often it has changed who is at the page. What was asked before the last time says nothing of who is there now. */
export const sessionChanges = (): number => changes

/** Once signed in, a session that has ended is renewed in a dialog over the page. */
export const isAskedToSignIn = observed(false)

export const sessionEnded = (): void => {
  if (session.get().phase === "in") isAskedToSignIn.set(true)
}
