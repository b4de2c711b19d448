/**
 * A request under an Idempotency-Key, and what it comes to. Pure. Source: docs/reference/gateway.md#idempotency,
 * docs/reference/http-conventions.md#idempotency.
 */

import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Instant, isLonger, sha256Hex } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { LimitReached } from "../storage/index.ts"

export interface IdempotentRequest {
  readonly tenantId: Ids.AccountId
  readonly key: string
  /** A digest of what is requested: another request under the same key has another one. */
  readonly fingerprint: string
  /** After this time a run may be started again that has neither ended nor been renewed. */
  readonly leaseMs: number
}

/** A response that is stored and replayed: always a success. */
export interface StoredResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string
  /** Of a body that is not text: how it is written as text. A sealed body is encrypted, and its owner opens it. */
  readonly encoding?: "base64" | "sealed"
  /** Headers that belong to the response itself, without the brand's prefix. */
  readonly headers: Readonly<Record<string, string>>
}

/** A response that a run has written: bytes are a text in UTF-8, which is made a string only where it is stored. */
export interface WrittenResponse extends Omit<StoredResponse, "body"> {
  readonly body: string | Uint8Array
}

/** A key of an account, and the run of its request. */
export interface KeyedRun {
  readonly tenantId: Ids.AccountId
  readonly key: string
  readonly fingerprint: string
  /** Proves the run that is in progress; null when it has been answered. */
  readonly claim: string | null
  readonly leaseUntil: Instant.Instant | null
  /** True once something that the run did itself stands: from then on it is never begun anew, whatever becomes of it. */
  readonly hasActed: boolean
  /** Null while it runs. */
  readonly answer: StoredResponse | null
  readonly expiresAt: Instant.Instant
}

/** What stands under a key, without its answer. */
export type StandingRun = Omit<KeyedRun, "answer">

/** A run of a key. One that has ended, or that another has replaced, no longer has its claim. */
export interface ClaimedRun extends Pick<KeyedRun, "tenantId" | "key"> {
  readonly claim: string
}

/** A request that asks for its key. The claim proves its run, where it gets the key. */
export interface AskedRun extends IdempotentRequest {
  readonly claim: string
}

/**
 * What became of a claim. Without an error the request runs, unless the first one has been answered: then its answer is replayed.
 */
export type ClaimDecided =
  | { readonly error: null; readonly isAnswered: boolean }
  | { readonly error: IdempotencyRefused | LimitReached }

/** The answer of a run, as it is given to what stores it. */
export interface KeptAnswer<out E = never> {
  readonly run: ClaimedRun
  readonly response: WrittenResponse
  /** What it fails with where the claim is no longer current. */
  readonly lost: E
}

/** The request ran, with this result. */
export interface Executed<A> {
  readonly _tag: "Executed"
  readonly result: A
}

/** The request did not run: this is the response to the first one. */
export interface Replayed {
  readonly _tag: "Replayed"
  readonly response: StoredResponse
}

/**
 * - `key_invalid` the key is empty, or longer than 255 characters
 * - `key_reused`  another request has been made under the key
 * - `in_progress` the first request under the key is still running
 * - `outcome_unknown` the first request did something, and nobody knows its answer
 */
export class IdempotencyRefused extends Schema.TaggedError<IdempotencyRefused>()("IdempotencyRefused", {
  reason: Schema.Literals(["key_invalid", "key_reused", "in_progress", "outcome_unknown"])
}) {}

/** The run stalled past its lease, and its key belongs to another run: what this one did must not be committed. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {}) {}

/** In Unicode code points. */
export const maxKeyLength = 255

export const isUsableKey = (key: string): boolean => key !== "" && !isLonger(key, maxKeyLength)

const ok = 200

const json = "application/json"

/** A successful response in text. */
export const storedText = (contentType: string, body: string): StoredResponse => ({
  status: ok,
  contentType,
  body,
  headers: {}
})

/** A successful response in JSON. */
export const storedJson = (body: unknown): StoredResponse => storedText(json, JSON.stringify(body))

