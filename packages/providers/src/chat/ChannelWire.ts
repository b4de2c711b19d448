/**
 * One request to a channel's network and its answer, over undici. Every wait and every answer has a bound, and an interruption ends
 * the connection. Nothing is sent twice: a customer would get it twice.
 */
import { ChannelUnreachable } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { Agent, type Dispatcher, Pool } from "undici"
import { connectionFault } from "../upstream/ConnectionFault.ts"
import { AddressRefused, judgedLookup, type MediaAddress } from "./MediaAddress.ts"

const maxHeadBytes = 16 * 1024

/** Connections at a time. Whoever gets none waits for one, within its own time. */
const maxConnections = 256

/** What is left at least for a begun answer to end, in milliseconds, or as long as until its beginning where that is shorter. */
const restMs = 30_000

const connectMs = 10_000

/** A body, sent piece by piece so that a file is not copied. */
export interface RequestForm {
  readonly contentType: string
  readonly size: number
  readonly chunks: ReadonlyArray<Uint8Array>
}

export interface WireRequest {
  readonly method: "GET" | "POST"
  readonly to: MediaAddress
  /** The `Authorization` header. */
  readonly authorization: string | null
  readonly body: RequestForm | null
  /** Bytes of the answer that are read. */
  readonly maxBytes: number
  /** When it must be over at the latest, on the clock of `performance`. */
  readonly deadline: number
}

/** Why an answer's body is not there, although its head is. */
export type Missing = "too_large" | "late" | "broken"

export interface WireAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly contentType: string | null
  readonly body: Uint8Array | Missing
}

export interface ChannelWire {
  readonly exchange: (request: WireRequest) => Effect.Effect<WireAnswer, ChannelUnreachable>
  /** Longest that anything takes, in milliseconds. */
  readonly maxRequestMs: number
  /** Ends all connections. */
  readonly close: () => Promise<unknown>
}

export interface WireSettings {
  readonly baseUrl: string
  readonly timeoutMs: number
}

export const makeWire = ({ baseUrl, timeoutMs }: WireSettings, connections = maxConnections): ChannelWire => {
  const maxRequestMs = timeoutMs + Math.min(restMs, timeoutMs)
  const common = {
    // The waits are our own, below.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeadBytes,
    allowH2: false,
    connections,
    // A variable of the environment would choose another parser, or trust any certificate.
    useMilo: false
  }
  const connect = { rejectUnauthorized: true, timeout: Math.min(connectMs, timeoutMs) }
  const ways: Readonly<Record<MediaAddress["way"], Dispatcher>> = {
    platform: new Pool(new URL(baseUrl).origin, { ...common, connect }),
    near: new Agent({ ...common, connect }),
    judged: new Agent({ ...common, connect: { ...connect, lookup: judgedLookup() } })
  }

  const exchange = ({ body, deadline, method, maxBytes, to: { url, way }, authorization }: WireRequest) =>
    Effect.callback<WireAnswer, ChannelUnreachable>((resume) => {
      const pieces: Array<Uint8Array> = []
      // Known from the moment on at which bytes may leave.
      let controller: Dispatcher.DispatchController | undefined
      let head: Omit<WireAnswer, "body"> | undefined
      let read = 0
      let isOver = false

      const end = (exit: Effect.Effect<WireAnswer, ChannelUnreachable>) => {
        isOver = true
        clearTimeout(timer)
        resume(exit)
      }
      const drop = () => controller?.abort(new Error("given up"))
      const fail = (detail: string) =>
        end(Effect.fail(new ChannelUnreachable({ isCertain: controller === undefined, detail })))
      const within = (ms: number, late: () => void) =>
        setTimeout(
          () => {
            late()
            drop()
          },
          Math.max(0, Math.min(ms, deadline - performance.now()))
        )
      let timer = within(timeoutMs, () =>
        fail(controller === undefined ? "no connection in time" : "no answer in time")
      )

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (started) => {
          // Given up while there was no connection, or another connection's turn: nothing is sent.
          const isAgain = controller !== undefined
          controller = started
          if (isOver || isAgain) drop()
        },
        onResponseStart: (_, status, headers) => {
          // Hints before the answer.
          if (isOver || status < 200) return
          const { "content-type": type, "retry-after": retryAfter } = headers
          const begun = { status, retryAfter: one(retryAfter), contentType: one(type) }
          head = begun
          clearTimeout(timer)
          timer = within(maxRequestMs, () => end(Effect.succeed({ ...begun, body: "late" })))
        },
        onResponseData: (_, piece) => {
          if (isOver || head === undefined) return
          read += piece.length
          if (read <= maxBytes) return void pieces.push(piece)
          end(Effect.succeed({ ...head, body: "too_large" }))
          drop()
        },
        onResponseEnd: () => {
          if (!isOver && head !== undefined) end(Effect.succeed({ ...head, body: Buffer.concat(pieces) }))
        },
        onResponseError: (_, error) => {
          if (isOver) return
          if (head !== undefined) return end(Effect.succeed({ ...head, body: "broken" }))
          fail(error instanceof AddressRefused ? error.message : connectionFault(error).detail)
        }
      }
      ways[way].dispatch(
        {
          origin: url.origin,
          method,
          path: url.pathname + url.search,
          headers: {
            accept: "*/*",
            "user-agent": "trunkline",
            ...(authorization === null ? {} : { authorization }),
            ...(body === null ? {} : { "content-type": body.contentType, "content-length": String(body.size) })
          },
          body: body === null ? null : sendable(body.chunks)
        },
        handler
      )
      return Effect.sync(() => {
        isOver = true
        clearTimeout(timer)
        drop()
      })
    })

  return {
    exchange,
    maxRequestMs,
    close: () => Promise.all(Object.values(ways).map((way) => way.destroy()))
  }
}

/** undici takes any iterable and sends what it yields as it is, which its types do not say; a single piece it sends with the head. */
const sendable = (chunks: ReadonlyArray<Uint8Array>): Uint8Array =>
  chunks.length === 1 ? chunks[0]! : (chunks as unknown as Uint8Array)

const one = (header: string | ReadonlyArray<string> | undefined): string | null =>
  typeof header === "string" ? header : null
