/** What was said, as a model hears it: messages in words, with what they answer, and the pictures that it may see. Source: docs/messaging.md#replies. */
import * as Effect from "effect/Effect"
import type { Said } from "../bots/index.ts"
import type { Ids } from "../kernel/index.ts"
import { Storage } from "../storage/index.ts"
import { ChatPlatform } from "./ChatPlatform.ts"
import { ConversationStore, type Customer } from "./ConversationStore.ts"
import type { Message } from "./Message.ts"
import type { Sender } from "./Outgoing.ts"

/** Of a customer's talk, what a model gets to see. */
const mostHistory = 60

/** Pictures of a burst that a model gets, the last ones, and the bytes of each. */
const mostImages = 4
const imageBytes = 5 * 1024 * 1024

/** Of a message that another one answers, so much is said again. */
const longestQuote = 200

/** What is to be answered, and whether the model sees. */
interface Burst {
  readonly pending: ReadonlyArray<Message>
  readonly seesImages: boolean
}

/** Makes what tells a customer's talk up to a burst, without what came after it: that will be answered by itself. */
export const talks = Effect.gen(function* () {
  const platform = yield* ChatPlatform
  const storage = yield* Storage
  const store = yield* ConversationStore

  /** Pictures of the burst; one that cannot be had is left out. */
  const imagesOf = Effect.fnUntraced(function* ({ to }: Sender, pending: ReadonlyArray<Message>) {
    const found = new Map<Ids.MessageId, Said["images"]>()
    for (const message of pending.filter(({ type }) => type === "image").slice(-mostImages)) {
      const { id } = message.body
      if (typeof id !== "string") continue
      const image = yield* Effect.option(platform.media(to, id, imageBytes))
      if (image._tag === "Some") found.set(message.id, [image.value])
    }
    return found
  })

  return Effect.fnUntraced(function* ({ pending, seesImages }: Burst, sender: Sender, customer: Customer) {
    const talk = yield* storage.read(store.history(customer.id, mostHistory))
    const end = talk.findLastIndex(({ id }) => id === pending.at(-1)!.id)
    const isNews = ({ direction }: Message, nth: number) => direction === "inbound" && end !== -1 && nth > end
    // What the customer never got was not said.
    const known = talk.filter((message, nth) => message.status !== "failed" && !isNews(message, nth))
    const images = seesImages ? yield* imagesOf(sender, pending) : new Map<Ids.MessageId, Said["images"]>()
    const byMsgid = new Map(known.map((message) => [message.msgid, message]))
    return known.map((message): Said => {
      const pictures = images.get(message.id) ?? []
      const words = pictures.length > 0 ? (message.text ?? "") : wordsOf(message)
      const answered = message.context === null ? undefined : byMsgid.get(message.context)
      return {
        role: message.role,
        text: answered === undefined ? words : `${quoteOf(answered)}\n${words}`,
        images: pictures
      }
    })
  })
})

/** What a model reads of a message. What has no words says at least what it is. */
const wordsOf = ({ text, type }: Message): string => {
  if (text === null || text.trim() === "") return `[${type}]`
  return captioned.has(type) ? `[${type}] ${text}` : text
}

const captioned: ReadonlySet<string> = new Set(["image", "video", "document"])

/** What stands before the words of a message that answers another one: “this one” says nothing without it. */
const quoteOf = (answered: Message): string => {
  const words = wordsOf(answered).replace(/\s+/g, " ")
  const short = words.length > longestQuote ? `${words.slice(0, longestQuote).toWellFormed()}…` : words
  return `[in answer to: ${short}]`
}
