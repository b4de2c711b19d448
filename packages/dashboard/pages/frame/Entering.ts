/** How a person comes to be signed in, and ceases to be. */

import type { Me, Setup } from "@trunkline/client"
import { dropDrafts } from "../parts/Drafts.ts"
import { startRenewal, token } from "./Credentials.ts"
import { neutralScopes } from "./OwnWords.ts"
import { isAskedToSignIn, session, sessionChanges } from "./PageSession.ts"
import { queryClient, readAllAgain } from "./QueryCache.ts"
import { api, isStatus, onForbidden } from "./ServerRequests.ts"
import { wasSignedIn } from "./SessionEnd.ts"
import { settings } from "./Settings.ts"

const firstWaitMs = 500
const maxWaitMs = 4000
/** A role that has changed is looked for at most so often. */
const forbiddenMs = 10_000

export const setupKey = ["setup"] as const

/** Keeps what another person has read from this one. */
const enter = (given: Me): void => {
  const me: Me = { ...given, scopes: neutralScopes(given.scopes, settings.brand.channel) }
  const before = session.get()
  const isOther = before.phase === "in" && (before.me.account.id !== me.account.id || before.me.subject !== me.subject)
  if (isOther) queryClient.clear()
  session.set({ phase: "in", me })
  isAskedToSignIn.set(false)
  if (before.phase === "in") readAllAgain()
}

/** After the form "Sign in", a link, or another token. */
export const entered = (me: Me): void => {
  // The token that was not taken any more must not be in the way of the cookie.
  if (me.sign_in === "session") token.set(null)
  enter(me)
}

/** Who opens the page "Sign in" is not asked who it is. */
const isSigningIn = (): boolean => settings.sign_in && token.get() === null && location.hash.startsWith("#/sign-in")

/**
 * Who is at the page; null where nobody is. Where people sign in here, the server is asked so that it has an answer for nobody, too:
 * a 401 would be an error in the browser's console.
 */
const whoIsHere = async (): Promise<Me | null> => {
  if (settings.sign_in && token.get() === null) return (await api.session.get()) ?? null
  return api.me.get()
}

/** Asks who is at the page, until the server answers. `wantsSetup` reads beside it what the first page depends on. */
export const start = async (link: string | null, wantsSetup: boolean): Promise<void> => {
  startRenewal()
  let lookedAt = 0
  onForbidden(() => {
    if (Date.now() - lookedAt < forbiddenMs) return
    lookedAt = Date.now()
    lookAgain()
  })
  token.listen(() => token.get() !== null && void look())
  if (link !== null || isSigningIn()) return session.set({ phase: "out", link })
  for (let nth = 0; ; nth++) {
    const asked = token.get()
    try {
      const readSetup = async () => queryClient.setQueryData(setupKey, await api.overview.setup()) as Setup
      const isKnown = token.get() !== null || !settings.sign_in || wasSignedIn()
      const setup = wantsSetup && isKnown ? readSetup() : null
      setup?.catch(() => {})
      const me = await whoIsHere()
      // A token has come meanwhile: of it nobody has been asked.
      if (token.get() !== asked) continue
      if (me === null) return session.set({ phase: "out", link: null })
      if (wantsSetup) await (setup ?? readSetup()).catch(() => {})
      return enter(me)
    } catch (error) {
      if (token.get() !== asked) continue
      if (isStatus(error, 401)) return session.set({ phase: "out", link: null })
      await new Promise((resolve) => setTimeout(resolve, Math.min(firstWaitMs * 2 ** nth, maxWaitMs)))
    }
  }
}

/** Another token has come: of the same person as a rule. */
const look = async (): Promise<void> => {
  if (session.get().phase === "starting") return
  const [asked, changesBefore] = [token.get(), sessionChanges()]
  try {
    const me = await api.me.get()
    // Who has signed out meanwhile, or has another token, is not who has been asked for.
    if (token.get() === asked && sessionChanges() === changesBefore) enter(me)
  } catch {
    // The requests that follow say so.
  }
}

/** What may be done has changed meanwhile, as when a role has. */
export const lookAgain = (): void => void look()

export const leave = async (): Promise<void> => {
  const now = session.get()
  if (now.phase === "in" && now.me.sign_in === "session") await api.session.signOut()
  token.set(null)
  dropDrafts()
  queryClient.clear()
  session.set({ phase: "out", link: null })
}
