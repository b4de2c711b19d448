/** A conversation as a model reads it: messages in words, with what they answer, and the pictures that it may see. Source: docs/reference/messaging.md#replies. */
import * as Effect from "effect/Effect"
import type { HistoryMessage } from "../../agents/replying/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import type { Customer } from "../customers/Customer.ts"
import type * as Ids from "../MessagingIds.ts"
import { contentOf } from "../messages/ContentTranslation.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { FileRoom } from "../sending/FileRoom.ts"
import type { Sender } from "../sending/Outgoing.ts"

/** Messages of a customer that a model gets, the last ones. */
const maxHistory = 60

/** Pictures of a message group that a model gets, the last ones, and the bytes of each. */
const maxImages = 4
const maxImageBytes = 5 * 1024 * 1024

/** Characters that are quoted of a message that another one answers. */
const maxQuote = 200

type Images = HistoryMessage["images"]

/** The message group that waits for a reply, and whether the model sees. */
interface Group {
  readonly customer: Customer
  readonly pending: ReadonlyArray<Message>
  readonly seesImages: boolean
}

/** Makes what loads a customer's history up to a message group, without what came after it: that gets a reply of its own. */
export const conversationHistory = Effect.gen(function* () {
  const messages = yield* MessageStore
  const room = yield* FileRoom
  const storage = yield* Storage

  /** Pictures of the group; one that cannot be fetched is left out. */
  const imagesOf = Effect.fnUntraced(function* ({ channel, connection }: Sender, pending: ReadonlyArray<Message>) {
    const found = new Map<Ids.MessageId, Images>()
    for (const message of pending.filter(({ type }) => type === "image").slice(-maxImages)) {
      const content = contentOf(message.type, message.body)
      if (content._tag !== "Media" || !("id" in content.file)) continue
      const { id } = content.file
      const image = yield* Effect.option(
        room.within(message.tenantId, maxImageBytes, channel.files.download(connection, id, maxImageBytes))
      )
      if (image._tag === "Some") found.set(message.id, [image.value])
    }
    return found
  })

  return Effect.fnUntraced(function* ({ customer, pending, seesImages }: Group, sender: Sender) {
    const stored = yield* storage.read(messages.history(customer.id, maxHistory))
    const all = known(stored, pending)
    // What was to be answered was deleted meanwhile.
    if (!all.some(({ id }) => pending.some((message) => message.id === id))) return null
    const images = seesImages ? yield* imagesOf(sender, pending) : new Map<Ids.MessageId, Images>()
    return historyOf(all, images)
  })
})

/**
 * Without what came after the group, what the customer never got, and what was deleted. The group stands last: a reply to earlier
 * messages that was committed meanwhile does not answer it.
 */
const known = (stored: ReadonlyArray<Message>, pending: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const group = new Set(pending.map(({ id }) => id))
  const end = stored.findLastIndex(({ id }) => id === pending.at(-1)!.id)
  const isLater = ({ direction }: Message, nth: number) => direction === "inbound" && end !== -1 && nth > end
  const read = stored.filter(
    (message, nth) => message.status !== "failed" && message.deletedAt === null && !isLater(message, nth)
  )
  return [...read.filter(({ id }) => !group.has(id)), ...read.filter(({ id }) => group.has(id))]
}

const historyOf = (
  messages: ReadonlyArray<Message>,
  images: ReadonlyMap<Ids.MessageId, Images>
): ReadonlyArray<HistoryMessage> => {
  const byMsgid = new Map(messages.map((message) => [message.msgid, message]))
  return messages.map((message) => {
    const pictures = images.get(message.id) ?? []
    const words = pictures.length > 0 ? (message.text ?? "") : wordsOf(message)
    const answered = message.context === null ? undefined : byMsgid.get(message.context)
    const text = answered === undefined ? words : `${quoteOf(answered)}\n${words}`
    return { role: message.role, text, images: pictures }
  })
}

/** What a model reads of a message. What has no words shows at least its type. */
const wordsOf = ({ text, type }: Message): string => {
  if (text === null || text.trim() === "") return `[${type}]`
  return captioned.has(type) ? `[${type}] ${text}` : text
}

const captioned: ReadonlySet<string> = new Set(["image", "video", "document"])

/** Stands before the words of a message that answers another one: “this one” says nothing without it. */
const quoteOf = (answered: Message): string => {
  const words = wordsOf(answered).replace(/\s+/g, " ")
  const short = words.length > maxQuote ? `${words.slice(0, maxQuote).toWellFormed()}…` : words
  return `[in answer to: ${short}]`
}
