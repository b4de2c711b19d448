/** Where an issuer may be. Pure. */

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Why an issuer cannot be used, as a sentence that goes on after the name; null for one that can be. */
export const issuerFault = (given: unknown): string | null => {
  const url = typeof given === "string" ? URL.parse(given) : null
  if (url?.protocol === "https:" || (url?.protocol === "http:" && loopback.test(url.hostname))) return null
  return "must be a URL that begins with https://, or with http:// and an address of this machine"
}
