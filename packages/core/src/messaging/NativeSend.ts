/** Sending for callers of the API: within the window, in parts where a text is long. Source: docs/messaging.md#sending. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Ids, Instant } from "../kernel/index.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"
import type { Accepted, PlatformFailed, WireObject } from "./ChatPlatform.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import { ConnectedNumbers } from "./ConnectedNumbers.ts"
import type { Customer } from "./Customer.ts"
import type { Person } from "./CustomerIdentity.ts"
import { Customers } from "./Customers.ts"
import { contextOf } from "./Message.ts"
import {
  asked,
  type ConnectedNumberNotFound,
  LetterRefused,
  PlatformConfigured,
  PlatformMissing,
  type PlatformTrouble,
  WindowClosed
} from "./MessagingErrors.ts"
import { digitsOf, type Part, partsOf, type SendType } from "./NativeLetter.ts"
import { type Attempts, justOnce, Outgoing } from "./Outgoing.ts"
import { isInDoubt, kindOf } from "./PlatformCodes.ts"
import { isOpen, isWindowLimited } from "./ReplyWindow.ts"

export interface NativeMessage {
  readonly phoneNumberId: string
  /** Whom it goes to: the digits of a phone, or the person as conversations and events call them. */
  readonly to: { readonly _tag: "Phone"; readonly digits: string } | { readonly _tag: "User"; readonly userId: string }
  readonly type: SendType
  /** What stands under the type's name; a text may be given by itself. */
  readonly content: unknown
  /** What it answers, in the platform's words; null where it answers nothing. */
  readonly context: WireObject | null
}

export interface NativeSent {
  /** The platform's ids, in the order of the parts. */
  readonly msgids: readonly [string, ...ReadonlyArray<string>]
  readonly contacts: ReadonlyArray<{ readonly input: string; readonly userId: string }>
}

/** A part that is not the first is tried again for so long, over the whole of a text. */
const mostBackoffMs = 10 * Instant.second

export type NativeFailed =
  | ConnectedNumberNotFound
  | LetterRefused
  | PlatformMissing
  | PlatformTrouble
  | StorageError
  | WindowClosed

export class NativeSend extends Context.Service<
  NativeSend,
  {
    /**
     * Sends a message, once, into the conversation with whoever it goes to. A text that is longer than a message may be goes out
     * in parts, one after the other: what has begun is not interrupted, and a failure tells how many parts were sent.
     */
    readonly send: (tenantId: Ids.AccountId, message: NativeMessage) => Effect.Effect<NativeSent, NativeFailed>
  }
>()("@trunkline/core/messaging/NativeSend") {
  static readonly layer = Layer.effect(
    NativeSend,
    Effect.gen(function* () {
      const customers = yield* Customers
      const isConfigured = yield* PlatformConfigured
      const numbers = yield* ConnectedNumbers
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

      const sendParts = Effect.fnUntraced(function* (
        number: ConnectedNumber,
        person: Person,
        parts: ReadonlyArray<Part>,
        context: string | null,
        wireOf: (part: Part, nth: number) => WireObject
      ) {
        const taken: Array<Accepted> = []
        const patience = patienceOf(mostBackoffMs)
        for (const [nth, part] of parts.entries()) {
          const { body, text, type } = part
          const attempts = nth === 0 ? justOnce : patience
          const letter = { type, text, body, context: nth === 0 ? context : null, callbackData: null }
          const sent = outgoing.send(number, person, letter, wireOf(part, nth), attempts)
          taken.push((yield* asked(sent, { sent: nth, parts: parts.length })).accepted)
        }
        return taken
      }, Effect.uninterruptible)

      const send = Effect.fnUntraced(function* (tenantId: Ids.AccountId, message: NativeMessage) {
        if (!isConfigured) return yield* new PlatformMissing()
        const { content, context, phoneNumberId, to, type } = message
        const parts = yield* Effect.mapError(
          Effect.fromResult(partsOf(type, content)),
          (fault) => new LetterRefused({ faults: [fault] })
        )
        const { customer, number, person } = yield* storage.read(
          Effect.gen(function* () {
            const number = yield* numbers.owned(tenantId, phoneNumberId)
            return { number, ...(yield* addressee(number, to)) }
          })
        )
        const closesAt = customer?.windowExpiresAt ?? null
        if (isWindowLimited(type) && !isOpen(closesAt, yield* Instant.now)) {
          return yield* new WindowClosed({ closedAt: closesAt })
        }
        const phone = person.phone ?? customer?.phone ?? null
        const recipient = phone === null ? { recipient: person.userRef } : { to: phone }
        const taken = yield* sendParts(number, person, parts, contextOf(context), (part, nth) => ({
          recipient_type: "individual",
          ...recipient,
          type,
          // One quotation is enough.
          ...(nth === 0 && context !== null ? { context } : {}),
          [type]: part.content
        }))
        const [first, ...others] = taken.map(({ id }) => id)
        const input = phone ?? person.userRef!
        const contact = taken[0]!.contact
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

const personOf = (given: Partial<Person>): Person => ({ phone: null, userRef: null, name: null, ...given })

/** Whether a message was surely not taken, and may be soon. */
const mayBeTaken = (failed: PlatformFailed): boolean => {
  if (failed._tag === "PlatformUnreachable") return failed.isCertain
  const kind = kindOf(failed)
  return kind === "throttled" || (kind === "passing" && !isInDoubt(failed))
}

/** Milliseconds until a part is sent again whose sending failed for the `times`-th time; null when it is given up. */
const waitAfter = (failed: PlatformFailed, times: number, leftMs: number): number | null => {
  if (!mayBeTaken(failed)) return null
  const asked = failed._tag === "PlatformRefused" ? failed.retryAfterSeconds : null
  const wait = asked === null ? Math.min(2 ** (times - 1) * Instant.second, leftMs) : asked * Instant.second
  return wait > 0 && wait <= leftMs ? wait : null
}

/** Tries again for so long, over all that it is asked to try. */
const patienceOf = (mostMs: number): Attempts => {
  let left = mostMs
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
