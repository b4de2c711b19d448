/** The chat channel, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Ids, type Paged } from "../kernel/index.ts"
import {
  ConnectedNumbers,
  type ConversationFilter,
  Conversations,
  type ConversationView,
  digitsOf,
  LetterRefused,
  type Message,
  type NativeMessage,
  NativeSend,
  type NativeSent,
  PlatformFiles,
  type PlatformMedia,
  type SendType,
  type ShownNumber,
  type ShownStatus,
  shownStatus,
  type WireObject
} from "../messaging/index.ts"
import { uuid } from "./OutsideId.ts"
import { account, type CallOptions, type PageOptions, page, type Run } from "./Part.ts"

/** A message as it is shown. */
export type MessageRecord = Omit<Message, "status"> & { readonly status: ShownStatus }

export interface OutgoingMessage {
  /** The platform's id of a connected number. */
  readonly phoneNumberId: string
  /** An international number, however it is punctuated. */
  readonly to?: string
  /** Instead of it: the customer as conversations and events say. */
  readonly userId?: string
  /** Default `text`. */
  readonly type?: SendType
  /** What stands under the type's name, in the platform's words; a text may be given by itself. */
  readonly content: unknown
  /** The platform's id of the message that it answers. */
  readonly answers?: string
}

/** Source: docs/messaging.md#numbers and what follows. */
export interface MessagingPart {
  readonly numbers: {
    /** Asks the platform for the account's events, and connects the number; again, it replaces the token. */
    readonly connect: (
      accountId: string,
      number: {
        readonly phoneNumberId: string
        readonly businessAccountId: string
        readonly accessToken: string
        readonly displayPhoneNumber?: string
      },
      options?: CallOptions
    ) => Promise<ShownNumber>
    readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<ShownNumber>
    readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<ShownNumber>>
    readonly change: (
      accountId: string,
      id: string,
      change: { readonly aiAutoreplyEnabled?: boolean },
      options?: CallOptions
    ) => Promise<ShownNumber>
    readonly disconnect: (accountId: string, id: string, options?: CallOptions) => Promise<void>
    /** Null for no agent. */
    readonly linkBot: (
      accountId: string,
      id: string,
      botId: string | null,
      options?: CallOptions
    ) => Promise<ShownNumber>
  }
  readonly conversations: {
    readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<ConversationView>
    /** The one with the latest message first. */
    readonly list: (
      accountId: string,
      filter?: { readonly phoneId?: string; readonly status?: ConversationFilter["status"] } & PageOptions
    ) => Promise<Paged<ConversationView>>
    /** Newest first. */
    readonly messages: (accountId: string, id: string, options?: PageOptions) => Promise<Paged<MessageRecord>>
    /** A person takes it over, or gives it back. */
    readonly setAutoReply: (
      accountId: string,
      id: string,
      isEnabled: boolean,
      options?: CallOptions
    ) => Promise<ConversationView>
  }
  /** Sends a message; a long text goes out in parts. Rejects with `window_closed` (422) outside the window. */
  readonly send: (accountId: string, message: OutgoingMessage, options?: CallOptions) => Promise<NativeSent>
  readonly files: {
    /** Answers the platform's id of the file. */
    readonly upload: (
      accountId: string,
      phoneNumberId: string,
      file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array },
      options?: CallOptions
    ) => Promise<string>
    readonly get: (
      accountId: string,
      phoneNumberId: string,
      mediaId: string,
      options?: CallOptions
    ) => Promise<PlatformMedia>
  }
  /** In the platform's words, in both directions. */
  readonly templates: {
    readonly read: (
      accountId: string,
      phoneNumberId: string,
      query?: Readonly<Record<string, string>>,
      options?: CallOptions
    ) => Promise<WireObject>
    readonly create: (
      accountId: string,
      phoneNumberId: string,
      template: WireObject,
      options?: CallOptions
    ) => Promise<WireObject>
  }
}

const phone = (id: string) => Ids.as<"Phone">(uuid(id))
const conversation = (id: string) => Ids.as<"Conversation">(uuid(id))

