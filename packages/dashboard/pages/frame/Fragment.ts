/**
 * Takes a token or a link out of the address before anything else looks at it. A fragment that changes later to another token goes on
 * from where the person is.
 */
import { secretOf, token } from "./Credentials.ts"

/** The place for which a link is opened. */
const signIn = "#/sign-in"

let place = location.hash

const take = (): string | null => {
  const secret = secretOf(location.hash)
  if (secret === null) {
    place = location.hash
    return null
  }
  place = secret.kind === "link" ? signIn : secretOf(place) === null ? place : ""
  history.replaceState(history.state, "", `${location.pathname}${location.search}${place}`)
  if (secret.kind === "token") token.set(secret.value)
  return secret.kind === "link" ? secret.value : null
}

/** The link by which the page was opened; null where it was none. */
export const openedLink: string | null = take()

/** True where the address names no page: what the first one is depends on the person. */
export const hasNoPlace = /^(#\/?)?$/.test(place)

const changed = (event: Event): void => {
  const before = place
  const secret = secretOf(location.hash)
  if (secret === null) {
    place = location.hash
    return
  }
  // The router must not take it for a place.
  event.stopImmediatePropagation()
  // The page begins anew, and finds the link where it is.
  if (secret.kind === "link") {
    location.reload()
    return
  }
  take()
  place = before
  history.replaceState(history.state, "", `${location.pathname}${location.search}${place}`)
}

window.addEventListener("popstate", changed)
window.addEventListener("hashchange", changed)
