/** The chat channels, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidMessage } from "../../messaging/channels/index.ts"
import { type ContentType, contentTypes, digitsOf } from "../../messaging/messages/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import { type NativeMessage, NativeSend, type NativeSent } from "../../messaging/sending/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"
import { type ChannelFilesFacade, channelFilesFacade } from "./ChannelFilesFacade.ts"
import { type ConnectedNumbersFacade, connectedNumbersFacade } from "./ConnectedNumbersFacade.ts"
import { type ConversationsFacade, conversationsFacade } from "./ConversationsFacade.ts"
import { type TemplatesFacade, templatesFacade } from "./TemplatesFacade.ts"

export interface OutgoingMessage {
  /** The platform's id of a connected number. */
  readonly phoneNumberId: string
  /** An international number, however it is punctuated. */
  readonly to?: string | null
  /** Instead of it: the customer as conversations and events say. */
  readonly userId?: string | null
  /** Default `text`. */
  readonly type?: ContentType | null
  /** What stands under the type's name, in the platform's words; a text may be given by itself. */
  readonly content: unknown
  /** The platform's id of the message that it answers. */
  readonly answers?: string | null
}

/** Source: docs/reference/messaging.md. */
export interface MessagingFacade {
  /** Connected numbers and other channels. */
  readonly numbers: ConnectedNumbersFacade
  /** Conversations and their messages. */
  readonly conversations: ConversationsFacade
  /** Sends a message; a long text goes out in parts. Rejects with `window_closed` (422) outside the window. */
  readonly send: (accountId: string, message: OutgoingMessage, options?: CallOptions) => Promise<NativeSent>
  /** Files of messages. */
  readonly files: ChannelFilesFacade
  /** Message templates of the platform. */
  readonly templates: TemplatesFacade
}

const { accountId, callOptions, json, record } = Arguments

const Outgoing = Schema.Struct({
  phoneNumberId: MessagingApi.PlatformId,
  to: Fields.optional(MessagingApi.Recipient),
  userId: Fields.optional(MessagingApi.UserId),
  type: Fields.optional(Schema.Literals(contentTypes)),
  content: json,
  answers: Fields.optional(MessagingApi.MessageId)
})
const outgoing = record("message", Outgoing)

/** What stands under each type's name on the route. */
const contents = new Map(
  contentTypes.map((type) => [
    type,
    Arguments.argument("content", MessagingApi.contents[type] as Schema.Codec<unknown, unknown>)
  ])
)

const message: Arguments.Argument<typeof Outgoing.Type, OutgoingMessage> = {
  read: (given) =>
    Result.flatMap(outgoing.read(given), (read) =>
      Result.map(contents.get(read.type ?? "text")!.read(read.content), () => read)
    )
}

const recipientOf = (
  to: string | null | undefined,
  userId: string | null | undefined
): Effect.Effect<NativeMessage["to"], InvalidMessage> => {
  const digits = to === undefined || to === null ? undefined : digitsOf(to)
  if (digits !== undefined) return Effect.succeed({ _tag: "Phone", digits })
  if (userId !== undefined && userId !== null) return Effect.succeed({ _tag: "User", userId })
  return Effect.fail(new InvalidMessage({ faults: [{ field: "to", message: "Field required, or a userId instead" }] }))
}

/** The room names a content by its type. */
const underContent = (type: ContentType) => (error: InvalidMessage) =>
  new InvalidMessage({
    faults: error.faults.map((fault) => (fault.field === type ? { ...fault, field: "content" } : fault))
  })

export const messagingFacade = (method: Method, channelWord: string): MessagingFacade => ({
  numbers: connectedNumbersFacade(method, channelWord),
  conversations: conversationsFacade(method),
  send: method([accountId, message, callOptions], (tenantId, given) =>
    Effect.gen(function* () {
      const { answers, content, phoneNumberId } = given
      const type = given.type ?? "text"
      const to = yield* recipientOf(given.to, given.userId)
      return yield* Effect.catchTag(
        NativeSend.use((n) => n.send(tenantId, { phoneNumberId, to, type, content, answers: answers ?? null })),
        "InvalidMessage",
        (error) => Effect.fail(underContent(type)(error))
      )
    })
  ),
  files: channelFilesFacade(method),
  templates: templatesFacade(method)
})