const recipientOf = ({ to, userId }: OutgoingMessage): Effect.Effect<NativeMessage["to"], LetterRefused> => {
  const digits = to === undefined ? undefined : digitsOf(to)
  if (digits !== undefined) return Effect.succeed({ _tag: "Phone", digits })
  if (to === undefined && userId !== undefined) return Effect.succeed({ _tag: "User", userId })
  const message = "Expected an international phone number of 6 to 15 digits, or a userId instead"
  return Effect.fail(new LetterRefused({ faults: [{ field: "to", message }] }))
}

const shown = (message: Message): MessageRecord => ({ ...message, status: shownStatus(message.status) })

export const messagingPart = (run: Run): MessagingPart => ({
  numbers: {
    connect: async (accountId, { accessToken, displayPhoneNumber = null, ...number }, o) => {
      const connection = { ...number, displayPhoneNumber, token: Redacted.make(accessToken) }
      const connected = await run(
        ConnectedNumbers.use((n) => n.connect(account(accountId), connection)),
        o
      )
      return connected.number
    },
    get: async (accountId, id, o) =>
      run(
        ConnectedNumbers.use((n) => n.get(account(accountId), phone(id))),
        o
      ),
    list: async (accountId, o) =>
      run(
        ConnectedNumbers.use((n) => n.list(account(accountId), page(o))),
        o
      ),
    change: async (accountId, id, change, o) =>
      run(
        ConnectedNumbers.use((n) => n.change(account(accountId), phone(id), change)),
        o
      ),
    disconnect: async (accountId, id, o) =>
      run(
        ConnectedNumbers.use((n) => n.disconnect(account(accountId), phone(id))),
        o
      ),
    linkBot: async (accountId, id, botId, o) =>
      run(
        ConnectedNumbers.use((n) =>
          n.linkBot(account(accountId), phone(id), botId === null ? null : Ids.as<"Bot">(uuid(botId)))
        ),
        o
      )
  },
  conversations: {
    get: async (accountId, id, o) =>
      run(
        Conversations.use((c) => c.get(account(accountId), conversation(id))),
        o
      ),
    list: async (accountId, { phoneId, status = null, ...o } = {}) => {
      const filter = { phoneId: phoneId === undefined ? null : phone(phoneId), status }
      return run(
        Conversations.use((c) => c.list(account(accountId), filter, page(o))),
        o
      )
    },
    messages: async (accountId, id, o) => {
      const found = await run(
        Conversations.use((c) => c.messages(account(accountId), conversation(id), page(o))),
        o
      )
      return { ...found, items: found.items.map(shown) }
    },
    setAutoReply: async (accountId, id, isEnabled, o) =>
      run(
        Conversations.use((c) => c.setAutoReply(account(accountId), conversation(id), isEnabled)),
        o
      )
  },
  send: async (accountId, message, o) =>
    run(
      Effect.gen(function* () {
        const { answers, content, phoneNumberId, type = "text" } = message
        const context = answers === undefined ? null : { message_id: answers }
        const wanted = { phoneNumberId, to: yield* recipientOf(message), type, content, context }
        return yield* NativeSend.use((n) => n.send(account(accountId), wanted))
      }),
      o
    ),
  files: {
    upload: async (accountId, phoneNumberId, file, o) =>
      run(
        PlatformFiles.use((f) => f.upload(account(accountId), phoneNumberId, file)),
        o
      ),
    get: async (accountId, phoneNumberId, mediaId, o) =>
      run(
        PlatformFiles.use((f) => f.file(account(accountId), phoneNumberId, mediaId)),
        o
      )
  },
  templates: {
    read: async (accountId, phoneNumberId, query = {}, o) =>
      run(
        PlatformFiles.use((f) => f.templates(account(accountId), phoneNumberId, query)),
        o
      ),
    create: async (accountId, phoneNumberId, template, o) =>
      run(
        PlatformFiles.use((f) => f.createTemplate(account(accountId), phoneNumberId, template)),
        o
      )
  }
})
