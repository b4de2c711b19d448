/** What channels report of messages that were sent. Source: docs/reference/messaging.md#statuses. */
import * as Effect from "effect/Effect"
import type { NewEvent } from "../../platform/events/index.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { type IdentityUpdate, learntOf } from "../customers/CustomerIdentity.ts"
import { CustomerStore } from "../customers/CustomerStore.ts"
import { statusEvents } from "../customers/MessagingEvents.ts"
import { CampaignMessages } from "../messages/CampaignMessages.ts"
import type { InboundStatus } from "../messages/InboundBatch.ts"
import type { Message } from "../messages/Message.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { statusAfter } from "../messages/StatusOrder.ts"
import { UnmatchedStatusStore } from "../messages/UnmatchedStatusStore.ts"
import { lostReplies } from "../replies/LostReplies.ts"
import { SendOutcomes } from "../sending/SendOutcomes.ts"

/** What came of a report. */
export interface Reported {
  readonly events: ReadonlyArray<NewEvent>
  /** What it says of the customer's ids beyond what is known; null where that is nothing. */
  readonly learnt: IdentityUpdate | null
}

const nothing: Reported = { events: [], learnt: null }

/** Makes what records a report, as a part of a transaction that has locked it. */
export const inboundStatuses = Effect.gen(function* () {
  const answerLost = yield* lostReplies
  const campaigns = yield* CampaignMessages
  const customers = yield* CustomerStore
  const messages = yield* MessageStore
  const outcomes = yield* SendOutcomes
  const unmatched = yield* UnmatchedStatusStore

  /** By the channel's id, or by our own id, which the channel returns: then the report is the first to name the channel's id. */
  const ofReport = Effect.fnUntraced(function* (number: ConnectedNumber, { msgid, ref }: InboundStatus) {
    const known = yield* messages.byMsgid(number.id, msgid)
    if (known !== null) return { message: known, events: [] }
    if (ref === null || !Ids.isUuid(ref)) return null
    const id = Ids.as<"Message">(ref)
    const ours = yield* messages.byId(id)
    if (ours?.phoneId !== number.id || ours.direction !== "outbound" || ours.msgid !== null) return null
    // The process that sends it writes under this lock.
    yield* lock("customer", ours.customerId)
    const [customer, present] = [yield* customers.byId(ours.customerId), yield* messages.byId(id)]
    return customer === null || present === null
      ? null
      : yield* outcomes.recordAccepted(number, customer, present, msgid)
  })

  const keep = Effect.fnUntraced(function* (number: ConnectedNumber, given: InboundStatus) {
    yield* answerLost(number, given)
    const { error, msgid, status } = given
    if (status === null) return nothing
    const report = { phoneId: number.id, msgid, status, fault: error, change: null }
    yield* unmatched.add({ ...report, id: yield* Ids.fresh(), at: yield* Instant.now })
    return nothing
  })

  const learntFrom = Effect.fnUntraced(function* (
    number: ConnectedNumber,
    { customerId, direction }: Message,
    { recipient, recipientRef }: InboundStatus
  ) {
    if (direction !== "outbound" || (recipient === null && recipientRef === null)) return null
    const customer = yield* customers.byId(customerId)
    return customer === null ? null : learntOf(number, customer, { phone: recipient, userRef: recipientRef })
  })

  return Effect.fnUntraced(function* (
    number: ConnectedNumber,
    given: InboundStatus
  ): Effect.fn.Return<Reported, StorageError, Tx | Read> {
    const found = yield* ofReport(number, given)
    if (found === null) return yield* keep(number, given)
    const { events, message } = found
    const learnt = yield* learntFrom(number, message, given)
    const { pricing = null } = given
    const next = given.status === null ? null : statusAfter(message.status, given.status)
    if (next === null) {
      if (pricing !== null) yield* campaigns.follow(message, pricing)
      return { events, learnt }
    }
    const now: Message = { ...message, status: next, fault: next === "failed" ? given.error : null }
    yield* messages.save(message, now)
    yield* campaigns.follow(now, pricing)
    const optedOut = given.isOptOut === true ? yield* outcomes.recordOptOut(number, message) : []
    return { events: [...events, ...statusEvents(now, number, pricing), ...optedOut], learnt }
  })
})
