/**
 * One request to an upstream and its answer. Nothing is sent twice, since it would be billed twice; what was refused may be, in
 * other words.
 */
import { Instant, UpstreamFailed, type UpstreamWhy } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  type BoundedHttp,
  type HttpResponse,
  makeBoundedHttp,
  type NoResponse,
  plainJsonIn,
  type RequestBody,
  textIn
} from "../http/index.ts"
import type { UpstreamSettings } from "./UpstreamOptions.ts"
import { type Refusal, refusal, sentenceOf, type WireAnswer } from "./UpstreamRefusal.ts"

/** Bytes of an answer that are read. An hour of speech with its words is some 2 MB. */
export const maxAnswerBytes = 16 * 1024 * 1024

/** Of an answer that refuses, of which only a code is wanted. */
export const maxRefusalBytes = 64 * 1024

/** Until a begun answer must have ended, in milliseconds, or as long as until its beginning where that is longer. */
const minBodyMs = 30_000

/** Limits of the answer to each request. */
export interface WireLimits {
  /** From its head on, in milliseconds. */
  readonly bodyMs: number
  readonly maxBytes: number
}

/** Of every answer that is not streamed. */
export const wholeLimits = (
  { timeoutMs }: Pick<UpstreamSettings, "timeoutMs">,
  maxBytes = maxAnswerBytes
): WireLimits => ({
  bodyMs: Math.max(minBodyMs, timeoutMs),
  maxBytes
})

export interface WireRequest {
  /** Path and query below the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Null for a GET. */
  readonly body: RequestBody | null
  /** Statuses by which the server refuses for what only the operator can change, each with a sentence for the log. */
  readonly operatorStatuses?: Readonly<Record<number, string>>
  /** Whether its fields are those of the caller, so that a refusal may name one. */
  readonly namesParam?: boolean
}

/** Reads one answer. */
export interface AnswerReader<A> {
  /** Gets the chunks one by one, also of an answer that turns out not to be whole. */
  readonly write: (chunk: Uint8Array) => void
  /** Of a whole answer, with all of its chunks; undefined means that it is not what was asked for. */
  readonly end: (chunks: ReadonlyArray<Uint8Array>) => A | undefined
}

export interface Wire {
  /**
   * Sends it and reads the JSON of a success; `undefined` of `read` means that it is not what was asked for. `instead` gets
   * each refusal, and what it returns is sent in the place of what was refused, within the time of the first.
   */
  readonly ask: <A>(
    request: WireRequest,
    read: (json: unknown) => A | undefined,
    instead?: (refused: { readonly status: number; readonly message: string }) => WireRequest | null
  ) => Effect.Effect<A, UpstreamFailed>
  /** The same, where a success is read while it comes. */
  readonly askWhile: <A>(
    request: WireRequest,
    reader: () => AnswerReader<A>,
    instead?: Parameters<Wire["ask"]>[2]
  ) => Effect.Effect<A, UpstreamFailed>
  /** Maximum duration of `ask`, in milliseconds. */
  readonly maxMs: number
}

export const makeWire = (
  settings: Pick<UpstreamSettings, "apiKey" | "baseUrl" | "timeoutMs">,
  http: BoundedHttp = makeBoundedHttp(),
  { bodyMs, maxBytes }: WireLimits = wholeLimits(settings)
): Wire => {
  const { apiKey, baseUrl, timeoutMs } = settings
  const secret = apiKey === null ? null : Redacted.value(apiKey)

  /** `headMs`: until the answer begins. */
  const send = <A>({ body, headers, path }: WireRequest, headMs: number, reader: AnswerReader<A>) =>
    http
      .exchange({
        method: body === null ? "GET" : "POST",
        url: new URL(baseUrl + path),
        headers: { accept: "application/json", ...headers },
        body,
        headMs,
        bodyMs,
        maxBytes: (status) => (isSuccess(status) ? maxBytes : maxRefusalBytes),
        received: (chunk, status) => {
          if (isSuccess(status)) reader.write(chunk)
        }
      })
      .pipe(
        Effect.mapError(notAnswered(timeoutMs)),
        // Of a refusal the status is enough.
        Effect.flatMap((response) =>
          response.cut !== null && isSuccess(response.status)
            ? Effect.fail(cutShort(response.cut, { bodyMs, maxBytes }))
            : Effect.succeed(response)
        )
      )

  const askWhile: Wire["askWhile"] = Effect.fnUntraced(function* (request, readerOf, instead = () => null) {
    const until = performance.now() + timeoutMs
    let reader = readerOf()
    let response = yield* send(request, timeoutMs, reader)
    while (!isSuccess(response.status)) {
      const answer = answerIn(response)
      const leftMs = Math.floor(until - performance.now())
      const next = leftMs < 1 ? null : instead({ status: answer.status, message: sentenceOf(answer) })
      if (next === null) {
        const { detail, param, retryAfterSeconds, why } = refusal(answer, yield* Instant.now, secret)
        const ofOperator = request.operatorStatuses?.[answer.status]
        if (ofOperator !== undefined) return yield* failed("operator", `${detail}: ${ofOperator}`)
        return yield* failed(why, detail, retryAfterSeconds, request.namesParam === true ? param : null)
      }
      reader = readerOf()
      response = yield* send(next, leftMs, reader)
    }
    const found = reader.end(response.chunks)
    return found === undefined ? yield* failed("unreadable", `answered ${response.status} with something else`) : found
  })

  return {
    ask: (request, read, instead) => askWhile(request, () => atEnd(read), instead),
    askWhile,
    maxMs: timeoutMs + bodyMs
  }
}

const atEnd = <A>(read: (json: unknown) => A | undefined): AnswerReader<A> => ({
  write: () => undefined,
  end: (chunks) => read(plainJsonIn(chunks))
})

const answerIn = ({ body, header, status }: HttpResponse): WireAnswer => ({
  status,
  retryAfter: header("retry-after"),
  body: textIn(body)
})

/** There is no response. */
export const notAnswered =
  (timeoutMs: number) =>
  ({ detail, reason }: NoResponse): UpstreamFailed =>
    failed(reason, reason === "timeout" ? `no answer within ${timeoutMs} ms` : detail)

/** An answer of success that is not whole. */
export const cutShort = (
  cut: NonNullable<HttpResponse["cut"]>,
  { bodyMs, maxBytes }: { readonly bodyMs: number; readonly maxBytes: number }
): UpstreamFailed => {
  switch (cut) {
    case "late":
      return failed("timeout", `the answer did not end within ${bodyMs} ms`)
    case "too_large":
      return failed("unreadable", `an answer of more than ${sizeOf(maxBytes)}`)
    case "broken":
      return failed("unreadable", "the answer broke off")
  }
}

export const sizeOf = (bytes: number): string => `${bytes / 1024 / 1024} MiB`

export const failed = (
  why: UpstreamWhy,
  detail: string,
  retryAfterSeconds: number | null = null,
  param: string | null = null
) => new UpstreamFailed({ why, detail, retryAfterSeconds, advice: null, param })

export const failedBy = ({ detail, param, retryAfterSeconds, why }: Refusal): UpstreamFailed =>
  failed(why, detail, retryAfterSeconds, param)

export const isSuccess = (status: number): boolean => status >= 200 && status < 300