/** The same of JSON that is written already, as a text or as its bytes. */
export const writtenJson = (body: string | Uint8Array): WrittenResponse => ({ ...storedText(json, ""), body })

/** A response as it is stored. */
export const storable = ({ body, ...rest }: WrittenResponse): StoredResponse => ({
  ...rest,
  body: typeof body === "string" ? body : new TextDecoder().decode(body)
})

/** A successful response in bytes, such as audio. */
export const storedBytes = (contentType: string, bytes: Uint8Array): StoredResponse => ({
  ...storedText(contentType, Base64.encode(bytes)),
  encoding: "base64"
})

/** The body of a response as it is sent. */
export const storedBody = ({ body, encoding }: Pick<WrittenResponse, "body" | "encoding">): string | Uint8Array =>
  encoding === "base64" && typeof body === "string" ? Result.getOrThrow(Base64.decode(body)) : body

export const isSuccess = ({ status }: Pick<StoredResponse, "status">): boolean => Math.trunc(status / 100) === 2

/** The fingerprint of what a route is asked for, however the request was written. */
export const requestFingerprint = (route: string, ...asked: ReadonlyArray<unknown>): string =>
  sha256Hex(JSON.stringify([route, ...asked]))

/** How long a response is replayed. */
const storedMs = Instant.day

/** The row of a run that begins at an instant. It never expires before its lease, or a slow run would be started a second time. */
export const begunRun = ({ claim, fingerprint, key, leaseMs, tenantId }: AskedRun, at: Instant.Instant): KeyedRun => {
  const leaseUntil = Instant.plus(at, leaseMs)
  const expiresAt = Instant.later(Instant.plus(at, storedMs), leaseUntil)
  return { tenantId, key, fingerprint, claim, leaseUntil, hasActed: false, answer: null, expiresAt }
}

/** Until when an answer is replayed that is stored at an instant. */
export const replayedUntil = (at: Instant.Instant): Instant.Instant => Instant.plus(at, storedMs)

/** Whether a run may begin in the place of the one that stands: that one has expired, or its lease has ended and it left nothing. */
export const mayReplace = (
  {
    expiresAt,
    fingerprint,
    hasActed,
    leaseUntil
  }: Pick<KeyedRun, "expiresAt" | "fingerprint" | "hasActed" | "leaseUntil">,
  request: Pick<IdempotentRequest, "fingerprint">,
  at: Instant.Instant
): boolean =>
  expiresAt <= at || (leaseUntil !== null && leaseUntil <= at && !hasActed && fingerprint === request.fingerprint)

/** Why a request does not get an answer whose key is in use. Another request is refused at once, also while the first one runs. Null where the first one has been answered. */
export const standingRefusal = (
  existing: Pick<StandingRun, "claim" | "fingerprint" | "hasActed" | "leaseUntil">,
  { fingerprint }: Pick<IdempotentRequest, "fingerprint">,
  at: Instant.Instant
): IdempotencyRefused | null => {
  if (existing.fingerprint !== fingerprint) return new IdempotencyRefused({ reason: "key_reused" })
  if (existing.claim === null) return null
  const isRunning = existing.leaseUntil !== null && existing.leaseUntil > at
  return new IdempotencyRefused({ reason: existing.hasActed && !isRunning ? "outcome_unknown" : "in_progress" })
}

/** What a request gets at an instant when its key is in use. */
export const resolveExisting = (
  { answer, ...existing }: Pick<KeyedRun, "answer" | "claim" | "fingerprint" | "hasActed" | "leaseUntil">,
  request: Pick<IdempotentRequest, "fingerprint">,
  at: Instant.Instant
): Result.Result<Replayed, IdempotencyRefused> => {
  const refused = standingRefusal(existing, request, at)
  return refused === null && answer !== null
    ? Result.succeed({ _tag: "Replayed", response: answer })
    : Result.fail(refused ?? new IdempotencyRefused({ reason: "in_progress" }))
}
