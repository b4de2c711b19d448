/** A client of the Cloud API: one verb is one request, in the platform's own words. */
import {
  type ChannelConnection,
  type ChannelFile,
  ChannelUnreachable,
  Instant,
  type JsonObject,
  type NewFile,
  type Sent
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ChannelWire, Missing, WireAnswer } from "../chat/ChannelWire.ts"
import { mediaAddress } from "../chat/MediaAddress.ts"
import { jsonBody, type RequestBody, textIn } from "../http/index.ts"
import type { CloudApiSettings } from "./CloudApiOptions.ts"
import { mediaForm } from "./MediaForm.ts"
import {
  acceptedIn,
  idOf,
  isSuccess,
  objectIn,
  type PlatformRefused,
  refusalOf,
  refusedHere,
  textOf,
  withoutToken
} from "./PlatformAnswers.ts"

export type CloudApiFailed = PlatformRefused | ChannelUnreachable

export interface CloudApiClient {
  /** Posts a body to the number's messages, as it is but for the product value. */
  readonly send: (number: ChannelConnection, body: JsonObject) => Effect.Effect<Sent, CloudApiFailed>
  readonly markRead: (
    number: ChannelConnection,
    message: { readonly id: string; readonly typing: boolean }
  ) => Effect.Effect<void, CloudApiFailed>
  /** Asks for the business account's events. */
  readonly subscribe: (number: ChannelConnection) => Effect.Effect<void, CloudApiFailed>
  /** Keeps a file; returns its id. */
  readonly upload: (number: ChannelConnection, file: NewFile) => Effect.Effect<string, CloudApiFailed>
  /** A file's bytes, of at most `maxBytes`. */
  readonly media: (
    number: ChannelConnection,
    mediaId: string,
    maxBytes: number
  ) => Effect.Effect<ChannelFile, CloudApiFailed>
  readonly templates: (
    number: ChannelConnection,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<JsonObject, CloudApiFailed>
  readonly createTemplate: (number: ChannelConnection, body: JsonObject) => Effect.Effect<JsonObject, CloudApiFailed>
  /** Maximum duration of one request, in milliseconds. */
  readonly maxRequestMs: number
}

/** Bytes of an answer that is no file. */
const maxAnswerBytes = 1024 * 1024

const plainId = /^[A-Za-z0-9][\w.:=-]{0,127}$/

/** Nobody knows what became of it. */
const unclear = (detail: string) => new ChannelUnreachable({ isCertain: false, detail })

const missing: Readonly<Record<Missing, string>> = {
  too_large: "an answer of more than 1 MiB",
  late: "the answer did not end in time",
  broken: "the answer broke off"
}

/** The url of a file was good for some minutes. */
const isStale = ({ status }: WireAnswer): boolean => status === 401 || status === 404

export const makeClient = (settings: CloudApiSettings, { exchange, maxRequestMs }: ChannelWire): CloudApiClient => {
  const base = new URL(settings.baseUrl)
  const { product } = settings

  /** An id that the path takes as one segment, and as nothing else. */
  const segment = (id: string) =>
    plainId.test(id)
      ? Effect.succeed(encodeURIComponent(id))
      : refusedHere(400, 100, "The id is not one of the platform's.")

  const tokenOf = ({ credentials }: ChannelConnection) =>
    /^[\x21-\x7e]+$/.test(Redacted.value(credentials))
      ? Effect.succeed(Redacted.value(credentials))
      : refusedHere(401, 190, "The access token is not one of the platform's.")

  interface Asked {
    readonly method: "GET" | "POST"
    /** An id, and what is below it. */
    readonly path: readonly [id: string, below?: string]
    readonly query?: Readonly<Record<string, string>>
    readonly body?: RequestBody
    readonly deadline?: number
  }

  /** Asks for an object of the platform's, and returns its text. */
  const ask = Effect.fnUntraced(function* (number: ChannelConnection, asked: Asked) {
    const { body = null, deadline = performance.now() + maxRequestMs, method, path, query = {} } = asked
    const token = yield* tokenOf(number)
    const [id, below] = path
    const url = new URL(`${settings.baseUrl}/${yield* segment(id)}${below === undefined ? "" : `/${below}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
    const answer = yield* exchange({
      method,
      to: { url, way: "platform" },
      authorization: `Bearer ${token}`,
      body,
      maxBytes: maxAnswerBytes,
      deadline
    })
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

  const send = Effect.fn("CloudApiClient.send")(function* (number: ChannelConnection, body: JsonObject) {
    const answer = yield* askFor(number, {
      method: "POST",
      path: [number.id, "messages"],
      body: jsonBody({ ...body, messaging_product: product })
    })
    return acceptedIn(answer) ?? (yield* unclear("took a message and told no id of it"))
  })

  const markRead = Effect.fn("CloudApiClient.markRead")(function* (
    number: ChannelConnection,
    { id, typing }: { readonly id: string; readonly typing: boolean }
  ) {
    yield* ask(number, {
      method: "POST",
      path: [number.id, "messages"],
      body: jsonBody({
        messaging_product: product,
        status: "read",
        message_id: id,
        ...(typing ? { typing_indicator: { type: "text" } } : {})
      })
    })
  })

  const subscribe = Effect.fn("CloudApiClient.subscribe")(function* (number: ChannelConnection) {
    yield* ask(number, { method: "POST", path: [number.accountId, "subscribed_apps"] })
  })

  const upload = Effect.fn("CloudApiClient.upload")(function* (number: ChannelConnection, file: NewFile) {
    const answer = yield* askFor(number, {
      method: "POST",
      path: [number.id, "media"],
      body: mediaForm(product, file)
    })
    return idOf(answer.id) ?? (yield* unclear("took a file and told no id of it"))
  })

  const aboutMedia = ({ id }: ChannelConnection, mediaId: string): Asked => ({
    method: "GET",
    path: [mediaId],
    query: { phone_number_id: id }
  })

  const tooLarge = (maxBytes: number) => refusedHere(413, 131052, `The file has more than ${maxBytes} bytes.`)

  /** Asks where a file is, and for the file. */
  const fetched = Effect.fnUntraced(function* (
    number: ChannelConnection,
    mediaId: string,
    maxBytes: number,
    deadline: number
  ) {
    const about = yield* askFor(number, { ...aboutMedia(number, mediaId), deadline })
    if (Number(about.file_size) > maxBytes) return yield* tooLarge(maxBytes)
    const to = mediaAddress(textOf(about.url) ?? "", base)
    if (to === undefined) return yield* unclear("the file's address is not one that may be called")
    const token = yield* tokenOf(number)
    const answer = yield* exchange({
      method: "GET",
      to,
      authorization: `Bearer ${token}`,
      body: null,
      maxBytes,
      deadline
    })
    return { answer, type: textOf(about.mime_type) }
  })

  const media = Effect.fn("CloudApiClient.media")(function* (
    number: ChannelConnection,
    mediaId: string,
    maxBytes: number
  ) {
    const deadline = performance.now() + maxRequestMs
    const first = yield* fetched(number, mediaId, maxBytes, deadline)
    const { answer, type } = isStale(first.answer) ? yield* fetched(number, mediaId, maxBytes, deadline) : first
    if (!isSuccess(answer)) return yield* refusalOf(answer, yield* tokenOf(number), yield* Instant.now)
    if (answer.body === "too_large") return yield* tooLarge(maxBytes)
    if (typeof answer.body === "string") return yield* unclear(missing[answer.body])
    const contentType = type ?? answer.contentType ?? "application/octet-stream"
    return { contentType, size: answer.body.length, bytes: answer.body }
  })

  const templatesOf = ({ accountId }: ChannelConnection) => [accountId, "message_templates"] as const

  return {
    send,
    markRead,
    subscribe,
    upload,
    media,
    templates: (number, { access_token: _, ...query }) =>
      passOn(number, { method: "GET", path: templatesOf(number), query }),
    createTemplate: (number, body) =>
      passOn(number, { method: "POST", path: templatesOf(number), body: jsonBody(body) }),
    maxRequestMs
  }
}
