/** Records what the network has answered to messages of campaigns. Source: docs/reference/template-campaigns.md#codes. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type NewEvent, Outbox } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx, togetherBy } from "../../platform/storage/index.ts"
import type { ChannelFailed, ChannelTemplates, ConnectedNumber, Sent } from "../channels/index.ts"
import { learntOf } from "../customers/CustomerIdentity.ts"
import { type Customer, CustomerStore, Customers } from "../customers/index.ts"
import { statusEvents } from "../customers/MessagingEvents.ts"
import { type Message, MessageStore } from "../messages/index.ts"
import { faultOf, SendOutcomes } from "../sending/index.ts"
import { CampaignRules } from "./CampaignRules.ts"
import { errorOf } from "./ContactFollow.ts"
import { contactChanges } from "./FollowedMessages.ts"
import { paceAfterAccepted, paceAfterThrottle, paceAfterTrouble } from "./SendPace.ts"
import { contactAfterAnswer, type Heard } from "./SendResult.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import { type SenderPace, SenderPaceStore, TemplateContactStore } from "./TemplateCampaignStore.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** A message of a campaign that is committed, and about to be asked for. */
export interface Outbound {
  readonly contact: TemplateContact
  readonly customer: Customer
  readonly message: Message
  /** When it may go, in microseconds of UTC. */
  readonly slot: number
}

/** Messages that were committed together. */
export interface Claimed {
  readonly number: ConnectedNumber
  readonly campaign: TemplateCampaign
  readonly templates: ChannelTemplates
  /** Messages a second of the number, when these were committed. */
  readonly rate: number
  /** True where the network has neither slowed the number down nor been out of order lately. */
  readonly isPaceWhole: boolean
  readonly outbound: ReadonlyArray<Outbound>
}

/** What the network has answered; null where nobody knows. */
export type Answer =
  | { readonly _tag: "Accepted"; readonly sent: Sent }
  | { readonly _tag: "Refused"; readonly failed: ChannelFailed | null }

export interface Answered {
  readonly outbound: Outbound
  readonly answer: Answer
}

/** Whether the network has taken a message; `unknown` where it may have. */
export const outcomeOf = (answer: Answer): "accepted" | "refused" | "unknown" => {
  if (answer._tag === "Accepted") return "accepted"
  return answer.failed?.isCertain === true ? "refused" : "unknown"
}

const heldStatus = "held_for_quality_assessment"

/** What a failure says; `unknown` where the network may have taken the message. */
const heardOf = (failed: ChannelFailed | null, templates: ChannelTemplates): Heard => {
  if (failed === null || !failed.isCertain) return "unknown"
  if (failed._tag === "ChannelUnreachable") return "passing"
  const meaning = failed.code === null ? "rejected" : templates.meaningOf(failed.code)
  if (meaning !== "rejected") return meaning
  if (failed.class === "unavailable") return "passing"
  if (failed.class === "throttled") return "throttled"
  return failed.class === "credentials" ? "credentials" : "rejected"
}

