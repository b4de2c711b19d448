/** What must hold of template campaigns on every random day, after every command and at its end. */
import { Accounts, Instant, type Message, read } from "@trunkline/core/effect"
import type { Ids } from "@trunkline/core/provider"
import { MessageStore, type TemplateCampaign, type TemplateContact } from "@trunkline/core/storage"
import { Outbox, wholeAudit } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { CampaignWorld } from "./CampaignWorld.ts"
import { ranks, referenceOf } from "./ReplyMemory.ts"

type CampaignId = Ids.TemplateCampaignId

/** How many requests a contact may have had at most; nothing further begins from then on. */
type Allowed = Map<string, number>

/** What the campaign model remembers of a random day. */
export interface Memory {
  readonly campaigns: CampaignWorld
  readonly ids: ReadonlyArray<CampaignId>
  readonly category: string
  /** The contact of every message that was asked for. */
  readonly contactOf: Map<string, string>
  /** Requests of each contact. */
  readonly requests: Map<string, number>
  /** How many requests of the platform are looked at already, and up to which event nothing is looked at. */
  looked: number
  eventsAfter: string | null
  /** People who have opted out, contact by contact. */
  readonly optedOut: Allowed
  /** Campaigns that do not run, since when nobody has moved them. */
  readonly standing: Map<CampaignId, { readonly since: number; readonly allowed: Allowed }>
  /** What was last seen of contacts and messages. */
  readonly contacts: Map<string, TemplateContact>
  readonly messages: Map<string, Message>
  /** Messages of which the platform reports that they have failed. */
  readonly reportedFailed: Set<string>
  /** People of whom nobody knows whether they have opted out: a process stands still over it, or died of it. */
  readonly unsure: Set<string>
  /** A process has stood still, which may begin a message late. */
  hasStalled: boolean
  readonly seen: Seen
}

export interface Seen {
  accepted: number
  unknown: number
  requeued: number
  retried: number
  skipped: number
  replied: number
  early: number
  reports: number
  optedOut: number
  pausedByService: number
  completed: number
  deaths: number
  stalls: number
  lostCommits: number
}

export const newMemory = (
  campaigns: CampaignWorld,
  ids: ReadonlyArray<CampaignId>,
  category: string,
  seen: Seen
): Memory => ({
  campaigns,
  ids,
  category,
  contactOf: new Map(),
  requests: new Map(),
  looked: 0,
  eventsAfter: null,
  optedOut: new Map(),
  standing: new Map(),
  contacts: new Map(),
  messages: new Map(),
  reportedFailed: new Set(),
  unsure: new Set(),
  hasStalled: false,
  seen
})

export const nothingSeen = (): Seen => ({
  accepted: 0,
  unknown: 0,
  requeued: 0,
  retried: 0,
  skipped: 0,
  replied: 0,
  early: 0,
  reports: 0,
  optedOut: 0,
  pausedByService: 0,
  completed: 0,
  deaths: 0,
  stalls: 0,
  lostCommits: 0
})

const messageOf = ({ campaigns }: Memory, id: string): Effect.Effect<Message | null> =>
  campaigns.world.look(read(MessageStore.use((store) => store.byId(id as Message["id"]))))

/** Finds whose the latest requests are. */
const lookAtRequests = (memory: Memory) =>
  Effect.gen(function* () {
    const { contactOf, requests } = memory
    const all = memory.campaigns.world.platform.of("send")
    const fresh = all.slice(memory.looked)
    memory.looked = all.length
    for (const { body } of fresh) {
      const id = String(body.biz_opaque_callback_data)
      if (!contactOf.has(id)) {
        const message = yield* messageOf(memory, id)
        expect(message?.contactId, `the contact of message ${id}, which is asked for`).toBeTypeOf("string")
        contactOf.set(id, message!.contactId!)
      }
      const contactId = contactOf.get(id)!
      requests.set(contactId, (requests.get(contactId) ?? 0) + 1)
    }
    return fresh
  })

