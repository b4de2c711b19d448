/** Signs and proves callbacks as Twilio does: HMAC-SHA1 over the address and the form, or over the hash of another body. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha1 } from "@noble/hashes/legacy.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { sha256Hex, timingSafeEqual } from "@trunkline/core/provider"

/** Names and values in the order of the form; a name may be there several times. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>

export const signatureHeader = "x-twilio-signature"

/** The form of a signature: base64 of 20 bytes. */
export const signatureForm = /^[A-Za-z0-9+/]{27}=$/

/** Fields of a form. The provider's own have some dozens. */
const maxFields = 200

/** The signature of one callback: base64 of HMAC-SHA1 under the account's token. */
export const sign = (token: string, url: string, fields: Fields): string => signText(token, url + signedForm(fields))

const signText = (token: string, text: string): string =>
  btoa(String.fromCharCode(...hmac(sha1, utf8ToBytes(token), utf8ToBytes(text))))

/** Names in ascending order, each followed by its value; of a repeated name each distinct value once, ascending too. */
const signedForm = (fields: Fields): string => {
  const values = new Map<string, Set<string>>()
  for (const [name, value] of fields) values.set(name, (values.get(name) ?? new Set()).add(value))
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...(values.get(name) ?? [])].sort().map((value) => name + value))
    .join("")
}

export interface SignedRequest {
  readonly token: string
  /** The whole address as the provider was given it, scheme and host of the public side included. */
  readonly url: string
  /** The exact bytes that came in. */
  readonly body: Uint8Array
  /** The fields of the body where it is a form; null where it is none. */
  readonly form: Fields | null
  readonly signature: string
}

/**
 * True when the signature covers this address and this body. A body that the signature does not cover is refused,
 * however good the signature of the address. Source: docs/reference/telephony.md#callbacks.
 */
export const verify = ({ body, form, signature, token, url }: SignedRequest): boolean => {
  if (!signatureForm.test(signature) || !URL.canParse(url)) return false
  const fields = coveredFields(url, form, body)
  if (fields === undefined) return false
  // Only the address differs between what may have been signed.
  const joined = signedForm(fields)
  return addressForms(url)
    .map((address) => timingSafeEqual(signText(token, address + joined), signature))
    .includes(true)
}

/**
 * The same of a handshake, which has neither form nor body. The provider signs the stream's address in several forms: with the
 * scheme of sockets or that of requests, with and without a closing slash.
 */
export const verifyHandshake = (token: string, url: string, signature: string): boolean =>
  [url, url.replace(/^ws/i, "http")]
    .flatMap((form) => [form, `${form}/`])
    .map((address) => verify({ token, url: address, form: null, body: new Uint8Array(0), signature }))
    .includes(true)

/** The text that is signed beside the address, or undefined where the body is not what was signed. */
const coveredFields = (url: string, form: Fields | null, body: Uint8Array): Fields | undefined => {
  const hash = new URL(url).searchParams.get("bodySHA256")
  if (hash !== null) return timingSafeEqual(sha256Hex(body), hash.toLowerCase()) ? [] : undefined
  if (form !== null) return form
  return body.length === 0 ? [] : undefined
}

/** True of the content type of an HTML form. */
export const isForm = (contentType: string): boolean =>
  contentType.split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded"

/**
 * Reads a form body; undefined where it has more fields than any callback. Values are kept to the last blank: the signature
 * covers it.
 */
export const formFields = (body: Uint8Array): Fields | undefined => {
  let fields = 1
  for (const byte of body) if (byte === ampersand) fields += 1
  return fields > maxFields ? undefined : [...new URLSearchParams(new TextDecoder().decode(body))]
}

const ampersand = 0x26

/**
 * The addresses that the provider may have signed: as configured, with and without the port, and each of those with
 * its query written anew. Its own client library tries the same, because what signs is not consistent.
 */
const addressForms = (url: string): ReadonlyArray<string> => {
  const parsed = new URL(url)
  const host = (name: string) => {
    const { hash, password, pathname, protocol, search, username } = parsed
    const user = username === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`
    return `${protocol}//${user}${name}${pathname}${search}${hash}`
  }
  const port = parsed.port === "" ? (/^(?:https|wss):$/.test(parsed.protocol) ? "443" : "80") : parsed.port
  const forms = [url, host(parsed.hostname), host(`${parsed.hostname}:${port}`)]
  return [...new Set([...forms, ...forms.map(withQueryRewritten)])]
}

const withQueryRewritten = (url: string): string => {
  const at = url.indexOf("?")
  if (at < 0) return url
  const query = [...new URLSearchParams(url.slice(at))]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&")
  return `${url.slice(0, at)}?${query}`
}
