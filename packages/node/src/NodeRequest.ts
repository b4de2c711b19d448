/** A request of Node's server as the routes see it. Its body is read once, in whatever form and however often it is needed. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { foreignJson, SlowBody } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerError, RequestParseError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import * as UrlParams from "effect/http/UrlParams"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { BodyProgress } from "./BodyProgress.ts"
import { listen } from "./RequestBodyReader.ts"

type Changes = Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]

export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly source: IncomingMessage
  readonly response: ServerResponse
  readonly url: string
  readonly protocol: "http" | "https" | undefined
  readonly #changes: Changes
  #headers: Headers.Headers | undefined
  #bytes: Effect.Effect<ArrayBuffer, HttpServerError> | undefined

  constructor(source: IncomingMessage, response: ServerResponse, url: string, changes: Changes = {}) {
    super()
    this.source = source
    this.response = response
    this.url = url
    this.protocol = changes.protocol
    this.#changes = changes
    this.#headers = changes.headers
  }

  get method(): string {
    return this.source.method!
  }

  get originalUrl(): string {
    return this.source.url!
  }

  get headers(): Headers.Headers {
    this.#headers ??= headersOf(this.source)
    return this.#headers
  }

  get cookies() {
    return Cookies.parseHeader(this.headers.cookie ?? "")
  }

  get remoteAddress(): Option.Option<string> {
    return this.#changes.remoteAddress ?? Option.fromNullishOr(this.source.socket?.remoteAddress)
  }

  get peerAddress(): Option.Option<string> {
    return this.#changes.peerAddress ?? this.remoteAddress
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError> {
    this.#bytes ??= Effect.runSync(
      Effect.cached(
        Effect.flatMap(HttpIncomingMessage.MaxBodySize, (max) =>
          Effect.mapError(collected(this.source, max === undefined ? undefined : Number(max)), (reason) =>
            this.#unreadable({ reason })
          )
        )
      )
    )
    return this.#bytes
  }

  /** Reads the body for a relay; null where it is too long or breaks off. The route finds the same later. */
  readBody(maxBytes: number | null, read: (bytes: Uint8Array | null) => void): void {
    collect(this.source, maxBytes ?? undefined, (collected) => {
      this.#bytes = Effect.mapBoth(collected, {
        onFailure: (reason) => this.#unreadable({ reason }),
        onSuccess: bufferOf
      })
      read(Exit.isSuccess(collected) ? collected.value : null)
    })
  }

  get text(): Effect.Effect<string, HttpServerError> {
    return Effect.map(this.arrayBuffer, (bytes) => new TextDecoder().decode(bytes))
  }

  get json(): Effect.Effect<Schema.Json, HttpServerError> {
    return Effect.flatMap(this.text, (text) => {
      const value = text === "" ? null : foreignJson(text)
      return value === undefined ? Effect.fail(this.#unreadable({})) : Effect.succeed(value as Schema.Json)
    })
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get stream(): Stream.Stream<Uint8Array, HttpServerError> {
    return Stream.suspend(() =>
      Stream.catch(
        Stream.fromAsyncIterable<Uint8Array, unknown>(watched(this.source), (cause) => cause),
        (cause) => (cause instanceof SlowBody ? Stream.die(cause) : Stream.fail(this.#unreadable({ cause })))
      )
    )
  }

  get multipartStream(): Stream.Stream<Multipart.Part, Multipart.MultipartError> {
    return Stream.pipeThroughChannel(
      Stream.mapError(this.stream, (cause) => Multipart.MultipartError.fromReason("InternalError", cause)),
      Multipart.makeChannel(this.headers)
    )
  }

  get multipart(): HttpServerRequest.HttpServerRequest["multipart"] {
    return Multipart.toPersisted(this.multipartStream)
  }

  get upgrade(): HttpServerRequest.HttpServerRequest["upgrade"] {
    return this.upgradeWith()
  }

  upgradeWith(): HttpServerRequest.HttpServerRequest["upgrade"] {
    return Effect.fail(this.#unreadable({ description: "the product's routes do not upgrade connections" }))
  }

  modify(changes: Changes): NodeRequest {
    const modified = new NodeRequest(this.source, this.response, changes.url ?? this.url, {
      ...this.#changes,
      headers: this.headers,
      ...changes
    })
    modified.#bytes = this.arrayBuffer
    return modified
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, { _id: "HttpServerRequest", method: this.method, url: this.url })
  }

  #unreadable(why: { readonly reason?: "Parse" | "BodyTooLarge"; readonly cause?: unknown; description?: string }) {
    return new HttpServerError({ reason: new RequestParseError({ request: this, ...why }) })
  }
}

/** Pseudo headers of HTTP/2 are left out; `:authority` becomes `host`. */
const headersOf = ({ headers, httpVersionMajor }: IncomingMessage): Headers.Headers => {
  // Node has lower-cased the names, and only this header can be a list.
  if (httpVersionMajor < 2 && headers["set-cookie"] === undefined) {
    return Headers.fromRecordUnsafe({ ...(headers as Readonly<Record<string, string>>) })
  }
  const { ":authority": host, ...others } = headers
  const plain = Object.entries({ ...(host === undefined ? {} : { host }), ...others }).filter(
    ([name]) => !name.startsWith(":")
  )
  return Headers.fromInput(Object.fromEntries(plain) as Headers.Input)
}

/** The chunks of a body, for as long as its client sends. The time in which nobody reads does not count. */
const watched = (source: IncomingMessage): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    // A body that is not read to its end must not close the connection: the response is still to be sent.
    const chunks = source.iterator({ destroyOnReturn: false })
    let slow: ((fault: SlowBody) => void) | undefined
    let isSlow = false
    const progress = new BodyProgress(source, () => {
      isSlow = true
      slow?.(new SlowBody())
    })
    const next = (): Promise<IteratorResult<Uint8Array>> =>
      new Promise((resolve, reject) => {
        slow = reject
        if (!source.complete) progress.start()
        chunks.next().then((result: IteratorResult<Uint8Array>) => {
          progress.stop()
          if (result.done !== true) progress.received(result.value.byteLength)
          resolve(result)
        }, reject)
      })
    // It would wait for the chunk that does not come.
    const end = () => (isSlow ? Promise.resolve({ done: true as const, value: undefined }) : chunks.return!())
    return { next, return: end }
  }
})

