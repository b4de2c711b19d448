/** A client of the Cloud API: one verb is one request, in the platform's own words. */
import {
  type ChannelConnection,
  type ChannelFile,
  Instant,
  type JsonObject,
  type NewFile,
  type Sent,
  tracedFn
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { ChannelWire, WireAnswer } from "../chat/ChannelWire.ts"
import { mediaAddress } from "../chat/MediaAddress.ts"
import { jsonBody } from "../http/index.ts"
import { type AnalyticsRequests, makeAnalyticsRequests } from "./AnalyticsRequests.ts"
import type { CloudApiSettings } from "./CloudApiOptions.ts"
import {
  type Asked,
  type CloudApiFailed,
  type CloudApiRequests,
  makeRequests,
  missing,
  tokenOf,
  unclear
} from "./CloudApiRequests.ts"
import { type CommerceRequests, makeCommerceRequests } from "./CommerceRequests.ts"
import { type FlowRequests, makeFlowRequests } from "./FlowRequests.ts"
import { mediaForm } from "./MediaForm.ts"
import { makeNumberRequests, type NumberRequests } from "./NumberRequests.ts"
import { makePaymentRequests, type PaymentRequests } from "./PaymentRequests.ts"
import { acceptedIn, idOf, isSuccess, refusalOf, refusedHere, textOf } from "./PlatformAnswers.ts"
import { makeTemplateRequests, type TemplateRequests } from "./TemplateRequests.ts"

export interface CloudApiClient
  extends AnalyticsRequests,
    CommerceRequests,
    FlowRequests,
    NumberRequests,
    PaymentRequests,
    TemplateRequests {
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
  /** Maximum duration of one request, in milliseconds. */
  readonly maxRequestMs: number
}

/** The url of a file was good for some minutes. */
const isStale = ({ status }: WireAnswer): boolean => status === 401 || status === 404

const tooLarge = (maxBytes: number) => refusedHere(413, 131052, `The file has more than ${maxBytes} bytes.`)

/** Downloads a file: asks where it is, and for the file; once more where that address has expired. */
const makeDownload = (base: URL, { exchange, maxRequestMs }: ChannelWire, { askFor }: CloudApiRequests) => {
  const aboutMedia = ({ id }: ChannelConnection, mediaId: string): Asked => ({
    method: "GET",
    path: [mediaId],
    query: { phone_number_id: id }
  })

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

  return tracedFn("CloudApiClient.media")(function* (number: ChannelConnection, mediaId: string, maxBytes: number) {
    const deadline = performance.now() + maxRequestMs
    const first = yield* fetched(number, mediaId, maxBytes, deadline)
    const { answer, type } = isStale(first.answer) ? yield* fetched(number, mediaId, maxBytes, deadline) : first
    if (!isSuccess(answer)) return yield* refusalOf(answer, yield* tokenOf(number), yield* Instant.now)
    if (answer.body === "too_large") return yield* tooLarge(maxBytes)
    if (typeof answer.body === "string") return yield* unclear(missing[answer.body])
    const contentType = type ?? answer.contentType ?? "application/octet-stream"
    return { contentType, size: answer.body.length, bytes: answer.body }
  })
}

export const makeClient = ({ appId, baseUrl, product }: CloudApiSettings, wire: ChannelWire): CloudApiClient => {
  const requests = makeRequests(baseUrl, wire)
  const { ask, askFor } = requests

  const send = tracedFn("CloudApiClient.send")(function* (number: ChannelConnection, body: JsonObject) {
    const answer = yield* askFor(number, {
      method: "POST",
      path: [number.id, "messages"],
      body: jsonBody({ ...body, messaging_product: product })
    })
    return acceptedIn(answer) ?? (yield* unclear("accepted a message without an id"))
  })

  const markRead = tracedFn("CloudApiClient.markRead")(function* (
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

  const subscribe = tracedFn("CloudApiClient.subscribe")(function* (number: ChannelConnection) {
    yield* ask(number, { method: "POST", path: [number.accountId, "subscribed_apps"] })
  })

  const upload = tracedFn("CloudApiClient.upload")(function* (number: ChannelConnection, file: NewFile) {
    const answer = yield* askFor(number, {
      method: "POST",
      path: [number.id, "media"],
      body: mediaForm(product, file)
    })
    return idOf(answer.id) ?? (yield* unclear("accepted a file without an id"))
  })

  return {
    send,
    markRead,
    subscribe,
    upload,
    media: makeDownload(new URL(baseUrl), wire, requests),
    ...makeCommerceRequests(requests),
    ...makeAnalyticsRequests(requests),
    ...makeFlowRequests({ baseUrl, product }, wire, requests),
    ...makeNumberRequests(product, requests),
    ...makePaymentRequests(requests),
    ...makeTemplateRequests(appId, requests),
    maxRequestMs: wire.maxRequestMs
  }
}
