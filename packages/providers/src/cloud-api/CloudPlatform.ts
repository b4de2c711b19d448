/** The chat platform over its Cloud API: the port's verbs as requests to it. */
import {
  ChatPlatform,
  Instant,
  type PlatformNumber,
  PlatformUnreachable,
  type WireObject
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { InvalidUpstreamOptions } from "../upstream/UpstreamOptions.ts"
import { type CloudApiOptions, type CloudApiSettings, cloudApiSettings } from "./CloudApiOptions.ts"
import { mediaAddress } from "./MediaAddress.ts"
import { type Form, mediaForm } from "./MediaForm.ts"
import {
  acceptedIn,
  decoded,
  idOf,
  isSuccess,
  objectIn,
  refusalOf,
  refusedHere,
  textOf,
  withoutToken
} from "./PlatformAnswers.ts"
import { type Missing, makeWire, type PlatformWire, type WireAnswer } from "./PlatformWire.ts"

/** Bytes of an answer that is no file. */
const mostAnswer = 1024 * 1024

const plainId = /^[A-Za-z0-9][\w.:=-]{0,127}$/

const utf8 = new TextEncoder()

const jsonBody = (body: WireObject): Form => {
  const bytes = utf8.encode(JSON.stringify(body))
  return { contentType: "application/json", size: bytes.length, chunks: [bytes] }
}

/** Nobody knows what became of it. */
const unclear = (detail: string) => new PlatformUnreachable({ isCertain: false, detail })

const missing: Readonly<Record<Missing, string>> = {
  too_large: "an answer of more than 1 MiB",
  late: "the answer did not end in time",
  broken: "the answer broke off"
}

/** The url of a file was good for some minutes. */
const isStale = ({ status }: WireAnswer): boolean => status === 401 || status === 404

const make = (settings: CloudApiSettings, { exchange, longestMs }: PlatformWire): ChatPlatform["Service"] => {
  const base = new URL(settings.baseUrl)
  const { product } = settings

  /** An id that the path takes as one segment, and as nothing else. */
  const segment = (id: string) =>
    plainId.test(id)
      ? Effect.succeed(encodeURIComponent(id))
      : refusedHere(400, 100, "The id is not one of the platform's.")

  const tokenOf = ({ token }: PlatformNumber) =>
    /^[\x21-\x7e]+$/.test(Redacted.value(token))
      ? Effect.succeed(Redacted.value(token))
      : refusedHere(401, 190, "The access token is not one of the platform's.")

  interface Asked {
    readonly method: "GET" | "POST"
    /** An id, and what is below it. */
    readonly path: readonly [id: string, below?: string]
    readonly query?: Readonly<Record<string, string>>
    readonly body?: Form
    readonly deadline?: number
  }

  /** Asks for an object of the platform's, and tells its text. */
  const ask = Effect.fnUntraced(function* (number: PlatformNumber, asked: Asked) {
    const { body = null, deadline = performance.now() + longestMs, method, path, query = {} } = asked
    const token = yield* tokenOf(number)
    const [id, below] = path
    const url = new URL(`${settings.baseUrl}/${yield* segment(id)}${below === undefined ? "" : `/${below}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
    const answer = yield* exchange({
      method,
      to: { url, way: "platform" },
      token,
      body,
      mostBytes: mostAnswer,
      deadline
    })
    if (!isSuccess(answer)) return yield* refusalOf(answer, token, yield* Instant.now)
    if (typeof answer.body === "string") return yield* unclear(missing[answer.body])
    return { status: answer.status, text: decoded(answer.body), token }
  })

  /** The same, where the answer must be an object. */
  const askFor = Effect.fnUntraced(function* (number: PlatformNumber, asked: Asked) {
    const { status, text } = yield* ask(number, asked)
    return objectIn(text) ?? (yield* unclear(`answered ${status} with something else`))
  })

  /** The same, to be passed on. */
  const passOn = Effect.fnUntraced(function* (number: PlatformNumber, asked: Asked) {
    const { status, text, token } = yield* ask(number, asked)
    return objectIn(withoutToken(text, token)) ?? (yield* unclear(`answered ${status} with something else`))
  })

  const send = Effect.fn("CloudPlatform.send")(function* (number: PlatformNumber, body: WireObject) {
    const answer = yield* askFor(number, {
      method: "POST",
      path: [number.phoneNumberId, "messages"],
      body: jsonBody({ ...body, messaging_product: product })
    })
    return acceptedIn(answer) ?? (yield* unclear("took a message and told no id of it"))
  })

  const markRead = Effect.fn("CloudPlatform.markRead")(function* (
    number: PlatformNumber,
    messageId: string,
    typing: boolean
  ) {
    yield* ask(number, {
      method: "POST",
      path: [number.phoneNumberId, "messages"],
      body: jsonBody({
        messaging_product: product,
        status: "read",
        message_id: messageId,
        ...(typing ? { typing_indicator: { type: "text" } } : {})
      })
    })
  })

  const subscribe = Effect.fn("CloudPlatform.subscribe")(function* (number: PlatformNumber) {
    yield* ask(number, { method: "POST", path: [number.businessAccountId, "subscribed_apps"] })
  })

  const upload = Effect.fn("CloudPlatform.upload")(function* (
    number: PlatformNumber,
    file: Parameters<typeof mediaForm>[1]
  ) {
    const answer = yield* askFor(number, {
      method: "POST",
      path: [number.phoneNumberId, "media"],
      body: mediaForm(product, file)
    })
    return idOf(answer.id) ?? (yield* unclear("took a file and told no id of it"))
  })

  const aboutMedia = ({ phoneNumberId }: PlatformNumber, mediaId: string): Asked => ({
    method: "GET",
    path: [mediaId],
    query: { phone_number_id: phoneNumberId }
  })

  const tooLarge = (mostBytes: number) => refusedHere(413, 131052, `The file has more than ${mostBytes} bytes.`)

  /** Asks where a file is, and for the file. */
  const fetched = Effect.fnUntraced(function* (
    number: PlatformNumber,
    mediaId: string,
    mostBytes: number,
    deadline: number
  ) {
    const about = yield* askFor(number, { ...aboutMedia(number, mediaId), deadline })
    if (Number(about.file_size) > mostBytes) return yield* tooLarge(mostBytes)
    const to = mediaAddress(textOf(about.url) ?? "", base)
    if (to === undefined) return yield* unclear("the file's address is not one that may be called")
    const token = yield* tokenOf(number)
    const answer = yield* exchange({ method: "GET", to, token, body: null, mostBytes, deadline })
    return { answer, type: textOf(about.mime_type) }
  })

  const media = Effect.fn("CloudPlatform.media")(function* (
    number: PlatformNumber,
    mediaId: string,
    mostBytes: number
  ) {
    const deadline = performance.now() + longestMs
    const first = yield* fetched(number, mediaId, mostBytes, deadline)
    const { answer, type } = isStale(first.answer) ? yield* fetched(number, mediaId, mostBytes, deadline) : first
    if (!isSuccess(answer)) return yield* refusalOf(answer, yield* tokenOf(number), yield* Instant.now)
    if (answer.body === "too_large") return yield* tooLarge(mostBytes)
    if (typeof answer.body === "string") return yield* unclear(missing[answer.body])
    const contentType = type ?? answer.contentType ?? "application/octet-stream"
    return { contentType, size: answer.body.length, bytes: answer.body }
  })

  const templatesOf = ({ businessAccountId }: PlatformNumber) => [businessAccountId, "message_templates"] as const

  return {
    send,
    markRead,
    subscribe,
    upload,
    mediaInfo: (number, mediaId) => passOn(number, aboutMedia(number, mediaId)),
    media,
    templates: (number, { access_token: _, ...query }) =>
      passOn(number, { method: "GET", path: templatesOf(number), query }),
    createTemplate: (number, body) =>
      passOn(number, { method: "POST", path: templatesOf(number), body: jsonBody(body) }),
    longestMs
  }
}

const open = (settings: CloudApiSettings) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeWire(settings)),
      ({ close }) => Effect.promise(close)
    ),
    (wire) => ChatPlatform.of(make(settings, wire))
  )

/** The platform for hosts that use Effect. Fails when the options cannot work. Closes its connections with its scope. */
export const layer = (options: CloudApiOptions): Layer.Layer<ChatPlatform, InvalidUpstreamOptions> =>
  Layer.effect(ChatPlatform, Effect.flatMap(Effect.fromResult(cloudApiSettings(options)), open))

/** A chat platform to be handed to the product as it is. */
export interface MessagingPlug {
  readonly kind: "messaging"
  readonly layer: Layer.Layer<ChatPlatform>
}

/**
 * The platform for hosts that know nothing of Effect. Throws `InvalidUpstreamOptions`, which names every fault.
 * Source: docs/messaging.md#platform.
 *
 * @example
 * const messaging = cloudApi({ baseUrl: "https://graph.facebook.com/v23.0" })
 */
export const cloudApi = (options: CloudApiOptions): MessagingPlug => ({
  kind: "messaging",
  layer: Layer.effect(ChatPlatform, open(Result.getOrThrow(cloudApiSettings(options))))
})