/** Makes what records answers to messages of one campaign, as a transaction. */
export const sendAnswers = Effect.gen(function* () {
  const { write } = yield* contactChanges
  const contacts = yield* TemplateContactStore
  const customers = yield* Customers
  const customerStore = yield* CustomerStore
  const messages = yield* MessageStore
  const outbox = yield* Outbox
  const outcomes = yield* SendOutcomes
  const paces = yield* SenderPaceStore
  const rules = yield* CampaignRules
  const storage = yield* Storage
  const relaxed = storage.transactWith({ durability: "relaxed" })

  const accepted = Effect.fnUntraced(function* (
    number: ConnectedNumber,
    { customer, message }: Outbound,
    sent: Sent
  ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
    const learnt = sent.contact === null ? null : learntOf(number, customer, sent.contact)
    const events = learnt === null ? [] : yield* customers.learn(learnt)
    const present = learnt === null ? message : ((yield* messages.byId(message.id)) ?? message)
    const owner = learnt === null ? customer : ((yield* customerStore.byId(present.customerId)) ?? customer)
    const recorded = yield* outcomes.recordSent(number, owner, present, sent.id)
    if (sent.messageStatus === heldStatus && message.contactId !== null) yield* hold(message.contactId)
    return [...events, ...recorded]
  })

  /** The network keeps the message back until it knows what people make of the template. */
  const hold = Effect.fnUntraced(function* (id: TemplateContact["id"]) {
    const contact = yield* contacts.byId(id)
    // A report may have come before the answer.
    if (contact?.status === "sent") yield* contacts.save({ ...contact, held: true }, "sent")
  })

  const refused = Effect.fnUntraced(function* (
    { campaign, number }: Claimed,
    { message }: Outbound,
    failed: ChannelFailed | null,
    heard: Heard
  ): Effect.fn.Return<ReadonlyArray<NewEvent>, StorageError, Tx | Read> {
    const present = yield* messages.byId(message.id)
    const contact = message.contactId === null ? null : yield* contacts.byId(message.contactId)
    // What was reported meanwhile is right.
    const isOpen = present?.status === "sending" || present?.status === "unknown"
    if (present === null || !isOpen || contact === null || contact.messageId !== message.id) return []
    if (heard === "unknown" || failed === null) {
      yield* outcomes.markUnknown(present)
      return []
    }
    const at = yield* Instant.now
    const fault = faultOf(failed)
    const step = contactAfterAnswer(contact, heard, { ...rules, retryMarketingLimit: campaign.retryMarketingLimit }, at)
    const isOver = step.status !== "queued"
    const now: Message = isOver
      ? { ...present, status: "failed", fault }
      : { ...present, status: "queued", fault: null }
    yield* messages.save(present, now)
    const after: TemplateContact = {
      ...contact,
      ...step,
      error: errorOf(fault),
      settleBy: null,
      ...(isOver ? { failedAt: at, outcomeAt: contact.outcomeAt ?? at } : {})
    }
    yield* write(contact, after, heard)
    const optedOut = heard === "opted_out" ? yield* outcomes.recordOptOut(number, present) : []
    return [...(isOver ? statusEvents(now, number) : []), ...optedOut]
  })

  const lockParts = Effect.fnUntraced(function* (number: ConnectedNumber, answers: ReadonlyArray<Answered>) {
    const sent = answers.flatMap(({ answer, outbound }) =>
      answer._tag === "Accepted" ? [{ sent: answer.sent, customer: outbound.customer }] : []
    )
    // A transaction that is storing a report without its message finds the message after this one.
    yield* lock("report", ...sent.map((one) => one.sent.id))
    const learnt = sent.flatMap(({ customer, sent: { contact } }) =>
      contact === null ? [] : (learntOf(number, customer, contact) ?? [])
    )
    yield* customers.lockIdentities(
      learnt,
      answers.map(({ outbound }) => outbound.customer.id)
    )
  })

  const paceAfter = (
    pace: SenderPace,
    { answer, outbound }: Answered,
    heard: Heard | null,
    at: Instant.Instant
  ): SenderPace => {
    if (heard === "throttled") {
      const { failed } = answer as Extract<Answer, { readonly _tag: "Refused" }> // an accepted message has no meaning
      return paceAfterThrottle(pace, failed?._tag === "ChannelRefused" ? failed.retryAfterSeconds : null, at)
    }
    if (heard === "passing") return paceAfterTrouble(pace, outbound.contact.id, at)
    return heard === null ? paceAfterAccepted(pace) : pace
  }

  return Effect.fnUntraced(function* (claimed: Claimed, answers: ReadonlyArray<Answered>) {
    const { isPaceWhole, number, templates } = claimed
    const heard = answers.map(({ answer }): Heard | null =>
      answer._tag === "Accepted" ? null : heardOf(answer.failed, templates)
    )
    const changesPace = heard.some((one) => one === "throttled" || one === "passing" || (one === null && !isPaceWhole))
    const recorded = relaxed(
      Effect.gen(function* () {
        if (changesPace) {
          yield* lock("template-sender", number.id)
          const before = yield* paces.find(number.id)
          const at = yield* Instant.now
          const after =
            before === null
              ? null
              : answers.reduce((pace, answered, nth) => paceAfter(pace, answered, heard[nth] ?? null, at), before)
          if (after !== null && after !== before) yield* paces.save(after)
        }
        yield* lockParts(number, answers)
        const noted = yield* togetherBy(
          answers,
          ({ outbound }) => outbound.customer.id,
          ({ answer, outbound }, nth) =>
            answer._tag === "Accepted"
              ? accepted(number, outbound, answer.sent)
              : refused(claimed, outbound, answer.failed, heard[nth] ?? "unknown")
        )
        return yield* outbox.append(noted.flat())
      })
    )
    // Only this process knows what the network has answered.
    const events = yield* Effect.retry(recorded, {
      schedule: Schedule.exponential("200 millis"),
      times: 5,
      while: (error) => error.isRetryable
    })
    yield* outbox.publish(events)
  })
})
