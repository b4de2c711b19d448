/**
 * One POST to an upstream and its answer, over undici. Every wait and every answer has a bound, and an interruption ends
 * the connection. Nothing is sent twice, since it would be billed twice; what was refused may be, in other words.
 */
import { Instant, UpstreamFailed, type UpstreamWhy } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Dispatcher, Pool } from "undici"
import { connectionFault } from "./ConnectionFault.ts"
import type { Body } from "./Multipart.ts"
import type { UpstreamSettings } from "./UpstreamOptions.ts"
import { refusal, sentenceOf, type WireAnswer } from "./UpstreamRefusal.ts"

/** Bytes of an answer that are read. An hour of speech with its words is some 2 MB. */
const mostAnswer = 16 * 1024 * 1024

/** Of an answer that refuses, of which only a code is wanted. */
const mostRefusal = 64 * 1024

const mostHead = 16 * 1024

/** Until a begun answer must have ended, in milliseconds, or as long as until its beginning where that is shorter. */
const restMs = 30_000

export interface WireRequest {
  /** Path and query below the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

export interface Wire {
  /**
   * Posts and reads the JSON of a success; `undefined` of `read` means that it is not what was asked for. `instead` hears
   * of each refusal, and what it returns is sent in the place of what was refused, within the time of the first.
   */
  readonly ask: <A>(
    request: WireRequest,
    read: (json: unknown) => A | undefined,
    instead?: (refused: { readonly status: number; readonly message: string }) => WireRequest | null
  ) => Effect.Effect<A, UpstreamFailed>
  /** Maximum duration of `ask`, in milliseconds. */
  readonly maxMs: number
}

export const makeWire = (settings: UpstreamSettings): Wire => {
  const { origin, pathname } = new URL(settings.baseUrl)
  const { timeoutMs } = settings
  const bodyWithinMs = Math.min(restMs, timeoutMs)
  const secret = settings.apiKey === null ? null : Redacted.value(settings.apiKey)
  const pool = new Pool(origin, {
    // The waits are our own, below.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: mostHead,
    allowH2: false,
    // A variable of the environment would choose another parser, or trust any certificate.
    useMilo: false,
    connect: { rejectUnauthorized: true }
  })

  /** `headWithinMs`: until the answer begins. */
  const post = ({ body, headers, path }: WireRequest, headWithinMs: number) =>
    Effect.callback<WireAnswer, UpstreamFailed>((resume) => {
      const pieces: Array<Uint8Array> = []
      let controller: Dispatcher.DispatchController | undefined
      let head: Omit<WireAnswer, "body"> | undefined
      let read = 0
      let isOver = false

      const end = (exit: Effect.Effect<WireAnswer, UpstreamFailed>) => {
        isOver = true
        clearTimeout(timer)
        resume(exit)
      }
      const drop = () => controller?.abort(new Error("given up"))
      /** The answer ends here. Of a refusal the status is enough. */
      const cut = (why: UpstreamWhy, detail: string) =>
        end(
          head === undefined || isSuccess(head.status)
            ? Effect.fail(failed(why, detail))
            : Effect.succeed({ ...head, body: text(pieces) })
        )
      const within = (ms: number, detail: string) =>
        setTimeout(() => {
          cut("timeout", detail)
          drop()
        }, ms)
      let timer = within(headWithinMs, `no answer within ${timeoutMs} ms`)

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (started) => {
          controller = started
          // Given up while there was no connection yet: nothing is sent.
          if (isOver) drop()
        },
        onResponseStart: (_, status, { "retry-after": retryAfter }) => {
          // Hints before the answer.
          if (isOver || status < 200) return
          head = { status, retryAfter: typeof retryAfter === "string" ? retryAfter : null }
          clearTimeout(timer)
          timer = within(bodyWithinMs, `the answer did not end within ${bodyWithinMs} ms`)
        },
        onResponseData: (_, piece) => {
          if (isOver || head === undefined) return
          const most = isSuccess(head.status) ? mostAnswer : mostRefusal
          read += piece.length
          if (read <= most) return void pieces.push(piece)
          cut("unreadable", `an answer of more than ${most / 1024 / 1024} MiB`)
          drop()
        },
        onResponseEnd: () => {
          if (!isOver && head !== undefined) end(Effect.succeed({ ...head, body: text(pieces) }))
        },
        onResponseError: (_, error) => {
          if (isOver) return
          if (head !== undefined) return cut("unreadable", "the answer broke off")
          const { detail, why } = connectionFault(error)
          end(Effect.fail(failed(why, detail)))
        }
      }
      pool.dispatch(
        {
          method: "POST",
          path: (pathname === "/" ? "" : pathname) + path,
          headers: {
            accept: "application/json",
            "user-agent": "trunkline",
            ...headers,
            "content-type": body.contentType,
            "content-length": String(body.size)
          },
          // undici takes any iterable and sends what it yields as it is; its types do not say so.
          body: body.chunks as unknown as Uint8Array
        },
        handler
      )
      return Effect.sync(() => {
        isOver = true
        clearTimeout(timer)
        drop()
      })
    })

  const ask: Wire["ask"] = Effect.fnUntraced(function* (request, read, instead = () => null) {
    const until = performance.now() + timeoutMs
    let answer = yield* post(request, timeoutMs)
    while (!isSuccess(answer.status)) {
      const leftMs = Math.floor(until - performance.now())
      const next = leftMs < 1 ? null : instead({ status: answer.status, message: sentenceOf(answer) })
      if (next === null) {
        const { detail, retryAfterSeconds, why } = refusal(answer, yield* Instant.now, secret)
        return yield* failed(why, detail, retryAfterSeconds)
      }
      answer = yield* post(next, leftMs)
    }
    const found = read(json(answer.body))
    return found === undefined ? yield* failed("unreadable", `answered ${answer.status} with something else`) : found
  })

  return { ask, maxMs: timeoutMs + bodyWithinMs }
}

const failed = (why: UpstreamWhy, detail: string, retryAfterSeconds: number | null = null) =>
  new UpstreamFailed({ why, detail, retryAfterSeconds, advice: null })

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const text = (pieces: ReadonlyArray<Uint8Array>): string => new TextDecoder().decode(Buffer.concat(pieces))

const json = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
