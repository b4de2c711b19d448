/** A sign-in that has begun: the browser keeps it while the person is at the issuer. Pure. Source: docs/reference/sign-in.md#oidc. */
import { Instant, isObject } from "../kernel/index.ts"
import { makeCookieValue } from "../people/index.ts"

export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** The secret of PKCE. */
  readonly verifier: string
  /** The place of the page to which the person comes back: `#/campaigns`. Empty for the first page. */
  readonly place: string
  readonly begunAt: Instant.Instant
}

/** As long as somebody may be at the issuer. */
export const attemptMs = 10 * Instant.minute

const maxPlaceLength = 1000

/** A place within the page, as an address has it; empty for anything else. */
const placeOf = (given: string | undefined): string =>
  given === undefined || !given.startsWith("#/") || given.length > maxPlaceLength
    ? ""
    : (URL.parse(given, "https://page.example/")?.hash ?? "")

export const newAttempt = (place: string | undefined, at: Instant.Instant): Attempt => ({
  state: makeCookieValue(),
  nonce: makeCookieValue(),
  verifier: makeCookieValue(),
  place: placeOf(place),
  begunAt: at
})

export const attemptText = (attempt: Attempt): string => encodeURIComponent(JSON.stringify(attempt))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(decodeURIComponent(text))
  } catch {
    return null
  }
}

/** The attempt of a cookie; null where it is none, or has begun too long ago. */
export const attemptIn = (text: string | null, at: Instant.Instant): Attempt | null => {
  const found = text === null ? null : parsed(text)
  if (!isObject(found)) return null
  const { begunAt, nonce, place, state, verifier } = found
  const isWhole = [nonce, place, state, verifier].every((one) => typeof one === "string") && typeof begunAt === "number"
  if (!isWhole || at - (begunAt as number) >= attemptMs) return null
  return { state, nonce, verifier, place: placeOf(place as string), begunAt } as Attempt
}
