/** The cookie of a session: its name, its attributes, and where it stands in a request. Pure. Source: docs/reference/sign-in.md#cookie. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { hmacSha256Hex } from "../kernel/index.ts"

/** Characters of the part of the name that differs between installations. */
const ownPart = 8

/**
 * `svc_session_` and a part of this installation's own: browsers do not distinguish the ports of one host. It stays as long as the
 * encryption key.
 */
export const cookieName = (keyPrefix: string, encryptionKey: string): string =>
  `${keyPrefix}session_${hmacSha256Hex(encryptionKey, "trunkline session cookie").slice(0, ownPart)}`

/** Browsers take a cookie of this name over https alone, for this host alone. */
const hostPrefix = "__Host-"

const shownName = (name: string, isSecure: boolean): string => (isSecure ? hostPrefix + name : name)

const bytes = 32

/** A new value, which nobody can guess. */
export const makeCookieValue = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)))

/** The value of the first of these cookies in a request; null where it has none of them. */
export const cookieIn = (
  header: string | undefined,
  names: ReadonlyArray<string>,
  isSecure: boolean
): string | null => {
  if (header === undefined) return null
  for (const name of names) {
    const shown = `${shownName(name, isSecure)}=`
    if (!header.includes(shown)) continue
    for (const part of header.split(";")) {
      const pair = part.trim()
      if (pair.startsWith(shown)) return pair.slice(shown.length)
    }
  }
  return null
}

interface CookieSettings {
  readonly name: string
  readonly isSecure: boolean
}

const attributes = (isSecure: boolean, seconds: number): string =>
  `HttpOnly; SameSite=Lax; Path=/; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`

/** The header that stores the cookie for a number of seconds. Without a domain it goes to this host alone. */
export const setCookie = (value: string, seconds: number, { isSecure, name }: CookieSettings): string =>
  `${shownName(name, isSecure)}=${value}; ${attributes(isSecure, seconds)}`

/** The header that removes it. */
export const expiredCookie = ({ isSecure, name }: CookieSettings): string =>
  `${shownName(name, isSecure)}=; ${attributes(isSecure, 0)}; Expires=Thu, 01 Jan 1970 00:00:00 GMT`
