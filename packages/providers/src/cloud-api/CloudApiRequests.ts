/** Requests for objects of the Cloud API, with the number's token: each is an id, and a path below it. */
import { type ChannelConnection, ChannelUnreachable, Instant } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ChannelWire, Missing } from "../chat/ChannelWire.ts"
import { type RequestBody, textIn } from "../http/index.ts"
import {
  isSuccess,
  objectIn,
  type PlatformRefused,
  pageIn,
  refusalOf,
  refusedHere,
  withoutToken
} from "./PlatformAnswers.ts"

export type CloudApiFailed = PlatformRefused | ChannelUnreachable

export interface Asked {
  readonly method: "GET" | "POST" | "DELETE"
  /** An id, and a path below it. */
  readonly path: readonly [id: string, below?: string]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: RequestBody
  readonly deadline?: number
}

/** Bytes of an answer that is no file. */
const maxAnswerBytes = 1024 * 1024

/** The address of an upload that was begun: an id with its proof as a query. */
const uploadId = /^upload:[\w.:=-]{1,1024}(?:\?sig=[\w.=%-]{1,512})?$/

const plainId = /^[A-Za-z0-9][\w.:=-]{0,127}$/

/** Pages of a list that are read at most. */
const maxPages = 100

/** A list of the platform's, which is read page by page. */
export interface Listed {
  readonly path: Asked["path"]
  readonly query?: Readonly<Record<string, string>>
  /** What the list has, for details of failures: `numbers`. */
  readonly of: string
  /** True for a page after which no other one is read. */
  readonly isLast?: (page: ReadonlyArray<unknown>) => boolean
}

/** Nobody knows what became of it. */
export const unclear = (detail: string) => new ChannelUnreachable({ isCertain: false, detail })

export const missing: Readonly<Record<Missing, string>> = {
  too_large: "an answer of more than 1 MiB",
  late: "the answer did not end in time",
  broken: "the answer broke off"
}

/** An id that the path takes as one segment, and as nothing else. */
const segment = (id: string) =>
  plainId.test(id)
    ? Effect.succeed(encodeURIComponent(id))
    : refusedHere(400, 100, "The id is not one of the platform's.")

export const tokenOf = ({ credentials }: ChannelConnection) =>
  /^[\x21-\x7e]+$/.test(Redacted.value(credentials))
    ? Effect.succeed(Redacted.value(credentials))
    : refusedHere(401, 190, "The access token is not one of the platform's.")

export type CloudApiRequests = ReturnType<typeof makeRequests>

export const makeRequests = (baseUrl: string, { exchange, maxRequestMs }: ChannelWire) => {
  /** Asks for an object of the platform's, and returns its text. */
  const ask = Effect.fnUntraced(function* (number: ChannelConnection, asked: Asked) {
    const { body = null, deadline = performance.now() + maxRequestMs, method, path, query = {} } = asked
    const token = yield* tokenOf(number)
    const [id, below] = path
    const url = new URL(`${baseUrl}/${yield* segment(id)}${below === undefined ? "" : `/${below}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
    const asking = exchange({
      method,
      to: { url, way: "platform" },
      authorization: `Bearer ${token}`,
      body,
      maxBytes: maxAnswerBytes,
      deadline
    })
    // A read changes nothing, so that it may be asked for again. Everything else would be done twice.
    const answer = yield* method === "GET" ? Effect.retry(asking, { times: 1 }) : asking
    if (!isSuccess(answer)) return yield* refusalOf(answer, token, yield* Instant.now)
    if (typeof answer.body === "string") return yield* unclear(missing[answer.body])
    return { status: answer.status, text: textIn(answer.body), token }
  })

  /** The same, where the answer must be an object. */
  const askFor = Effect.fnUntraced(function* (number: ChannelConnection, asked: Asked) {
    const { status, text } = yield* ask(number, asked)
    return objectIn(text) ?? (yield* unclear(`answered ${status} with something else`))
  })

  /** The same, to be passed on. */
  const passOn = Effect.fnUntraced(function* (number: ChannelConnection, asked: Asked) {
    const { status, text, token } = yield* ask(number, asked)
    return objectIn(withoutToken(text, token)) ?? (yield* unclear(`answered ${status} with something else`))
  })

  /** Reads a list of the business account's to its end, within the time of one request. A list that does not end is not known. */
  const readAll = Effect.fnUntraced(function* (
    account: ChannelConnection,
    { isLast = () => false, of, path, query = {} }: Listed
  ) {
    const deadline = performance.now() + maxRequestMs
    const read: Array<unknown> = []
    let from: Readonly<Record<string, string>> = {}
    for (let page = 0; page < maxPages; page += 1) {
      const answer = yield* askFor(account, { method: "GET", path, query: { ...query, ...from }, deadline })
      const listed = pageIn(answer)
      if (listed === undefined) return yield* unclear(`answered without the business account's ${of}`)
      read.push(...listed.data)
      if (isLast(listed.data) || listed.after === null) return read
      from = { after: listed.after }
    }
    return yield* unclear(`named more than ${maxPages} pages of ${of}`)
  })

  /** Sends the bytes of an upload that was begun. The platform has another scheme of authorization for it. */
  const fill = Effect.fnUntraced(function* (number: ChannelConnection, upload: string, bytes: Uint8Array) {
    if (!uploadId.test(upload)) return yield* unclear("began an upload at an address that may not be called")
    const token = yield* tokenOf(number)
    const answer = yield* exchange({
      method: "POST",
      to: { url: new URL(`${baseUrl}/${upload}`), way: "platform" },
      authorization: `OAuth ${token}`,
      headers: { file_offset: "0" },
      body: { contentType: "application/octet-stream", size: bytes.length, chunks: [bytes] },
      maxBytes: maxAnswerBytes,
      deadline: performance.now() + maxRequestMs
    })
    if (!isSuccess(answer)) return yield* refusalOf(answer, token, yield* Instant.now)
    if (typeof answer.body === "string") return yield* unclear(missing[answer.body])
    return objectIn(textIn(answer.body)) ?? (yield* unclear(`answered ${answer.status} with something else`))
  })

  return { ask, askFor, readAll, passOn, fill }
}