/** A request that is committed already may still be made. */
const allowedOf = ({ requests }: Memory, contacts: ReadonlyArray<TemplateContact>): Allowed =>
  new Map(contacts.map(({ id, status }) => [id, (requests.get(id) ?? 0) + (status === "sending" ? 1 : 0)]))

const checkAllowed = ({ requests }: Memory, allowed: Allowed, why: string): void => {
  for (const [id, most] of allowed) {
    expect(requests.get(id) ?? 0, `requests of contact ${id}, ${why}`).toBeLessThanOrEqual(most)
  }
}

/** Somebody has surely opted out: what is committed later does not go to them. */
export const bar = (memory: Memory, phone: string) =>
  Effect.gen(function* () {
    if (memory.unsure.has(phone)) return
    yield* lookAtRequests(memory)
    for (const id of memory.ids) {
      const own = (yield* memory.campaigns.contacts(id)).filter((contact) => contact.phone === phone)
      for (const [contact, most] of allowedOf(memory, own)) memory.optedOut.set(contact, most)
    }
    memory.seen.optedOut += 1
  })

/** Somebody may be written to again. */
export const unbar = (memory: Memory, phone: string, isSure: boolean) =>
  Effect.gen(function* () {
    if (!isSure) memory.unsure.add(phone)
    for (const id of memory.ids) {
      for (const contact of yield* memory.campaigns.contacts(id)) {
        if (contact.phone === phone) memory.optedOut.delete(contact.id)
      }
    }
  })

const statuses = ["queued", "sending", "sent", "delivered", "read", "skipped", "failed", "unknown"] as const

/** The counts of a campaign, with the changes that are not counted yet, are those of its contacts. */
const checkCounts = (memory: Memory, campaign: TemplateCampaign, contacts: ReadonlyArray<TemplateContact>) =>
  Effect.gen(function* () {
    const counts = { ...campaign.counts }
    for (const { from, isReply, to } of yield* memory.campaigns.uncounted(campaign.id)) {
      counts[from] -= 1
      counts[to] += 1
      if (isReply) counts.replied += 1
    }
    const rows = Object.fromEntries(
      statuses.map((status) => [status, contacts.filter((contact) => contact.status === status).length])
    )
    const replied = contacts.filter(({ repliedAt }) => repliedAt !== null).length
    expect(counts, `the counts of ${campaign.status} campaign ${campaign.id}`).toEqual({ ...rows, replied })
  })

/** Statuses of a message that go with a contact's. */
const agreeing: Readonly<Record<TemplateContact["status"], ReadonlyArray<Message["status"]>>> = {
  // One that waits for its second marketing message has the failed one.
  queued: ["queued", "failed"],
  sending: ["sending"],
  sent: ["sent"],
  delivered: ["delivered"],
  read: ["read"],
  skipped: ["failed"],
  // Nobody ever knew what became of it.
  failed: ["failed", "unknown"],
  unknown: ["unknown"]
}

const checkAgreement = ({ id, reason, status }: TemplateContact, message: Message): void => {
  expect(agreeing[status], `the message of contact ${id}, which is ${status}`).toContain(message.status)
  if (status === "failed") {
    expect(message.status === "unknown", `contact ${id} failed with ${reason}`).toBe(reason === "outcome_unknown")
  }
}

/** What may be seen of a contact next. One that has another message by now may be anywhere in that one's life. */
const followers = ({ messageId, reason, status }: TemplateContact, now: TemplateContact): RegExp => {
  if (status === "skipped") return /skipped/
  if (status === "read") return /read/
  if (status === "delivered") return /delivered|read/
  if (messageId === null || messageId !== now.messageId) return /./
  // One whose failure is reported may wait for its second marketing message, and be skipped then.
  if (status === "sent") return /sent|delivered|read|failed|queued|skipped/
  if (status !== "failed") return /./
  return reason === "outcome_unknown" ? /failed|sent|delivered|read/ : /failed|delivered|read/
}

