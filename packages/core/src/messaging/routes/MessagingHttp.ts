/** Handlers of connected numbers, conversations, sending and files. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { botErrors } from "../../agents/bots/index.ts"
import { CurrentPrincipal, doerOf, subjectOf } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering, NotFound } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import { PhoneNumber, personSearch } from "../../platform/numbers/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import type { ChannelFile } from "../channels/ChannelConnection.ts"
import type { ChatChannel } from "../channels/ChatChannel.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import { ConnectedNumberRecord } from "../channels/ConnectedNumber.ts"
import { ConnectedNumbers, type ShownNumber } from "../channels/ConnectedNumbers.ts"
import { InvalidMessage, messagingErrors } from "../channels/MessagingErrors.ts"
import { platformRecord } from "../channels/NumberFactsRecord.ts"
import type { Assignee } from "../conversations/Assignment.ts"
import { ConversationRecord, type ConversationView, shownConversation } from "../conversations/Conversation.ts"
import type { AssignedTo, ConversationFilter } from "../conversations/ConversationStore.ts"
import { Conversations } from "../conversations/Conversations.ts"
import { userIdOf } from "../customers/MessagingEvents.ts"
import { inboundPathOf } from "../inbound/InboundApi.ts"
import { type Message, MessageRecord, shownMessage } from "../messages/Message.ts"
import { digitsOf } from "../messages/PublicContent.ts"
import { type NativeMessage, NativeSend } from "../sending/NativeSend.ts"
import { maxBytesOf, PlatformFiles } from "../sending/PlatformFiles.ts"
import { messagingGroups } from "./MessagingGroups.ts"
import { receivedFile } from "./ReceivedFileHttp.ts"

const answer = answering({ ...botErrors, ...messagingErrors, ...storageErrors })

/** The first of two answers is that something was made; this is the other. */
const nothingNew = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setStatus(response, 200))
)

const apiOf = (brand: Brand) => contract.add(...messagingGroups(brand))
type Api = ReturnType<typeof apiOf>

const numbers = (api: Api, channelWord: string) =>
  RouteHandlers.group(
    api,
    "connectedNumbers",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* ConnectedNumbers
      return handlers.handleAll({
        connect: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const { isNew, number } = yield* answer(
            service.connect(tenantId, {
              phoneNumberId: payload.phone_number_id,
              businessAccountId: payload.business_account_id,
              displayPhoneNumber: payload.display_phone_number ?? null,
              token: Redacted.make(payload.access_token),
              inboundPath: inboundPathOf(channelWord)
            })
          )
          if (!isNew) yield* nothingNew
          return numberRecord(number)
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(service.list(tenantId, pageOf(query, 100))), numberRecord)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return numberRecord(yield* answer(service.get(tenantId, params.phone_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return numberRecord(yield* answer(service.change(tenantId, params.phone_id, Wire.fromWire(payload))))
        }),
        disconnect: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(service.disconnect(tenantId, params.phone_id))
        }),
        linkBot: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return numberRecord(yield* answer(service.linkBot(tenantId, params.phone_id, payload.bot_id)))
        })
      })
    })
  )

const channels = (api: Api, channelWord: string) =>
  RouteHandlers.group(
    api,
    "channels",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* ConnectedNumbers
      const all = yield* ChatChannels
      return handlers.handleAll({
        list: () => list({ items: all.all, total: all.all.length }, (one) => channelRecord(one, one === all.standard)),
        connect: Effect.fnUntraced(function* ({ params: { channel }, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          if (all.find(channel) === null) {
            return yield* new NotFound({ detail: `This installation has no channel "${channel}"` })
          }
          const { access_token: token, settings } = payload
          const { isNew, number } = yield* answer(
            service.connectTo(tenantId, {
              channel,
              credentials: token === undefined || token === null ? null : Redacted.make(token),
              settings: settings ?? {},
              inboundPath: inboundPathOf(channelWord, channel)
            })
          )
          if (!isNew) yield* nothingNew
          return numberRecord(number)
        })
      })
    })
  )

const channelRecord = ({ kind, network: { templates }, traits }: ChatChannel["Service"], isStandard: boolean) => ({
  channel: kind,
  is_standard: isStandard,
  reply_window_seconds: traits.replyWindowMs === null ? null : traits.replyWindowMs / Instant.second,
  max_text_length: traits.maxTextLength,
  contents: [...traits.contents],
  max_file_bytes: traits.maxFileBytes,
  typing: traits.typing,
  read_marks: traits.readMarks,
  statuses: traits.statuses,
  echoes: traits.echoes,
  proves_numbers: traits.provesNumbers,
  templates: templates !== null
})

