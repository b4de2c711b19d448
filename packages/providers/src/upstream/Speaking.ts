/** Requests for speech to an upstream, whose audio is handed on as it comes. Source: docs/reference/upstreams.md#speech-synthesis. */
import {
  Instant,
  type Run,
  type SpeakAnswer,
  type SpeakRequest,
  type SpeakWork,
  tracedFn
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { BoundedBody, type BoundedHttp, type OpenedResponse, textIn } from "../http/index.ts"
import { isSpeechField } from "./SpeechFields.ts"
import type { UpstreamSettings } from "./UpstreamOptions.ts"
import { refusal } from "./UpstreamRefusal.ts"
import { failed, failedBy, isSuccess, maxRefusalBytes, notAnswered, sizeOf, type WireRequest } from "./UpstreamWire.ts"

/** Limits that nobody configures, in milliseconds and bytes. */
export interface SpeakingLimits {
  /** Of a refusal, from its head on. */
  readonly refusalMs: number
  /** Of an answer, from its head on. */
  readonly streamMs: number
  /** Of an answer. */
  readonly maxBytes: number
}

const defaultLimits: SpeakingLimits = { refusalMs: 30_000, streamMs: 3_600_000, maxBytes: 128 * 1024 * 1024 }

type Settings = Pick<UpstreamSettings, "apiKey" | "baseUrl" | "timeoutMs">

/** `requestOf`: what a kind of upstream sends for a text. */
export const makeSpeaking = (
  { apiKey, baseUrl, timeoutMs }: Settings,
  requestOf: (work: SpeakRequest) => WireRequest,
  http: Pick<BoundedHttp, "open">,
  limits: SpeakingLimits = defaultLimits
): Run<"speak"> => {
  const secret = apiKey === null ? null : Redacted.value(apiKey)

  return tracedFn("Upstream.speak")(function* (work: SpeakWork) {
    const { body, headers, path } = requestOf(work)
    const firstUntil = performance.now() + timeoutMs
    const opening = http.open({
      method: "POST",
      url: new URL(baseUrl + path),
      headers: { accept: "*/*", ...headers },
      body,
      headMs: timeoutMs
    })
    const response = yield* Effect.mapError(opening, notAnswered(timeoutMs))
    const { status } = response
    if (!isSuccess(status)) {
      const body = yield* refusalIn(response, limits.refusalMs)
      const answer = { status, retryAfter: response.header("retry-after"), body: textIn(body) }
      const refused = refusal(answer, yield* Instant.now, secret)
      return yield* failedBy({ ...refused, param: isSpeechField(work, refused.param) ? refused.param : null })
    }
    if (!isAudio(response)) return yield* failed("unreadable", `answered ${status} with something else`)
    return yield* handOn(response, { firstUntil, timeoutMs, limits, onBytes: work.onBytes })
  }, Effect.scoped)
}

/** The body of a refusal, as far as the limits allow: the status is enough. */
const refusalIn = Effect.fnUntraced(function* (response: OpenedResponse, ms: number) {
  const until = performance.now() + ms
  const body = new BoundedBody(maxRefusalBytes)
  for (;;) {
    const read = yield* Effect.option(response.read(Math.max(0, until - performance.now())))
    const chunk = Option.getOrNull(read)
    if (chunk === null || !body.add(chunk)) return body.bytes
  }
})

/** Servers name audio in many ways, and an error or a page always as text. */
const isAudio = ({ header }: OpenedResponse): boolean =>
  !/^\s*(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(header("content-type") ?? "")

interface Handing {
  readonly firstUntil: number
  readonly timeoutMs: number
  readonly limits: SpeakingLimits
  readonly onBytes: SpeakWork["onBytes"]
}

/** Hands on each piece, no faster than it is taken, until the answer ends. */
const handOn = Effect.fnUntraced(function* (
  response: OpenedResponse,
  { firstUntil, limits, onBytes, timeoutMs }: Handing
) {
  const endUntil = performance.now() + limits.streamMs
  let until = firstUntil
  let size = 0
  for (;;) {
    const late =
      endUntil <= until
        ? failed("timeout", `the audio did not end within ${limits.streamMs} ms`)
        : failed("timeout", `no ${size === 0 ? "" : "further "}audio within ${timeoutMs} ms`)
    const leftMs = Math.min(until, endUntil) - performance.now()
    if (leftMs <= 0) return yield* late
    const bytes = yield* Effect.mapError(response.read(leftMs), ({ reason }) =>
      reason === "late" ? late : failed("unreadable", "the audio broke off")
    )
    if (bytes === null && size === 0) return yield* failed("unreadable", "an answer without audio")
    if (bytes === null) return { ended: true } satisfies SpeakAnswer
    size += bytes.length
    if (size > limits.maxBytes) return yield* failed("unreadable", `an answer of more than ${sizeOf(limits.maxBytes)}`)
    yield* onBytes(bytes)
    until = performance.now() + timeoutMs
  }
})
