/**
 * The compatible send: the platform's own body, for an account's number, into the conversation and to the platform.
 * Source: docs/messaging.md#compatible-send.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { type Accepted, ChatPlatform, type PlatformFailed } from "./ChatPlatform.ts"
import type { CompatibleMessage, CompatibleRead } from "./CompatibleBody.ts"
import { CompatibleRefused, compatibleCodes, invalid } from "./CompatibleErrors.ts"
import { type ConnectedNumber, ConnectedNumberStore } from "./ConnectedNumber.ts"
import { Customers } from "./Customers.ts"
import { Outgoing } from "./Outgoing.ts"
import { isOpen, isWindowLimited } from "./ReplyWindow.ts"

export type CompatibleFailed = CompatibleRefused | PlatformFailed | StorageError

export class CompatibleSend extends Context.Service<
  CompatibleSend,
  {
    /**
     * Sends a message of the account's, once, and writes it into the conversation. Refuses a number that is not the account's,
     * and what a closed window does not let through, without asking the platform.
     */
    readonly send: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      message: CompatibleMessage
    ) => Effect.Effect<Accepted, CompatibleFailed>
    /** Marks a customer's message read. */
    readonly markRead: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      read: CompatibleRead
    ) => Effect.Effect<void, CompatibleFailed>
  }
>()("@trunkline/core/messaging/CompatibleSend") {
  static readonly layer = Layer.effect(
    CompatibleSend,
    Effect.gen(function* () {
      const customers = yield* Customers
      const numbers = yield* ConnectedNumberStore
      const outgoing = yield* Outgoing
      const platform = yield* ChatPlatform
      const storage = yield* Storage

      const numberOf = Effect.fnUntraced(function* (tenantId: Ids.AccountId, phoneNumberId: string) {
        const number = yield* storage.read(numbers.connected(phoneNumberId))
        // One answer for both: whose a number is, is nobody else's business.
        return number?.tenantId === tenantId ? number : yield* unknownNumber(phoneNumberId)
      })

      /** A customer who has never written may have written before the number was connected: only the platform knows. */
      const refuseClosed = Effect.fnUntraced(function* (number: ConnectedNumber, message: CompatibleMessage) {
        if (!isWindowLimited(message.letter.type)) return
        const customer = yield* storage.read(customers.find(number, message.person))
        const expiresAt = customer?.windowExpiresAt ?? null
        if (expiresAt !== null && !isOpen(expiresAt, yield* Instant.now)) yield* windowClosed(expiresAt)
      })

      const send = Effect.fn("CompatibleSend.send")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        message: CompatibleMessage
      ) {
        const number = yield* numberOf(tenantId, phoneNumberId)
        yield* refuseClosed(number, message)
        const { accepted } = yield* outgoing.send(number, message.person, message.letter, message.wire)
        return accepted
      })

      const markRead = Effect.fn("CompatibleSend.markRead")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        { messageId, typing }: CompatibleRead
      ) {
        const number = yield* numberOf(tenantId, phoneNumberId)
        yield* platform.markRead(yield* outgoing.platformNumber(number), messageId, typing)
      })

      return CompatibleSend.of({ send, markRead })
    })
  )
}

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