const conversations = (api: Api) =>
  RouteHandlers.group(
    api,
    "conversations",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Conversations
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { assigned_to: assigned, ...asked } = query
          const subject = assigned === "me" ? subjectOf(caller) : assigned
          const filter = filterOf(
            Wire.fromWire({ ...asked, ...(subject === undefined ? {} : { assigned_to: subject }) })
          )
          const found = filter === null ? nobody : yield* answer(service.list(tenantId, filter, pageOf(query, 100)))
          return yield* list(found, conversationRecord)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return conversationRecord(yield* answer(service.get(tenantId, params.conversation_id)))
        }),
        listMessages: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { before = null } = query
          const found = service.messages(tenantId, params.conversation_id, before, pageOf(query, 100))
          return yield* list(yield* answer(found), messageRecord)
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { ai_autoreply_enabled: aiAutoreplyEnabled, assigned_to: to, force: isForced = false } = payload
          const change = {
            ...(aiAutoreplyEnabled === undefined ? {} : { aiAutoreplyEnabled }),
            ...(to === undefined ? {} : { assignedTo: assigneeOf(to), isForced })
          }
          return conversationRecord(yield* answer(service.change(tenantId, params.conversation_id, change, caller)))
        }),
        read: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(service.markRead(tenantId, params.conversation_id))
        })
      })
    })
  )

interface AskedConversations {
  readonly phoneId?: ConversationFilter["phoneId"]
  readonly status?: ConversationFilter["status"]
  readonly unread?: boolean
  readonly needsPerson?: boolean
  /** Somebody's id, or `none`. */
  readonly assignedTo?: string
  readonly phone?: string
  readonly q?: string
}

/** Which conversations are asked for; null for none, where the number is nobody's. */
export const filterOf = (asked: AskedConversations): ConversationFilter | null => {
  const { assignedTo, needsPerson = null, phone, phoneId = null, q, status = null, unread = null } = asked
  const number = phone === undefined ? null : PhoneNumber.usable(phone)
  if (number === undefined) return null
  return {
    phoneId,
    status,
    isUnread: unread,
    needsPerson,
    assignedTo: assignedTo === undefined ? null : assignedOf(assignedTo),
    customer: number === null ? null : number.key,
    search: q === undefined ? null : personSearch(q, 1)
  }
}

const assignedOf = (subject: string): AssignedTo =>
  subject === "none" ? { _tag: "Nobody" } : { _tag: "Subject", subject }

const assigneeOf = (to: string | null): Assignee => {
  if (to === null) return { _tag: "Nobody" }
  return to === "me" ? { _tag: "Caller" } : { _tag: "Subject", subject: to }
}

const nobody: Paged<ConversationView> = { items: [], total: 0 }

/** Whom a message goes to: a phone, or a person as we call them. */
export const recipientOf = (to: string | undefined, userId: string | undefined): NativeMessage["to"] | null => {
  const digits = to === undefined ? undefined : digitsOf(to)
  if (digits !== undefined) return { _tag: "Phone", digits }
  return userId === undefined ? null : { _tag: "User", userId }
}

const messages = (api: Api) =>
  RouteHandlers.group(
    api,
    "chatMessages",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* NativeSend
      return handlers.handleAll({
        send: Effect.fnUntraced(function* ({ payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const to = recipientOf(payload.to ?? undefined, payload.user_id ?? undefined)
          if (to === null) {
            return yield* answer(
              Effect.fail(new InvalidMessage({ faults: [{ field: "to", message: "Field required" }] }))
            )
          }
          const type = payload.type ?? "text"
          const { contacts, msgids } = yield* answer(
            service.send(tenantId, {
              phoneNumberId: payload.phone_number_id,
              to,
              type,
              content: payload[type],
              answers: payload.context?.message_id ?? null,
              sentBy: caller._tag === "Key" ? null : doerOf(caller)
            })
          )
          return {
            msgid: msgids[0],
            msgids,
            contacts: contacts.map(({ input, userId }) => ({ input, user_id: userId }))
          }
        })
      })
    })
  )

/** What a header may hold, and nothing that a browser would run. */
const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w.+-]{1,100}=[\w.+-]{1,100})*$/

/** A file of a customer is never shown as a page of our origin. */
const fileAnswer = ({ bytes, contentType }: ChannelFile): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: mediaType.test(contentType) ? contentType : "application/octet-stream",
    headers: {
      "cache-control": "private, no-store",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff"
    }
  })

const media = (api: Api) =>
  RouteHandlers.group(
    api,
    "chatMedia",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* PlatformFiles
      return handlers.handleAll({
        upload: RouteHandlers.withForm(
          ({ request }) => receivedFile(service, request, maxBytesOf),
          Effect.fnUntraced(function* ({ form: { phoneNumberId, ...file } }) {
            const { tenantId } = yield* CurrentPrincipal
            return { id: yield* answer(service.upload(tenantId, phoneNumberId, file)) }
          })
        ),
        get: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return fileAnswer(yield* answer(service.file(tenantId, query.phone_number_id, params.media_id)))
        })
      })
    })
  )

export const layer = (brand: Brand) => {
  const api = apiOf(brand)
  return Layer.mergeAll(
    channels(api, brand.channel),
    numbers(api, brand.channel),
    conversations(api),
    messages(api),
    media(api)
  )
}

export const numberRecord = (number: ShownNumber) => ({
  ...ConnectedNumberRecord.toWire(number),
  platform: number.platform === null ? null : platformRecord(number.platform)
})

export const conversationRecord = (view: ConversationView) =>
  ConversationRecord.toWire({ ...shownConversation(view), userId: userIdOf(view) })

export const messageRecord = (message: Message) => MessageRecord.toWire(shownMessage(message))
