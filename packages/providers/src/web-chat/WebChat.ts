/**
 * The chat of web pages as a channel: a connected number is a chat with the origins of its pages, a customer is a visitor. Nobody
 * delivers to anybody: a message that is sent stands in the conversation, and the visitor's page asks for it.
 */
import type { ChannelProvider } from "@trunkline/core"
import {
  bareNetwork,
  type ChannelCallback,
  ChannelCallbackRefused,
  type ChannelConnection,
  type ChannelNews,
  ChannelRefused,
  type ChannelTraits,
  ChatChannel,
  type ConnectionRequest,
  channelProvider,
  clientOf,
  foreignJson,
  type InboundMessage,
  Instant,
  isLonger,
  isObject,
  type JsonObject,
  MinuteLimit,
  maxTextLength,
  type RefusalClass
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
import { isVisitorId, tokenOf, visitorOf } from "./VisitorToken.ts"
import { type WebChatOptions, type WebChatSettings, webChatSettings } from "./WebChatOptions.ts"
import { jsonReply, refusal, scriptReply, tooMany, transcriptReply } from "./WebChatReplies.ts"

const kind = "web-chat"

/** A request with the longest text, whatever its letters. */
const maxBodyBytes = 32 * 1024

/** Source: docs/reference/messaging.md#channel-traits. */
const traits: ChannelTraits = {
  replyWindowMs: null,
  maxTextLength,
  contents: ["text"],
  maxFileBytes: 0,
  typing: false,
  readMarks: false,
  statuses: false,
  echoes: false,
  provesNumbers: false,
  callbacks: { maxBytes: maxBodyBytes }
}

/** Messages of a conversation that a page shows. */
const maxShown = 100

const refused = (reason: RefusalClass, sentence: string): ChannelRefused =>
  new ChannelRefused({
    class: reason,
    sentence,
    code: null,
    isCertain: true,
    retryAfterSeconds: null,
    original: null,
    detail: `the chat of a page: ${sentence}`
  })

const isOrigin = (text: unknown): text is string =>
  typeof text === "string" && URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)

/** The origins of a chat's pages are what is kept of it. */
const originsOf = ({ credentials }: ChannelConnection): ReadonlyArray<unknown> => {
  const kept = objectIn(Redacted.value(credentials))?.origins
  return Array.isArray(kept) ? kept : []
}

const objectIn = (text: string): JsonObject | null => {
  const json = foreignJson(text)
  return isObject(json) ? json : null
}

/**
 * A chat under an id of the caller's choice, so that it can be connected again with other origins. The id is its first account's for
 * good: what visitors hold of it would be good for the next one otherwise.
 */
const identify = Effect.fnUntraced(function* ({ settings }: ConnectionRequest) {
  const { id = crypto.randomUUID(), origins, title = null } = settings
  if (typeof id !== "string" || !/^[a-z0-9][a-z0-9-]{2,62}$/.test(id)) {
    return yield* refused("invalid_content", "settings.id: give 3 to 63 lower-case letters, digits and hyphens.")
  }
  if (!Array.isArray(origins) || origins.length === 0 || origins.length > 50 || !origins.every(isOrigin)) {
    return yield* refused(
      "invalid_content",
      'settings.origins: list the origins of the pages that have the chat, such as "https://shop.example.com".'
    )
  }
  if (title !== null && (typeof title !== "string" || isLonger(title, 64))) {
    return yield* refused("invalid_content", "settings.title: give a text of at most 64 characters.")
  }
  const credentials = Redacted.make(JSON.stringify({ origins }))
  return { id: `${kind}:${id}`, accountId: id, displayName: title, credentials }
})

/** What a page asks for. */
interface PageRequest {
  readonly connection: ChannelConnection
  readonly origin: string
  readonly body: JsonObject
  /** Of the visitor's browser; null where nobody knows it. */
  readonly address: string | null
  readonly at: Instant.Instant
}

const messageOf = ({ at }: PageRequest, visitorId: string, id: string, text: string): InboundMessage => ({
  id: `${visitorId}:${id}`,
  from: null,
  userRef: visitorId,
  name: null,
  to: null,
  toRef: null,
  at,
  content: { _tag: "Text", text },
  contextId: null,
  isEcho: false,
  newPhone: null,
  newUserRef: null
})

/** Part of a chat's new visitors that one address may be, so that a few do not keep all others out. */
const addressShare = 0.1

/** Keys begin with the chat, and those beyond the limit's bound are counted by it. */
const chatOf = (key: string): string => key.slice(0, key.indexOf(" "))

/** What the pages of all chats may ask for. */
class Pages {
  readonly #secret: string
  readonly #messages: MinuteLimit
  readonly #visitors: MinuteLimit
  readonly #visitorsOfAddress: MinuteLimit

  constructor({ messagesPerMinute, secret, visitorsPerMinute }: WebChatSettings) {
    this.#secret = secret
    this.#messages = new MinuteLimit(messagesPerMinute, chatOf)
    this.#visitors = new MinuteLimit(visitorsPerMinute)
    this.#visitorsOfAddress = new MinuteLimit(Math.ceil(visitorsPerMinute * addressShare), chatOf)
  }