const checkOrder = (was: TemplateContact, now: TemplateContact): void => {
  const what = `contact ${now.id} went from ${was.status} (${was.reason}) to ${now.status} (${now.reason})`
  expect(now.status, what).toMatch(followers(was, now))
  if (was.repliedAt !== null) expect(now.reply?.messageId, `the reply of ${now.id}`).toBe(was.reply?.messageId)
}

const checkMessageOrder = (was: Message, now: Message): void => {
  const isRefused = (was.status === "sending" || was.status === "unknown") && /queued|sending/.test(now.status)
  if (isRefused) return
  const what = `message ${now.id} went from ${was.status} to ${now.status}`
  expect(ranks[now.status], what).toBeGreaterThanOrEqual(ranks[was.status])
}

const checkContact = (memory: Memory, now: TemplateContact) =>
  Effect.gen(function* () {
    const was = memory.contacts.get(now.id)
    memory.contacts.set(now.id, now)
    if (was !== undefined) checkOrder(was, now)
    if (was?.status === "sending" && now.status === "queued") memory.seen.requeued += 1
    if (was?.status !== "unknown" && now.status === "unknown") memory.seen.unknown += 1
    if (was !== undefined && was.messageId !== null && was.messageId !== now.messageId) {
      const former = yield* messageOf(memory, was.messageId)
      // One that was delivered after all had failed before.
      const isOver = former!.status === "failed" || memory.reportedFailed.has(former!.id)
      expect(isOver, `message ${former!.id} has failed before contact ${now.id} gets another one`).toBe(true)
    }
    if (now.messageId === null) return
    const message = (yield* messageOf(memory, now.messageId))!
    const before = memory.messages.get(message.id)
    if (before !== undefined) checkMessageOrder(before, message)
    memory.messages.set(message.id, message)
    checkAgreement(now, message)
  })

/** Nobody gets a second message, unless the platform has refused the first, or reported that it has failed. */
const checkAccepted = ({ campaigns, contactOf, reportedFailed }: Memory): void => {
  const references = campaigns.accepted.map(referenceOf).filter((id) => contactOf.has(id))
  expect(new Set(references).size, "no message is accepted twice").toBe(references.length)
  for (const [contactId, own] of Map.groupBy(references, (id) => contactOf.get(id))) {
    const former = own.slice(0, -1).filter((id) => !reportedFailed.has(id))
    expect(former, `messages of contact ${contactId} that nobody reported as failed before the next one`).toEqual([])
  }
}

/** How long a campaign that was paused or cancelled may begin messages that were committed before. */
const endsWithinMs = Instant.second

const checkStanding = (
  memory: Memory,
  { id, status }: TemplateCampaign,
  contacts: ReadonlyArray<TemplateContact>,
  fresh: ReadonlyArray<{ readonly body: { readonly biz_opaque_callback_data?: unknown }; readonly at: number }>
) =>
  Effect.gen(function* () {
    if (status !== "paused" && status !== "cancelled") return void memory.standing.delete(id)
    const present = memory.standing.get(id)
    if (present === undefined) {
      memory.standing.set(id, { since: yield* Instant.now, allowed: allowedOf(memory, contacts) })
      return
    }
    checkAllowed(memory, present.allowed, `whose campaign is ${status}`)
    if (memory.hasStalled) return
    const own = new Set<string | undefined>(contacts.map((contact) => contact.id))
    const late = fresh.filter(
      ({ at, body }) =>
        at > present.since + endsWithinMs && own.has(memory.contactOf.get(String(body.biz_opaque_callback_data)))
    )
    expect(late.length, `messages of campaign ${id}, which is ${status}, that began late`).toBe(0)
  })

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What must hold at any time. */
export const check = (memory: Memory) =>
  Effect.gen(function* () {
    const fresh = yield* lookAtRequests(memory)
    checkAccepted(memory)
    checkAllowed(memory, memory.optedOut, "who has opted out")
    for (const id of memory.ids) {
      const campaign = (yield* memory.campaigns.stored(id))!
      const contacts = yield* memory.campaigns.contacts(id)
      yield* checkCounts(memory, campaign, contacts)
      for (const contact of contacts) {
        if (!isSame(memory.contacts.get(contact.id), contact)) yield* checkContact(memory, contact)
      }
      yield* checkStanding(memory, campaign, contacts, fresh)
    }
  })

