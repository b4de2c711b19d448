/** Sending for callers of the API: within the window, in parts where a text is long. Source: docs/reference/messaging.md#sending. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Doer } from "../../platform/accounts/index.ts"
import { Instant, isObject } from "../../platform/kernel/index.ts"
import { type Read, Storage, type StorageError } from "../../platform/storage/index.ts"
import type { Recipient } from "../channels/ChannelConnection.ts"
import { type ChannelFailed, isRetryable } from "../channels/ChannelFailed.ts"
import type { Sent } from "../channels/ChatChannel.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { ConnectedNumbers } from "../channels/ConnectedNumbers.ts"
import {
  askChannel,
  type ConnectedNumberNotFound,
  channelLacks,
  InvalidMessage,
  OptedOut,
  PlatformMissing,
  type PlatformTrouble,
  WindowClosed
} from "../channels/MessagingErrors.ts"
import { TemplateCategories } from "../channels/TemplateCategories.ts"
import { isOpen, isWindowLimited } from "../conversations/ReplyWindow.ts"
import type { Customer } from "../customers/Customer.ts"
import type { Person } from "../customers/CustomerIdentity.ts"
import { Customers } from "../customers/Customers.ts"
import type * as Ids from "../MessagingIds.ts"
import { flowTokenOf, withFlowToken } from "../messages/FlowToken.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import { productListFault } from "../messages/ProductList.ts"
import {
  type ContentType,
  digitsOf,
  type PublicContent,
  type PublicMessage,
  parseContent
} from "../messages/PublicContent.ts"
import { OptOutList } from "../opt-outs/index.ts"
import { type ClaimWith, noRetry, Outgoing, type RetryPolicy } from "./Outgoing.ts"

export interface NativeMessage {
  readonly phoneNumberId: string
  /** Whom it goes to: the digits of a phone, or the person as conversations and events call them. */
  readonly to: { readonly _tag: "Phone"; readonly digits: string } | { readonly _tag: "User"; readonly userId: string }
  readonly type: ContentType
  /** What stands under the type's name; a text may be given by itself. */
  readonly content: unknown
  /** The channel's id of the message that it answers; null where it answers none. */
  readonly answers: string | null
  /** The person who sends it; left out for a program. */
  readonly sentBy?: Doer | null
}

export interface NativeSent {
  /** The channel's ids, in the order of the parts. */
  readonly msgids: readonly [string, ...ReadonlyArray<string>]
  readonly contacts: ReadonlyArray<{ readonly input: string; readonly userId: string }>
}

/** How long the parts after the first are retried, in all, over the whole of a text. */
const maxBackoffMs = 10 * Instant.second

type NativeFailed =
  | ConnectedNumberNotFound
  | InvalidMessage
  | OptedOut
  | PlatformMissing
  | PlatformTrouble
  | StorageError
  | WindowClosed

export class NativeSend extends Context.Service<
  NativeSend,
  {
    /**
     * Sends a message, once, into the conversation with its recipient. A text that is longer than a message may be goes out
     * in parts, one after the other: what has begun is not interrupted, and a failure says how many parts were sent.
     * `claim` is written with the first part.
     */
    readonly send: <E extends { readonly _tag: string } = never>(
      tenantId: Ids.AccountId,
      message: NativeMessage,
      claim?: ClaimWith<E>
    ) => Effect.Effect<NativeSent, E | NativeFailed>
  }
