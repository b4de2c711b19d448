/**
 * The compatible send: the platform's own body, for an account's number, into the conversation and to the platform.
 * Source: docs/reference/messaging.md#compatible-send.
 */
import * as Effect from "effect/Effect"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type { ChannelFailed } from "../channels/ChannelFailed.ts"
import type { Sent } from "../channels/ChatChannel.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { ConnectedNumbers } from "../channels/ConnectedNumbers.ts"
import * as ReplyWindow from "../conversations/ReplyWindow.ts"
import { Customers } from "../customers/Customers.ts"
import type * as Ids from "../MessagingIds.ts"
import { Outgoing } from "../sending/Outgoing.ts"
import type { CompatibleMessage, CompatibleRead } from "./CompatibleBody.ts"
import { CompatibleRefused, compatibleCodes, invalid } from "./CompatibleErrors.ts"

export type CompatibleFailed = CompatibleRefused | ChannelFailed | StorageError

export interface CompatibleSend {
  /**
   * Sends a message of the account's, once, and writes it into the conversation. Refuses a number that is not the account's,
   * and what a closed window does not let through, without asking the platform.
   */
  readonly send: (
    tenantId: Ids.AccountId,
    phoneNumberId: string,
    message: CompatibleMessage
  ) => Effect.Effect<Sent, CompatibleFailed>
  /** Marks a customer's message read. */
  readonly markRead: (
    tenantId: Ids.AccountId,
    phoneNumberId: string,
    read: CompatibleRead
  ) => Effect.Effect<void, CompatibleFailed>
}

export const makeCompatibleSend = Effect.gen(function* () {
  const channels = yield* ChatChannels
  const customers = yield* Customers
  const numbers = yield* ConnectedNumbers
  const outgoing = yield* Outgoing
  const storage = yield* Storage

  const numberOf = (tenantId: Ids.AccountId, phoneNumberId: string) =>
    Effect.catchTag(numbers.owned(tenantId, phoneNumberId), "ConnectedNumberNotFound", ({ id }) =>
      Effect.fail(unknownNumber(id))
    )

  /** Until when the customer's window is or was open; null for one who has never written. */
  const windowOf = (number: ConnectedNumber, { message, person }: CompatibleMessage) =>
    channels.of(number).traits.replyWindowMs !== null && ReplyWindow.isWindowLimited(message.type)
      ? Effect.map(customers.find(number, person), (customer) => customer?.windowExpiresAt ?? null)
      : Effect.succeed(null)

  const send = tracedFn("CompatibleSend.send")(function* (
    tenantId: Ids.AccountId,
    phoneNumberId: string,
    given: CompatibleMessage
  ) {
    const { expiresAt, number } = yield* storage.read(
      Effect.gen(function* () {
        const number = yield* numberOf(tenantId, phoneNumberId)
        return { number, expiresAt: yield* windowOf(number, given) }
      })
    )
    // Who has never written here may have written before the number was connected: only the platform knows.
    if (expiresAt !== null && !ReplyWindow.isOpen(expiresAt, yield* Instant.now)) return yield* windowClosed(expiresAt)
    const { callbackData, message, person, to } = given
    const { accepted } = yield* outgoing.send({ number, person, to, message, callbackData })
    return accepted
  })

  const markRead = tracedFn("CompatibleSend.markRead")(function* (
    tenantId: Ids.AccountId,
    phoneNumberId: string,
    { messageId, typing }: CompatibleRead
  ) {
    const number = yield* storage.read(numberOf(tenantId, phoneNumberId))
    const { channel, connection } = yield* outgoing.senderOf(number)
    yield* channel.markRead(connection, { id: messageId, from: null, typing })
  })

  return { send, markRead } satisfies CompatibleSend
})

const unknownNumber = (phoneNumberId: string): CompatibleRefused =>
  invalid(
    `The phone number id "${phoneNumberId.slice(0, 64)}" does not exist, or not for this account`,
    "Connect the number first, and put the id that the platform shows for it into the path."
  )

const windowClosed = (at: Instant.Instant): CompatibleRefused =>
  new CompatibleRefused({
    code: compatibleCodes.windowClosed,
    message: "More than 24 hours have passed since the customer's last message",
    details: `The window closed at ${Instant.toIso(at)}. Send a template, or wait for the customer to write.`
  })
