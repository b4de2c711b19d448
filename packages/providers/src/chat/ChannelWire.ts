/** One request to a channel's network and its answer. Nothing is sent twice: a customer would get it twice. */
import { ChannelUnreachable } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { type BoundedHttp, type HttpResponse, makeBoundedHttp, type RequestBody } from "../http/index.ts"
import { checkedLookup, type MediaAddress } from "./MediaAddress.ts"

/** Connections to one origin. A request beyond them waits, within its own time. */
const defaultConnections = 256

/** What a begun answer has at least to end, in milliseconds, or as long as until its beginning where that is shorter. */
const minBodyMs = 30_000

const maxConnectMs = 10_000

export interface WireRequest {
  readonly method: "GET" | "POST" | "DELETE"
  readonly to: MediaAddress
  /** The `Authorization` header. */
  readonly authorization: string | null
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: RequestBody | null
  /** Bytes of the answer that are read. */
  readonly maxBytes: number
  /** When it must be over at the latest, on the clock of `performance`. */
  readonly deadline: number
}

/** Why an answer's body is not there, although its head is. */
export type Missing = NonNullable<HttpResponse["cut"]>

export interface WireAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly contentType: string | null
  readonly body: Uint8Array | Missing
}

export interface ChannelWire {
  readonly exchange: (request: WireRequest) => Effect.Effect<WireAnswer, ChannelUnreachable>
  /** Maximum duration of an exchange, in milliseconds. */
  readonly maxRequestMs: number
  /** Ends all connections. */
  readonly close: () => Promise<unknown>
}

export const makeWire = (timeoutMs: number, maxConnections = defaultConnections): ChannelWire => {
  const maxRequestMs = timeoutMs + Math.min(minBodyMs, timeoutMs)
  const options = { maxConnections, connectMs: Math.min(maxConnectMs, timeoutMs) }
  const direct = makeBoundedHttp(options)
  const checked = makeBoundedHttp({ ...options, lookup: checkedLookup() })
  const clients: Readonly<Record<MediaAddress["way"], BoundedHttp>> = { platform: direct, near: direct, checked }

  const exchange: ChannelWire["exchange"] = ({
    authorization,
    body,
    deadline,
    headers = {},
    maxBytes,
    method,
    to: { url, way }
  }) =>
    clients[way]
      .exchange({
        method,
        url,
        headers: { ...headers, accept: "*/*", ...(authorization === null ? {} : { authorization }) },
        body,
        headMs: timeoutMs,
        bodyMs: maxRequestMs,
        deadline,
        maxBytes: () => maxBytes
      })
      .pipe(
        Effect.mapBoth({
          onFailure: ({ detail, isSent }) => new ChannelUnreachable({ isCertain: !isSent, detail }),
          onSuccess: answerIn
        })
      )

  return { exchange, maxRequestMs, close: () => Promise.all([direct.close(), checked.close()]) }
}

const answerIn = ({ body, cut, header, status }: HttpResponse): WireAnswer => ({
  status,
  retryAfter: header("retry-after"),
  contentType: header("content-type"),
  body: cut ?? body
})