>()("@trunkline/core/messaging/sending/NativeSend") {
  static readonly layer = Layer.effect(
    NativeSend,
    Effect.gen(function* () {
      const customers = yield* Customers
      const channels = yield* ChatChannels
      const numbers = yield* ConnectedNumbers
      const categories = yield* TemplateCategories
      const optOuts = yield* OptOutList
      const outgoing = yield* Outgoing
      const storage = yield* Storage

      /** Who is meant, and the customer that they are, if they ever had to do with the number. */
      const addressee = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        to: NativeMessage["to"]
      ): Effect.fn.Return<{ readonly person: Person; readonly customer: Customer | null }, StorageError, Read> {
        const named = personOf(to._tag === "Phone" ? { phone: to.digits } : { userRef: to.userId })
        const customer = yield* customers.find(number, named)
        // Where the platform has no id of a person, we call them by their digits.
        const digits = to._tag === "User" && customer === null ? digitsOf(to.userId) : undefined
        if (digits === undefined) return { person: named, customer }
        const person = personOf({ phone: digits })
        return { person, customer: yield* customers.find(number, person) }
      })

      const sendParts = Effect.fnUntraced(function* <E extends { readonly _tag: string }>(
        { number, person, to }: Addressed,
        contents: ReadonlyArray<PublicContent>,
        { answers, sentBy = null }: Pick<NativeMessage, "answers" | "sentBy">,
        claim: ClaimWith<E> | undefined
      ) {
        const sent: Array<Sent> = []
        const hasFlows = channels.of(number).network.flows !== null
        const budget = retryBudget(maxBackoffMs)
        for (const [nth, content] of contents.entries()) {
          // One quotation is enough.
          const flow = hasFlows ? flowOf(content) : null
          const message: PublicMessage = {
            ...content,
            ...flow?.content,
            answers: nth === 0 ? answers : null,
            options: {}
          }
          const one = outgoing.send(
            {
              ...{ number, person, to, message, callbackData: null, sentBy, flowToken: flow?.token ?? null },
              claim: nth === 0 ? claim : undefined
            },
            nth === 0 ? noRetry : budget
          )
          sent.push((yield* askChannel(one, { sent: nth, parts: contents.length })).accepted)
        }
        return sent
      }, Effect.uninterruptible)

      /** True of a marketing template to somebody who has opted out of them. */
      const isUnwanted = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        [first]: ReadonlyArray<PublicContent>,
        { phone, userRef: userId }: Pick<Person, "phone" | "userRef">
      ) {
        const template = first?.type === "template" ? templateOf(first.body) : null
        if (template === null || (yield* categories.of(number, template)) !== "MARKETING") return false
        const { phoneNumberId, tenantId } = number
        return yield* optOuts.keeps(tenantId, { phone, userId }, { phoneNumberId, category: "MARKETING" })
      })

      const send = Effect.fnUntraced(function* <E extends { readonly _tag: string } = never>(
        tenantId: Ids.AccountId,
        message: NativeMessage,
        claim?: ClaimWith<E>
      ) {
        if (channels.standard === null) return yield* new PlatformMissing()
        const { phoneNumberId, to, type } = message
        yield* contentsOf(message, Number.MAX_SAFE_INTEGER)
        const { customer, number, person } = yield* storage.read(
          Effect.gen(function* () {
            const number = yield* numbers.owned(tenantId, phoneNumberId)
            return { number, ...(yield* addressee(number, to)) }
          })
        )
        const { traits } = channels.of(number)
        if (!traits.contents.includes(type)) return yield* channelLacks(`messages of the type ${type}`)
        const { replyWindowMs } = traits
        const closedAt = customer?.windowExpiresAt ?? null
        if (replyWindowMs !== null && isWindowLimited(type) && !isOpen(closedAt, yield* Instant.now)) {
          return yield* new WindowClosed({ closedAt, replyWindowMs })
        }
        const contents = yield* contentsOf(message, traits.maxTextLength)
        if (yield* storage.read(isUnwanted(number, contents, customer ?? person))) return yield* new OptedOut()
        const phone = person.phone ?? customer?.phone ?? null
        const recipient: Recipient = phone === null ? { _tag: "User", id: person.userRef! } : { _tag: "Phone", phone }
        const sent = yield* sendParts({ number, person, to: recipient }, contents, message, claim)
        const [first, ...others] = sent.map(({ id }) => id)
        const input = phone ?? person.userRef!
        const contact = sent[0]!.contact
        return {
          msgids: [first!, ...others],
          contacts: [
            { input: contact?.input ?? input, userId: contact?.userRef ?? contact?.phone ?? person.userRef ?? input }
          ]
        } satisfies NativeSent
      })

      return NativeSend.of({ send })
    })
  )
}

/** A content with a token for the flow that it sends; null where it needs none. */
const flowOf = (content: PublicContent) => {
  const token = flowTokenOf(crypto.getRandomValues(new Uint8Array(16)))
  const body = withFlowToken(content, token)
  return body === null ? null : { token, content: { body } }
}

/** Which template a content sends; null where it does not say. */
const templateOf = (body: JsonObject): { readonly name: string; readonly language: string } | null => {
  const { language, name } = body
  const code = isObject(language) ? language.code : language
  return typeof name === "string" && typeof code === "string" ? { name, language: code } : null
}

const personOf = (given: Partial<Person>): Person => ({ phone: null, userRef: null, name: null, ...given })

/** Whom the parts of a message go to, and from which number. */
interface Addressed {
  readonly number: ConnectedNumber
  readonly person: Person
  readonly to: Recipient
}

const contentsOf = ({ content, type }: NativeMessage, maxTextLength: number) =>
  Effect.mapError(
    Effect.filterOrFail(
      Effect.fromResult(parseContent(type, content, maxTextLength)),
      ([first]) => faultOfList(first) === null,
      ([first]) => faultOfList(first)!
    ),
    (fault) => new InvalidMessage({ faults: [fault] })
  )

const faultOfList = (content: PublicContent | undefined) =>
  content?.type === "interactive" ? productListFault(content.body) : null

/** Milliseconds until the retry of a part that failed for the `times`-th time; null when there is no further retry. */
const waitAfter = (failed: ChannelFailed, times: number, leftMs: number): number | null => {
  if (!isRetryable(failed)) return null
  const retryAfter = failed._tag === "ChannelRefused" ? failed.retryAfterSeconds : null
  const wait = retryAfter === null ? Math.min(2 ** (times - 1) * Instant.second, leftMs) : retryAfter * Instant.second
  return wait > 0 && wait <= leftMs ? wait : null
}

/** Retries until the waits add up to `maxMs`, over all requests that are made with it. */
const retryBudget = (maxMs: number): RetryPolicy => {
  let left = maxMs
  return Effect.fnUntraced(function* (once) {
    for (let times = 1; ; times += 1) {
      const sent = yield* Effect.result(once)
      if (sent._tag === "Success") return sent.success
      const wait = waitAfter(sent.failure, times, left)
      if (wait === null) return yield* sent.failure
      left -= wait
      yield* Effect.sleep(wait)
    }
  })
}