  session({ address, at, connection, origin }: PageRequest): ChannelNews {
    // What an address has too many of does not count for the chat.
    const own = address === null ? null : this.#visitorsOfAddress.admit(`${connection.id} ${clientOf(address)}`, at)
    const wait = own ?? this.#visitors.admit(connection.id, at)
    if (wait !== null) return { batches: [], reply: tooMany(origin, wait) }
    const visit = { connectionId: connection.id, visitorId: crypto.randomUUID() }
    return { batches: [], reply: jsonReply(origin, 200, { token: tokenOf(this.#secret, visit) }) }
  }

  transcript(request: PageRequest): ChannelNews {
    return this.#known(request, () => [])
  }

  message(request: PageRequest): ChannelNews {
    const { at, body, connection, origin } = request
    const { id, text } = body
    if (typeof id !== "string" || !/^[\w-]{8,64}$/.test(id)) {
      return { batches: [], reply: refusal(origin, 400, "id: give the message an id of 8 to 64 characters") }
    }
    if (typeof text !== "string" || text.trim() === "" || isLonger(text, maxTextLength)) {
      return { batches: [], reply: refusal(origin, 400, `text: give 1 to ${maxTextLength} characters`) }
    }
    const visitorId = visitorOf(this.#secret, connection.id, body.token)
    const wait = visitorId === null ? null : this.#messages.admit(`${connection.id} ${visitorId}`, at)
    if (wait !== null) return { batches: [], reply: tooMany(origin, wait) }
    return this.#known(request, (visitor) => [messageOf(request, visitor, id, text)])
  }

  /** Answers a visitor whose token holds with the conversation as it is then. */
  #known(
    { body, connection, origin }: PageRequest,
    messagesOf: (visitorId: string) => ReadonlyArray<InboundMessage>
  ): ChannelNews {
    const userId = visitorOf(this.#secret, connection.id, body.token)
    if (userId === null) return { batches: [], reply: refusal(origin, 401, "The token is none of this chat's") }
    const messages = messagesOf(userId)
    const { accountId, id: connectionId } = connection
    return {
      batches: messages.length === 0 ? [] : [{ connectionId, accountId, messages, statuses: [] }],
      reply: { userId, limit: maxShown, render: transcriptReply(origin, body.version) }
    }
  }
}

const notFound: ChannelNews = { batches: [], reply: refusal(null, 404, "Not Found") }

const isResource = (name: string | null): name is "session" | "transcript" | "message" =>
  name === "session" || name === "transcript" || name === "message"

/** Requests are simple ones in the browsers' sense, so that none is asked for in advance: JSON in a text. */
const read = (pages: Pages) =>
  Effect.fnUntraced(function* (callback: ChannelCallback, connection: ChannelConnection | null) {
    const { address = null, body: bytes, headers, method, resource } = callback
    if (connection === null) {
      return yield* new ChannelCallbackRefused({ reason: "malformed", detail: "The address names no chat" })
    }
    if (method !== "POST") return resource === "chat.js" ? { batches: [], reply: scriptReply } : notFound
    if (!isResource(resource)) return notFound
    const { origin = "" } = headers
    if (!originsOf(connection).includes(origin)) {
      return { batches: [], reply: refusal(null, 403, "This page's origin is none of the chat's") }
    }
    const body = objectIn(new TextDecoder().decode(bytes))
    if (body === null) return { batches: [], reply: refusal(origin, 400, "The request is no JSON object") }
    return pages[resource]({ connection, origin, body, address, at: yield* Instant.now })
  })

const make = (settings: WebChatSettings): ChatChannel["Service"] => {
  const noFiles = () => refused("rejected", "The chat of a page has no files.")
  return ChatChannel.of({
    kind,
    traits,
    maxRequestMs: 0,
    identify,
    connect: () => Effect.void,
    disconnect: () => Effect.void,
    send: (_, to, { content }, ref) => {
      if (content._tag !== "Text") return refused("invalid_content", "The chat of a page has texts alone.")
      return to._tag === "User" && isVisitorId(to.id)
        ? Effect.succeed({ id: ref, contact: { input: to.id, phone: null, userRef: to.id } })
        : refused("recipient_unknown", "Visitors of a page are known by the user_id of their conversation alone.")
    },
    markRead: () => Effect.void,
    read: read(new Pages(settings)),
    files: { upload: noFiles, download: noFiles },
    network: bareNetwork
  })
}

/** The channel for hosts that use Effect. Fails when the options cannot work. */
export const layer = (options: WebChatOptions): Layer.Layer<ChatChannel, InvalidProviderOptions> =>
  Layer.effect(ChatChannel, Effect.map(Effect.fromResult(webChatSettings(options)), make))

/**
 * The channel for hosts that know nothing of Effect. Throws `InvalidProviderOptions`, which names every fault.
 * Source: docs/reference/messaging.md#web-chat.
 *
 * @example
 * const channels = [webChat({ secret: "at least 32 characters, the same at every start" })]
 */
export const webChat = (options: WebChatOptions): ChannelProvider =>
  channelProvider(Layer.succeed(ChatChannel, make(Result.getOrThrow(webChatSettings(options)))))
