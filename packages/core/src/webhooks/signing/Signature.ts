/** Signs deliveries: plain functions and plain results. Receivers prove them by `verifyWebhook` of `@trunkline/client/webhooks`. */
import { standardDigest } from "@trunkline/client/webhooks"
import { hmacSha256Hex } from "../../platform/kernel/index.ts"

/** The current secret first; during the overlap of a rotation the one before it follows. */
export type Secrets = readonly [current: string, ...previous: ReadonlyArray<string>]

const marker = "whsec_"

/** A secret's text from 32 random bytes, which the caller draws. */
export const makeSecret = (bytes: Uint8Array): string => {
  if (bytes.length !== 32) throw new RangeError("A secret is made of 32 bytes")
  return marker + base64(bytes)
}

/** The part of a platform subscription's secret that is shown later. Source: docs/reference/webhooks-receiving.md#secret. */
export const mask = (secret: string): string => `${secret.slice(0, 4)}****${secret.slice(-4)}`

/** The part of an email subscription's secret that is shown later. Source: docs/reference/webhooks-receiving.md#secret. */
export const prefix = (secret: string): string => secret.slice(0, 10)

const digest = (secret: string, body: Uint8Array): string => `sha256=${hmacSha256Hex(secret, body)}`

/**
 * The value of the header `X-Service-Signature`: HMAC-SHA256 of the exact body, keyed with the whole text of a secret.
 *
 * Choice: while two secrets count, the older one signs. The header has room for one value, because receivers compare all of
 * it, and when the overlap begins every receiver knows the old secret alone: one that knows no rotations goes on
 * until the overlap ends. The new secret signs a header of its own, see `signatureHeaders`.
 * Source: docs/reference/webhooks-receiving.md#rotation.
 */
export const sign = (secrets: Secrets, body: Uint8Array): string => digest(secrets.at(-1) ?? secrets[0], body)

/**
 * The specified signature header under a brand's prefix and, while two secrets count, `…Signature-Next` with the other one's.
 *
 * Every second attempt changes their places: a receiver that was given the new secret in place of the old, and reads the
 * first header alone, refuses the first attempt and takes the second, so that it loses nothing either.
 * Of three or more secrets, those in the middle sign the Standard Webhooks header alone.
 */
export const signatureHeaders = (input: {
  readonly headerPrefix: string
  readonly secrets: Secrets
  readonly body: Uint8Array
  /** The number of the attempt, from 1. */
  readonly attempt?: number
}): Readonly<Record<string, string>> => {
  const { attempt = 1, body, headerPrefix, secrets } = input
  const name = `${headerPrefix}Signature`
  const [current] = secrets
  if (secrets.length === 1) return { [name]: sign(secrets, body) }
  const both = [sign(secrets, body), digest(current, body)] as const
  const [first, other] = attempt % 2 === 1 ? both : [both[1], both[0]]
  return { [name]: first, [`${name}-Next`]: other }
}

interface StandardHeaders {
  readonly "webhook-id": string
  readonly "webhook-timestamp": string
  readonly "webhook-signature": string
}

/**
 * The headers of the Standard Webhooks convention, which cover the id and the second of the attempt too. All secrets sign;
 * keys are the decoded bytes after `whsec_`. A secret that `makeSecret` did not make may have none, which is a bug here.
 * Source: docs/reference/webhooks-receiving.md#standard-webhooks.
 */
export const standardHeaders = (input: {
  /** The delivery's id: the one that `X-Service-Delivery` carries. */
  readonly id: string
  /** When the attempt is made, in epoch milliseconds. */
  readonly at: number
  readonly body: Uint8Array
  readonly secrets: Secrets
}): StandardHeaders => {
  const { at, body, id, secrets } = input
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map((secret) => {
    const signature = standardDigest(secret, id, timestamp, body)
    if (signature === undefined) throw new TypeError("The secret is not whsec_ and base64")
    return signature
  })
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
