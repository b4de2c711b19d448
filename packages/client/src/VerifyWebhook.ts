/** Verifies webhooks, and says what their events carry. Source: docs/reference/webhooks-receiving.md#verify. */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { EventDataOf, EventName } from "./generated/Events.ts"
import { digest, standardDigest } from "./WebhookDigests.ts"

export type * from "./generated/Events.ts"
export { standardDigest }

/** A `Headers` object or anything else that lists pairs, or a record such as Node's; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface VerifyOptions {
  /** What the sender's own headers begin with. Default `X-Service-`. */
  readonly headerPrefix?: string
  /** The present moment in epoch milliseconds: `Date.now()`. Without it no age is checked. */
  readonly now?: number
  /** How old, or how far ahead of `now`, an attempt may be, in milliseconds. Default 300,000. */
  readonly toleranceMs?: number
  /** Refuses what comes without the Standard Webhooks headers, whose removal would else take id and age out of the proof. */
  readonly requireStandard?: boolean
}

/**
 * An event as a webhook brings it: its name decides the type of its data. Fields that a brand renames have their neutral
 * names here. A later version may send events that are not in this union: let a `default` ignore them.
 */
export type WebhookEvent =
  | { readonly [Name in EventName]: { readonly event: Name; readonly data: EventDataOf[Name] } }[EventName]
  /** What a test of a webhook sends. */
  | { readonly event: "test"; readonly data: { readonly message: string } }

export type VerifiedWebhook = VerifiedRequest & (WebhookEvent | { readonly event: null; readonly data: unknown })

export interface VerifiedRequest {
  readonly ok: true
  /** The body as JSON; undefined where it is none. */
  readonly payload: unknown
  /** When the event happened in epoch milliseconds, as the signed body has it; else null. */
  readonly happenedAt: number | null
  /** What to recognise a repetition by. Proven only where `sentAt` is there. */
  readonly deliveryId: string | null
  /** When this attempt was made, in epoch milliseconds; null without the Standard Webhooks headers. */
  readonly sentAt: number | null
  /** Which of the given secrets proved it, counted from 0: an old one that proves nothing any more can go. */
  readonly secretIndex: number
}

/** Each reason with its sentence. */
const sentences = {
  secret_missing: "No secret is configured here, or an empty one",
  body_parsed: "The body must be the raw bytes or text that arrived: a parsed body has lost what was signed",
  signature_missing: "The request carries no signature header",
  signature_malformed: "The signature header is not sha256= and 64 hexadecimal digits",
  signature_wrong: "The signature is not of this body with any of the secrets",
  standard_missing: "The request does not carry all three of webhook-id, webhook-timestamp and webhook-signature",
  standard_malformed: "The webhook-timestamp header is not a number of seconds",
  standard_wrong: "The Standard Webhooks signature is not of this id, time and body with any of the secrets",
  delivery_wrong: "The delivery header differs from the signed webhook-id",
  too_old: "The attempt was made too long ago, or the clock here is fast",
  too_new: "The attempt was made in the future, or the clock here is slow"
} as const

export interface RefusedWebhook {
  readonly ok: false
  readonly reason: keyof typeof sentences
  /** For the receiver's log. Names no secret and no expected signature. */
  readonly message: string
}

const refuse = (reason: RefusedWebhook["reason"]): RefusedWebhook => ({ ok: false, reason, message: sentences[reason] })

/**
 * Proves that a request was sent by who knows the secret, and reads it. It never throws.
 *
 * The specified signature must be there. If any of the Standard Webhooks headers is, all of them must be right too, and
 * with `now` recent. During a rotation give both secrets. Source: docs/reference/webhooks-receiving.md#verify.
 *
 * @example verifyWebhook(secret, request.headers, await request.text(), { now: Date.now() })
 */