type Collected = Exit.Exit<Uint8Array, "Parse" | "BodyTooLarge">

const collected = (
  source: IncomingMessage,
  max: number | undefined
): Effect.Effect<ArrayBuffer, "Parse" | "BodyTooLarge"> =>
  Effect.map(
    Effect.callback<Uint8Array, "Parse" | "BodyTooLarge">((resume) => {
      const stop = collect(source, max, resume)
      return Effect.sync(stop)
    }),
    bufferOf
  )

/** Calls `done` once, with the whole body; what it returns stops reading. */
const collect = (source: IncomingMessage, max: number | undefined, done: (collected: Collected) => void) => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const stop = listen(source, {
    chunk: (bytes) => {
      size += bytes.byteLength
      if (max === undefined || size <= max) return void chunks.push(bytes)
      stop()
      done(Exit.fail("BodyTooLarge"))
    },
    ended: () => done(Exit.succeed(joined(chunks, size))),
    broken: () => done(Exit.fail("Parse")),
    failed: (fault) => done(Exit.die(fault))
  })
  return stop
}

const joined = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  if (chunks.length === 1) return chunks[0]!
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

/** Bytes in a memory of their own, which they may have already. */
const bufferOf = ({ buffer, byteLength, byteOffset }: Uint8Array): ArrayBuffer =>
  buffer.byteLength === byteLength && buffer instanceof ArrayBuffer
    ? buffer
    : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
