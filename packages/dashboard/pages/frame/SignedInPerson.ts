/** The person at the page, for components that are there only while somebody is. */

import type { Me } from "@trunkline/client"
import { useObserved } from "./Observed.ts"
import { session } from "./PageSession.ts"

export const useMe = (): Me => {
  const now = useObserved(session)
  if (now.phase !== "in") throw new Error("A page of somebody who is signed in is shown to nobody.")
  return now.me
}

export const useMay = (scope: string): boolean => useMe().scopes.includes(scope)