export const verifyWebhook = (
  secret: string | ReadonlyArray<string>,
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  options: VerifyOptions = {}
): VerifiedWebhook | RefusedWebhook => {
  const secrets = [secret].flat()
  // Callers without types pass what their environment holds, which may be nothing: with an empty key everybody could sign.
  if (secrets.length === 0 || !secrets.every((one) => typeof one === "string" && one !== ""))
    return refuse("secret_missing")
  const body = bytesOf(rawBody)
  if (body === undefined) return refuse("body_parsed")

  const header = reader(headers)
  const own = (options.headerPrefix ?? "X-Service-").toLowerCase()
  const signature = header(`${own}signature`)
  if (signature === undefined) return refuse("signature_missing")
  const signatures = [signature, header(`${own}signature-next`)].filter((one) => one !== undefined)
  if (!signatures.every((one) => /^sha256=[0-9a-f]{64}$/.test(one))) return refuse("signature_malformed")
  const secretIndex = proving(secrets, signatures, (one) => digest(one, body))
  if (secretIndex < 0) return refuse("signature_wrong")

  const standard = checkStandard(secrets, header, body, options)
  if ("reason" in standard) return standard
  const named = header(`${own}delivery`) ?? null
  if (standard.id !== null && named !== null && named !== standard.id) return refuse("delivery_wrong")
  // What a body is that the secret signs is for its sender to know.
  return {
    ok: true,
    ...read(body),
    deliveryId: standard.id ?? named,
    sentAt: standard.at,
    secretIndex
  } as VerifiedWebhook
}

const checkStandard = (
  secrets: ReadonlyArray<string>,
  header: Reader,
  body: Uint8Array,
  { now, requireStandard = false, toleranceMs = 300_000 }: VerifyOptions
): RefusedWebhook | { readonly id: string | null; readonly at: number | null } => {
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header)
  const none = id === undefined && timestamp === undefined && signature === undefined
  if (none && !requireStandard) return { id: null, at: null }
  if (!id || !timestamp || !signature) return refuse("standard_missing")
  if (!/^\d{1,11}$/.test(timestamp)) return refuse("standard_malformed")
  const index = proving(secrets, signature.split(" "), (one) => standardDigest(one, id, timestamp, body))
  if (index < 0) return refuse("standard_wrong")
  const at = Number(timestamp) * 1000
  // Written so that a clock or a tolerance that is no number refuses.
  if (now !== undefined && !(now - at <= toleranceMs)) return refuse("too_old")
  if (now !== undefined && !(at - now <= toleranceMs)) return refuse("too_new")
  return { id, at }
}

/** The place of the first secret whose digest is among the signatures, or -1. */
const proving = (
  secrets: ReadonlyArray<string>,
  signatures: ReadonlyArray<string>,
  digestWith: (secret: string) => string | undefined
): number =>
  secrets.findIndex((secret) => {
    const expected = digestWith(secret)
    return expected !== undefined && signatures.map((one) => timingSafeEqual(one, expected)).includes(true)
  })

const bytesOf = (body: unknown): Uint8Array | undefined => {
  if (typeof body === "string") return utf8ToBytes(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : undefined
}

type Reader = (name: string) => string | undefined

/** Headers by lower-case name. Several of one name are one with commas, as HTTP has it, which no signature survives. */
const reader = (headers: WebhookHeaders): Reader => {
  const found = new Map<string, string>()
  const pairs: Iterable<readonly [string, string | ReadonlyArray<string> | undefined]> =
    Symbol.iterator in headers ? (headers as Iterable<readonly [string, string]>) : Object.entries(headers)
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    for (const one of [value ?? []].flat()) found.set(key, found.has(key) ? `${found.get(key)}, ${one}` : one)
  }
  return (name) => found.get(name)
}

/** Platform events have `event` and `timestamp`, email events `type` and `created_at`. */
const read = (body: Uint8Array) => {
  const payload = parsed(new TextDecoder().decode(body))
  const fields: Readonly<Record<string, unknown>> =
    typeof payload === "object" && payload !== null ? { ...payload } : {}
  const event = fields.event ?? fields.type
  const at = fields.timestamp ?? fields.created_at
  const happened = typeof at === "string" ? Date.parse(at) : Number.NaN
  return {
    payload,
    event: typeof event === "string" ? event : null,
    data: fields.data ?? null,
    happenedAt: Number.isNaN(happened) ? null : happened
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Compares two texts in a time that depends on the length of the first alone, not on where they differ. */
const timingSafeEqual = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let nth = 0; nth < a.length; nth++) difference |= a.charCodeAt(nth) ^ b.charCodeAt(nth)
  return difference === 0
}
