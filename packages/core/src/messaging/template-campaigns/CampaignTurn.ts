/** One turn of a campaign: whom it writes to next, committed before anything is asked of the network. Source: docs/reference/template-campaigns.md#sending. */
import * as Effect from "effect/Effect"
import { Accounts } from "../../platform/accounts/index.ts"
import { type NewEvent, Outbox } from "../../platform/events/index.ts"
import { Ids, Instant, tracedFn } from "../../platform/kernel/index.ts"
import { type Read, Storage, type StorageError, type Tx, togetherBy } from "../../platform/storage/index.ts"
import { type ChannelTemplates, ChatChannels, type ConnectedNumber, type TemplateShape } from "../channels/index.ts"
import { afterOutbound, ConversationStore, ReplyWindow } from "../conversations/index.ts"
import { conversationStarted } from "../customers/ConversationEventEntries.ts"
import { unchanged } from "../customers/CustomerIdentity.ts"
import { CustomerStore, Customers } from "../customers/index.ts"
import { MessageStore } from "../messages/index.ts"
import { asWritten, type Message } from "../messages/Message.ts"
import { OptOutList } from "../opt-outs/index.ts"
import { SendOutcomes } from "../sending/index.ts"
import { campaignSituations, type LoadedSituation } from "./CampaignSituations.ts"
import { campaignStates, progressed, type Situated } from "./CampaignState.ts"
import { counted } from "./ContactChange.ts"
import { type ContactDecision, decideContact } from "./ContactDecision.ts"
import { countedAs, optOutPersonOf, personOfContact, type Recipient, recipientFacts } from "./RecipientFacts.ts"
import type { Claimed, Outbound } from "./SendAnswers.ts"
import { isWhole, slots } from "./SendPace.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import {
  type DueTemplateCampaign,
  everyTemplateContact,
  SenderPaceStore,
  TemplateCampaignStore,
  TemplateContactStore,
  TemplateListStore,
  type TemplateRecipient
} from "./TemplateCampaignStore.ts"
import { renderedText } from "./TemplateFill.ts"

/** How far ahead of their time messages are committed. */
const leadMs = 250

/** How long before the next free slot a campaign is decided: sooner where others of its number left it none, so that they take turns. */
const aheadOf = (outbound: ReadonlyArray<Outbound>): number =>
  outbound.length === 0 ? Math.floor((3 * leadMs) / 4) : leadMs / 2

/** Messages of one turn at most: a transaction must not keep others waiting. */
const maxMessages = 32

const waitingContacts = { ...everyTemplateContact, status: "queued" } as const

/** Contacts that a turn looks at for one whom the messaging limit lets through. */
const maxLooked = 200

/** How soon it looks further down a list. */
const lookOnMs = Instant.second

/** A message whose request has not begun this long after its slot waits again: its process has ended, or stands still. */
const beginWithinMs = 5 * Instant.second

/** How often somebody is looked for whose window has opened, while the messaging limit holds all others. */
const limitRecheckMs = Instant.minute

/** What a turn has decided. */
export interface Turn {
  /** Messages to be sent now; null for none. */
  readonly claimed: Claimed | null
  /** True where the next turn is due at once. */
  readonly hasMore: boolean
}

/** What a turn may do. */
interface Room {
  readonly number: ConnectedNumber
  readonly templates: ChannelTemplates
  readonly shape: TemplateShape
  readonly category: string | null
  readonly loaded: LoadedSituation
  readonly at: Instant.Instant
}

/** A contact who is skipped, or written to at a slot; `countedAs` is who is counted against the messaging limit. */
type Planned = { readonly recipient: Recipient } & (
  | { readonly decision: Extract<ContactDecision, { readonly _tag: "Skip" }>; readonly slot?: never }
  | {
      readonly decision: Extract<ContactDecision, { readonly _tag: "Send" }>
      readonly slot: number
      readonly countedAs: string | null
    }
)