/** Nobody waits for an answer once a minute has passed in good order. */
export const checkAnswered = (memory: Memory) =>
  Effect.gen(function* () {
    for (const id of memory.ids) {
      const sending = (yield* memory.campaigns.contacts(id)).filter(({ status }) => status === "sending")
      expect(
        sending.map((contact) => contact.id),
        "contacts that are sending after a minute in good order"
      ).toEqual([])
    }
  })

const final = /^(sent|delivered|read|skipped|failed)$/

/** Everybody has an outcome, but for those whose campaign was paused or cancelled. */
export const checkSettled = (memory: Memory) =>
  Effect.gen(function* () {
    const { campaigns, ids, seen } = memory
    for (const id of ids) {
      const campaign = (yield* campaigns.stored(id))!
      expect(campaign.status, `the end of campaign ${id}`).not.toBe("running")
      for (const contact of yield* campaigns.contacts(id)) {
        const isLeft = contact.status === "queued" && /paused|cancelled|draft|scheduled/.test(campaign.status)
        const what = `the end of contact ${contact.id} of the campaign, which is ${campaign.status}`
        if (!isLeft) expect(contact.status, what).toMatch(final)
        if (contact.status === "skipped") seen.skipped += 1
        if (contact.repliedAt !== null) seen.replied += 1
      }
    }
    seen.accepted += campaigns.accepted.length
  })

/** How often people have paused a campaign. */
const pausedBy = ({ campaigns: { world } }: Memory, id: CampaignId) =>
  Effect.map(
    world.run(
      Accounts.use((accounts) =>
        accounts.audit(
          world.tenant,
          { ...wholeAudit, action: "template_campaign.pause", targetId: id },
          { limit: 500, offset: 0 }
        )
      )
    ),
    (found) => found!.total
  )

/** One event for each entry into running, and one for each way out of it; and the events of messages say what their rows say. */
export const checkEvents = (memory: Memory) =>
  Effect.gen(function* () {
    const { campaigns, contactOf, ids, seen } = memory
    const all = (yield* campaigns.world.run(Outbox.use((outbox) => outbox.read(memory.eventsAfter, 10_000))))!
    memory.eventsAfter = all.at(-1)?.cursor ?? memory.eventsAfter
    for (const id of ids) {
      const { status } = (yield* campaigns.stored(id))!
      const own = all.filter(({ data }) => (data as { readonly campaign_id?: unknown }).campaign_id === id)
      const of = (event: string) => own.filter((one) => one.event === event).length
      const ends = of("campaign.completed") + of("campaign.failed") + (yield* pausedBy(memory, id))
      const open = of("campaign.started") - ends
      const isCancelled = status === "cancelled" && open === 1
      expect(isCancelled ? 0 : open, `starts of the campaign, which is ${status}, without an end`).toBe(
        status === "running" ? 1 : 0
      )
      seen.completed += of("campaign.completed")
      seen.pausedByService += of("campaign.failed")
    }
    for (const id of contactOf.keys()) {
      const { status } = (yield* messageOf(memory, id))!
      const own = all.filter(({ data }) => (data as { readonly id?: unknown }).id === id)
      const stated = own.flatMap(({ data, event }) =>
        event === "message.status" ? [String((data as { readonly status?: unknown }).status)] : []
      )
      expect(stated, `events of message ${id}`).toEqual([...new Set(stated)])
      if (/sent|delivered|read|failed/.test(status)) expect(stated.at(-1), `the last event of ${id}`).toBe(status)
      expect(own.filter(({ event }) => event === "message.sent").length, `message.sent of ${id}`).toBeLessThan(2)
    }
  })