/** Makes the turns of campaigns: each is one transaction. */
export const campaignTurns = Effect.gen(function* () {
  const accounts = yield* Accounts
  const channels = yield* ChatChannels
  const contacts = yield* TemplateContactStore
  const conversations = yield* ConversationStore
  const customers = yield* Customers
  const customerStore = yield* CustomerStore
  const lists = yield* TemplateListStore
  const messages = yield* MessageStore
  const optOuts = yield* OptOutList
  const outbox = yield* Outbox
  const outcomes = yield* SendOutcomes
  const paces = yield* SenderPaceStore
  const { customersOf, factsOf } = yield* recipientFacts
  const situations = yield* campaignSituations
  const states = yield* campaignStates
  const storage = yield* Storage
  const store = yield* TemplateCampaignStore

  /** How far this process has looked down the lists of campaigns for somebody whom the messaging limit lets through. */
  const looked = new Map<TemplateCampaign["id"], number>()

  /** The contacts that are next; while nobody new may be written to, everybody who waits, a part of the list at a time. */
  const nextOnes = Effect.fnUntraced(function* ({ id }: TemplateCampaign, at: Instant.Instant, limit: number | null) {
    if (limit !== null) {
      const due = yield* contacts.due(id, at, limit)
      return { due, isAll: due.length < limit, lookedTo: null }
    }
    const found = yield* lists.after(id, waitingContacts, looked.get(id) ?? -1, maxLooked)
    const due = found.filter(({ nextAttemptAt }) => nextAttemptAt === null || nextAttemptAt <= at)
    const isAll = found.length < maxLooked
    return { due, isAll, lookedTo: isAll ? null : (found.at(-1)?.seq ?? null) }
  })

  /** With what decides whether they are written to. Nobody opts out, or is merged, before the commit. `limit` is null for everybody who waits. */
  const recipientsOf = Effect.fnUntraced(function* (
    campaign: TemplateCampaign,
    { at, category, number }: Room,
    limit: number | null
  ) {
    const { due, ...rest } = yield* nextOnes(campaign, at, limit)
    const updates = due.map((contact) => ({ number, person: personOfContact(contact), next: unchanged, forms: [] }))
    yield* customers.lockIdentities(updates)
    const found = yield* customersOf(number, due)
    yield* optOuts.lockPeople(
      campaign.tenantId,
      found.map(({ contact, customer }) => optOutPersonOf(contact, customer))
    )
    return { ...rest, recipients: yield* factsOf(campaign, number, category, found) }
  })

  /** Null where something else has come of the contact meanwhile. A message that was refused before does not wait any longer. */
  const skip = Effect.fnUntraced(function* (
    { contact }: Recipient,
    { message, reason }: Extract<ContactDecision, { readonly _tag: "Skip" }>,
    { number }: Room
  ): Effect.fn.Return<ReadonlyArray<NewEvent> | null, StorageError, Tx | Read> {
    const after = {
      ...contact,
      status: "skipped" as const,
      reason,
      error: { code: null, message },
      nextAttemptAt: null
    }
    if (!(yield* contacts.save(after, "queued"))) return null
    const former = contact.messageId === null ? null : yield* messages.byId(contact.messageId)
    return former?.status === "queued" ? yield* outcomes.failQueued(number, [former], message) : []
  })

  /** The row of a message: that of the attempt before, where it was not accepted, else a new one. */
  const messageFor = Effect.fnUntraced(function* (
    campaign: TemplateCampaign,
    { contact, person }: Recipient,
    { values }: Extract<ContactDecision, { readonly _tag: "Send" }>,
    { at, number, shape, templates }: Room
  ) {
    const update = { number, person, next: unchanged, forms: [] }
    const { conversation, customer, events } = yield* customers.resolve(update)
    const former = contact.messageId === null ? null : yield* messages.byId(contact.messageId)
    const isSame = former?.status === "queued"
    const { templateLanguage: language, templateName: name } = campaign
    const message: Message = isSame
      ? { ...former, status: "sending", fault: null }
      : {
          ...asWritten,
          id: yield* Ids.fresh<"Message">(),
          tenantId: number.tenantId,
          phoneId: number.id,
          customerId: customer.id,
          conversationId: conversation.id,
          msgid: null,
          direction: "outbound",
          role: "agent",
          type: "template",
          text: renderedText(shape, values),
          body: templates.contentOf({ name, language, shape, values }),
          context: null,
          callbackData: null,
          status: "sending",
          fault: null,
          turnId: null,
          part: null,
          campaignId: campaign.id,
          contactId: contact.id,
          createdAt: at
        }
    return { conversation, customer, isSame, message, events: events.filter(isOfWriter) }
  })

  const begin = Effect.fnUntraced(function* (
    campaign: TemplateCampaign,
    recipient: Recipient,
    decision: Extract<ContactDecision, { readonly _tag: "Send" }>,
    slot: number,
    room: Room
  ): Effect.fn.Return<
    { readonly outbound: Outbound; readonly events: ReadonlyArray<NewEvent> } | null,
    StorageError,
    Tx | Read
  > {
    const { conversation, customer, events, isSame, message } = yield* messageFor(campaign, recipient, decision, room)
    const contact = {
      ...recipient.contact,
      status: "sending" as const,
      values: decision.values,
      messageId: message.id,
      msgid: null,
      conversationId: message.conversationId,
      nextAttemptAt: null,
      hasBegun: false,
      settleBy: Instant.plus(room.at, leadMs + beginWithinMs)
    }
    // A report of an earlier message may have come first.
    if (!(yield* contacts.save(contact, "queued"))) return null
    yield* customerStore.saveActivity(customer)
    if (isSame) yield* messages.save(message, message)
    else yield* messages.add(message)
    yield* conversations.save(isSame ? conversation : afterOutbound(conversation, message))
    return { outbound: { contact, customer, message, slot }, events }
  })

  /** Null where something else has come of the contact meanwhile: its slot stays empty. */
  const perform = Effect.fnUntraced(function* (campaign: TemplateCampaign, planned: Planned, room: Room) {
    const { recipient } = planned
    if (planned.slot === undefined) {
      const events = yield* skip(recipient, planned.decision, room)
      return events === null ? null : { outbound: null, events, countedAs: null }
    }
    const begun = yield* begin(campaign, recipient, planned.decision, planned.slot, room)
    return begun === null ? null : { ...begun, countedAs: planned.countedAs }
  })

  /** Writes to as many of the contacts that are next as the pace and the limits let through. */
  const claim = Effect.fnUntraced(function* (situated: Situated, room: Room) {
    const { at, loaded, number, shape } = room
    const { dayLeft, limit, pace, rate } = loaded
    const max = Math.min(maxMessages, dayLeft ?? maxMessages)
    const free = slots({
      at,
      pace,
      campaignNextSlot: situated.campaign.nextSlot,
      rate,
      campaignRate: situated.campaign.maxPerSecond,
      leadMs: loaded.openUntil === null ? leadMs : Math.min(leadMs, loaded.openUntil - at),
      max
    })
    const isLimited = limit !== null && limit.used >= limit.perDay
    const { isAll, lookedTo, recipients } = yield* recipientsOf(
      situated.campaign,
      room,
      isLimited && free.slots.length > 0 ? null : free.slots.length
    )
    const people = recipients.map(personKeyOf)
    const known = limit === null ? new Set<string>() : new Set(yield* situations.countedAmong(number, people, at))
    let left = limit === null ? Number.POSITIVE_INFINITY : limit.perDay - limit.used
    let isHeldByLimit = isLimited && free.slots.length > 0
    const planned: Array<Planned> = []
    let used = 0
    for (const [nth, recipient] of recipients.entries()) {
      const slot = free.slots[used]
      if (slot === undefined) break
      const decision = decideContact(recipient.contact, situated.campaign, shape, recipient.facts)
      if (decision._tag === "Skip") {
        planned.push({ recipient, decision })
        continue
      }
      const person = people[nth]!
      const isCounted = !ReplyWindow.isOpen(recipient.customer?.windowExpiresAt ?? null, at)
      const isNew = isCounted && !known.has(person)
      if (isNew && left <= 0) {
        isHeldByLimit = true
        continue
      }
      used += 1
      planned.push({ recipient, decision, slot, countedAs: isCounted ? person : null })
      if (isNew) {
        left -= 1
        known.add(person)
      }
    }
    const done = (yield* togetherBy(
      planned,
      ({ recipient: { contact, customer } }) => customer?.id ?? contact.id,
      (one) => perform(situated.campaign, one, room)
    )).filter((one) => one !== null)
    const outbound = done.flatMap((one) => one.outbound ?? [])
    const counts = done.reduce(
      (sum, one) => counted(sum, { from: "queued", to: one.outbound === null ? "skipped" : "sending", isReply: false }),
      situated.campaign.counts
    )
    const { businessAccountId, channel, tenantId } = number
    const written = done.flatMap(
      ({ countedAs: person }): ReadonlyArray<TemplateRecipient> =>
        person === null ? [] : [{ tenantId, channel, businessAccountId, person, at }]
    )
    yield* paces.countRecipients(written)
    const isUsedUp = used === free.slots.length
    if (lookedTo === null) looked.delete(situated.campaign.id)
    else if (!isUsedUp) looked.set(situated.campaign.id, lookedTo)
    const next = isUsedUp
      ? { pace: free.paceNext, campaign: free.campaignNext }
      : nextAfter(free.slots, used, situated.campaign.nextSlot)
    yield* paces.save({ ...pace, nextSlot: next.pace })
    return {
      outbound,
      events: done.flatMap(({ events }) => events),
      counts,
      nextSlot: next.campaign,
      isExhausted: isAll,
      isHeldByLimit,
      slotAt: Math.max(next.pace, next.campaign)
    }
  })

  /** When the campaign is decided next, after a turn. */
  const nextTurnOf = Effect.fnUntraced(function* (
    { id }: TemplateCampaign,
    { at, loaded }: Room,
    claimed: {
      readonly counts: TemplateCampaign["counts"]
      readonly isExhausted: boolean
      readonly isHeldByLimit: boolean
      readonly outbound: ReadonlyArray<Outbound>
      readonly slotAt: number
    }
  ) {
    if (claimed.counts.queued === 0) return null
    if (claimed.isHeldByLimit && (claimed.isExhausted || claimed.outbound.length === 0)) {
      const again = Instant.plus(at, claimed.isExhausted ? limitRecheckMs : lookOnMs)
      return Instant.earlier(loaded.limit?.freeAt ?? again, again)
    }
    if (claimed.isExhausted) return yield* contacts.nextRetryAt(id)
    return Instant.make(Math.max(at, Math.floor(claimed.slotAt / 1000) - aheadOf(claimed.outbound)))
  })

  const send = Effect.fnUntraced(function* (situated: Situated, room: Room) {
    const { campaign } = situated
    const done = yield* claim(situated, room)
    const { dayStart } = room.loaded
    const sentToday = campaign.dayStart === dayStart ? campaign.dayMessages : 0
    const after: TemplateCampaign = {
      ...campaign,
      counts: done.counts,
      nextSlot: done.nextSlot,
      dayStart,
      dayMessages: sentToday + done.outbound.length,
      nextTurnAt: yield* nextTurnOf(campaign, room, done)
    }
    const claimed: Claimed = {
      campaign: after,
      number: room.number,
      templates: room.templates,
      rate: room.loaded.rate,
      isPaceWhole: isWhole(room.loaded.pace),
      outbound: done.outbound
    }
    return { campaign: after, events: done.events, claimed }
  })

  /** What a running campaign does now: it sends, or waits for what holds it. */
  const proceed = Effect.fnUntraced(function* (situated: Situated, at: Instant.Instant) {
    const { campaign, number, template } = situated
    const templates = number === null ? null : channels.of(number).network.templates
    if (number === null || template === null || templates === null) return { campaign, events: [], claimed: null }
    const account = yield* accounts.find(campaign.tenantId)
    const loaded = yield* situations.load(campaign, { number, account, at })
    if (loaded.hold !== null) {
      return { campaign: { ...campaign, nextTurnAt: loaded.recheckAt }, events: [], claimed: null }
    }
    const shape = templates.shapeOf(template.components ?? [])
    return yield* send(situated, { number, templates, shape, category: template.category, loaded, at })
  })

  /** Decides a campaign under its locks; null where it is gone. */
  const decide = Effect.fnUntraced(function* (due: Pick<DueTemplateCampaign, "id" | "phoneId">) {
    const situated = yield* states.load(due)
    if (situated === null) return null
    const at = yield* Instant.now
    const { campaign } = situated
    const isDue = campaign.status === "running" && campaign.nextTurnAt !== null && campaign.nextTurnAt <= at
    const done = isDue ? yield* proceed(situated, at) : { campaign, events: [], claimed: null }
    const last = progressed(done.campaign, situated.number, at)
    yield* store.save(last.campaign)
    const events = yield* outbox.append([...situated.events, ...done.events, ...last.events])
    return { claimed: done.claimed, events, hasMore: situated.hasMore || isAt(last.campaign, at) }
  })

  /** The commit waits for the disk: its events are published after it, and a turn that is made anew after a power cut would publish them again. */
  return tracedFn("CampaignTurn")(function* (due: Pick<DueTemplateCampaign, "id" | "phoneId">) {
    const decided = yield* storage.transact(decide(due))
    if (decided === null) return { claimed: null, hasMore: false } satisfies Turn
    yield* outbox.publish(decided.events)
    return { claimed: decided.claimed, hasMore: decided.hasMore } satisfies Turn
  })
})

/** A conversation begins with its customer's message. */
const isOfWriter = ({ event }: NewEvent): boolean => event !== conversationStarted.name

const isAt = ({ nextTurnAt, status }: TemplateCampaign, at: Instant.Instant): boolean =>
  status === "running" && nextTurnAt !== null && nextTurnAt <= at

const personKeyOf = ({ contact, customer }: Recipient): string =>
  contact.matchKey ??
  countedAs({ phone: customer?.phone ?? null, userRef: contact.userId ?? customer?.userRef ?? null }) ??
  contact.id

/** Where the next message goes, when some of the slots were not used. */
const nextAfter = (free: ReadonlyArray<number>, used: number, campaignNext: number) => {
  const slot = free[used] ?? campaignNext
  return { pace: slot, campaign: slot }
}
