/** Which messages of customers are replies to campaigns, and what becomes of them. Verifies: TCMP-2, TCMP-3. */
import { Instant } from "@trunkline/core/effect"
import type { Ids } from "@trunkline/core/provider"
import { Analytics, OptOuts } from "@trunkline/core/testing"
import {
  type CampaignWorld,
  campaignsOf,
  type Delivered,
  listed,
  phoneOf,
  type ReplyWorld,
  sampleBodies,
  sampleCustomer
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { names, scenario } from "../ReplyScenarios.ts"

const { inbound } = sampleBodies
const { minute, second } = Instant
const hour = 60 * minute

const ada = sampleCustomer.phone

/** A campaign that has written to one customer, and is completed. */
const written = (campaigns: CampaignWorld, fields: Parameters<CampaignWorld["begun"]>[1] = {}) =>
  Effect.gen(function* () {
    const id = yield* campaigns.begun([listed(ada)], fields)
    yield* campaigns.work(second)
    expect((yield* campaigns.get(id)).counts).toMatchObject({ sent: 1 })
    return { id, msgid: campaigns.accepted.at(-1)!.id }
  })

const says = (world: ReplyWorld, ...messages: ReadonlyArray<Delivered>) => world.delivers({ messages })

const now = (world: ReplyWorld, more: Delivered = {}) => ({ timestamp: world.second, ...more })

const contactOf = (campaigns: CampaignWorld, id: Ids.TemplateCampaignId) =>
  Effect.map(campaigns.contacts(id), ([contact]) => contact!)

const received = (world: ReplyWorld) =>
  Effect.map(world.events, (all) =>
    all.flatMap(({ data, event }) => (event === "message.received" ? [data as Delivered] : []))
  )

describe("a reply", () => {
  scenario("is the first message of a contact, and the only one", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns)
    yield* world.jump(minute)
    yield* says(world, inbound.text("Where is it?", now(world)))
    const at = yield* Instant.now
    yield* says(world, inbound.text("Hello?", now(world)))
    yield* campaigns.work(second)
    const contact = yield* contactOf(campaigns, id)
    const [, first] = yield* world.messages(ada)
    expect(contact).toMatchObject({
      status: "sent",
      repliedAt: at,
      reply: { messageId: first!.id, text: "Where is it?", button: null }
    })
    expect(yield* campaigns.get(id)).toMatchObject({ status: "completed", counts: { replied: 1, sent: 1 } })
    const [answer] = yield* received(world)
    expect(answer).toMatchObject({ campaign_id: id, contact_id: contact.id, button: null })
  })

  scenario("counts in the analytics of its campaign, where no other message of a customer does", function* (world) {
    const campaigns = campaignsOf(world)
    const { id, msgid } = yield* written(campaigns)
    yield* world.delivers({ statuses: [sampleBodies.inboundStatus(msgid, "read")] })
    yield* says(world, inbound.text("Where is it?", now(world)))
    yield* says(world, inbound.text("Hello?", now(world)))
    const total = { from: null, to: null, interval: "total", timezone: "UTC" } as const
    const filter = { campaignId: id, phoneNumberId: null, type: null }
    const counted = Analytics.use((analytics) => analytics.delivery(world.tenant, { ...total, ...filter }))
    expect(yield* world.run(counted)).toMatchObject([{ sent: 1, delivered: 1, read: 1, failed: 0, received: 1 }])
  })

  scenario("has its campaign in the events of what the campaign sent, too", function* (world) {
    const campaigns = campaignsOf(world)
    const { id, msgid } = yield* written(campaigns)
    const contact = yield* contactOf(campaigns, id)
    yield* world.delivers({ statuses: [sampleBodies.inboundStatus(msgid, "delivered")] })
    const own = (yield* world.events).filter(({ event }) => event.startsWith("message."))
    expect(names(own)).toEqual(["message.sent", "message.status", "message.status"])
    for (const { data } of own) expect(data).toMatchObject({ campaign_id: id, contact_id: contact.id })
  })

  scenario("may be the tap on a button, whose payload or title it has", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns)
    yield* says(world, inbound.button("Track it", now(world, { button: { text: "Track it", payload: "TRACK" } })))
    expect((yield* contactOf(campaigns, id)).reply).toMatchObject({ text: "Track it", button: "TRACK" })
    expect((yield* received(world))[0]).toMatchObject({ campaign_id: id })
    expect(JSON.stringify((yield* received(world))[0]!.button)).toContain("TRACK")
    const next = yield* written(campaigns)
    yield* says(world, inbound.button("Later", now(world, { button: { text: "Later" } })))
    expect((yield* contactOf(campaigns, next.id)).reply).toMatchObject({ text: "Later", button: "Later" })
  })

  scenario("is neither a reaction nor a message of no type that is known", function* (world) {
    const campaigns = campaignsOf(world)
    const { id, msgid } = yield* written(campaigns)
    yield* says(world, inbound.reaction("👍", now(world, { reaction: { message_id: msgid, emoji: "👍" } })))
    yield* says(world, inbound.unsupported(now(world)))
    expect((yield* contactOf(campaigns, id)).repliedAt).toBeNull()
    for (const one of yield* received(world)) expect(one.campaign_id ?? null).toBeNull()
    yield* says(world, inbound.image("Look", now(world)))
    expect(yield* contactOf(campaigns, id)).toMatchObject({ reply: { text: "Look" } })
  })

  scenario("may come until its window closes, to the millisecond", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns, { replyWindowHours: 2 })
    const { sentAt } = yield* contactOf(campaigns, id)
    yield* world.jump(sentAt! + 2 * hour - (yield* Instant.now))
    yield* says(world, inbound.text("In time", now(world)))
    expect((yield* contactOf(campaigns, id)).reply).toMatchObject({ text: "In time" })
  })

  scenario("that comes later is none", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns, { replyWindowHours: 2 })
    const { sentAt } = yield* contactOf(campaigns, id)
    yield* world.jump(sentAt! + 2 * hour + 1 - (yield* Instant.now))
    yield* says(world, inbound.text("Too late", now(world)))
    expect(yield* contactOf(campaigns, id)).toMatchObject({ repliedAt: null, reply: null })
    expect((yield* received(world))[0]!.campaign_id ?? null).toBeNull()
  })

  scenario("belongs to the latest campaign, unless it quotes the message of another one", function* (world) {
    const campaigns = campaignsOf(world)
    const older = yield* written(campaigns)
    yield* world.jump(minute)
    const newer = yield* written(campaigns)
    yield* says(world, inbound.text("Thanks", now(world)))
    expect((yield* contactOf(campaigns, newer.id)).reply).toMatchObject({ text: "Thanks" })
    expect((yield* contactOf(campaigns, older.id)).reply).toBeNull()
    yield* says(world, inbound.text("This one?", now(world, { context: { from: "15550783881", id: older.msgid } })))
    expect((yield* contactOf(campaigns, older.id)).reply).toMatchObject({ text: "This one?" })
    expect((yield* contactOf(campaigns, newer.id)).reply).toMatchObject({ text: "Thanks" })
    yield* campaigns.work(second)
    for (const { id } of [older, newer]) expect((yield* campaigns.get(id)).counts.replied).toBe(1)
  })

  scenario("of somebody to whom no campaign wrote belongs to none", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns)
    yield* says(world, inbound.text("Hi", now(world, { from: phoneOf(7), from_user_id: undefined })))
    yield* campaigns.work(second)
    expect((yield* campaigns.get(id)).counts.replied).toBe(0)
    const [one] = yield* received(world)
    expect({ campaign: one!.campaign_id ?? null, contact: one!.contact_id ?? null }).toEqual({
      campaign: null,
      contact: null
    })
  })

  scenario("of a campaign that is deleted belongs to none, and is stored as ever", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns)
    yield* campaigns.remove(id)
    yield* says(world, inbound.text("Hi", now(world)))
    expect((yield* received(world))[0]!.campaign_id ?? null).toBeNull()
    expect((yield* world.messages(ada)).map(({ type }) => type)).toEqual(["template", "text"])
  })

  scenario("that says stop counts, opts out, and keeps the next campaign away", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns)
    yield* says(world, inbound.text("STOP", now(world)))
    yield* campaigns.work(second)
    expect((yield* campaigns.get(id)).counts.replied).toBe(1)
    const list = yield* world.run(
      OptOuts.use((all) =>
        all.list(world.tenant, { phone: null, source: null, phoneNumberId: null }, { limit: 10, offset: 0 })
      )
    )
    expect(list!.items).toMatchObject([{ phone: ada, scope: "all", source: "keyword", phoneNumberId: null }])
    const next = yield* campaigns.begun([listed(ada)])
    yield* campaigns.work(second)
    expect(yield* contactOf(campaigns, next)).toMatchObject({ status: "skipped", reason: "opted_out" })
    yield* says(world, inbound.text("START", now(world)))
    const after = yield* campaigns.begun([listed(ada)])
    yield* campaigns.work(second)
    expect(yield* contactOf(campaigns, after)).toMatchObject({ status: "sent" })
  })
})

describe("the conversation of a contact", () => {
  scenario("has the words of the message, so that the agent that answers knows them", function* (world) {
    const campaigns = campaignsOf(world)
    const { id } = yield* written(campaigns)
    expect(names(yield* world.events)).not.toContain("conversation.started")
    const [message] = yield* world.messages(ada)
    expect(message).toMatchObject({
      direction: "outbound",
      role: "agent",
      type: "template",
      text: "Hello Ada, your order is on its way.",
      campaignId: id
    })
    const contact = yield* contactOf(campaigns, id)
    expect(contact).toMatchObject({ messageId: message!.id, conversationId: message!.conversationId })
    yield* world.writes("Which order?")
    yield* world.pass(10 * second)
    expect(world.model.works).toHaveLength(1)
    expect(JSON.stringify(world.model.works[0]!.messages)).toContain("your order is on its way")
    expect(world.texts(ada).filter((text) => text !== "")).toHaveLength(1)
  })

  scenario("starts with the customer's own message", function* (world) {
    const campaigns = campaignsOf(world)
    yield* written(campaigns)
    yield* written(campaigns)
    const started = Effect.map(world.events, (all) => names(all).filter((name) => name === "conversation.started"))
    expect(yield* started).toEqual([])
    yield* says(world, inbound.text("Which order?", now(world)))
    expect(yield* started).toEqual(["conversation.started"])
    yield* says(world, inbound.text("Hello?", now(world)))
    yield* written(campaigns)
    yield* says(world, inbound.text("Still there?", now(world)))
    expect(yield* started).toEqual(["conversation.started"])
    expect(yield* world.conversations).toHaveLength(1)
  })

  scenario("is the one that was there", function* (world) {
    const campaigns = campaignsOf(world)
    yield* world.writes("Hello")
    yield* world.pass(10 * second)
    const before = (yield* world.customer(ada)).conversationId
    const { id } = yield* written(campaigns)
    expect((yield* contactOf(campaigns, id)).conversationId).toBe(before)
    expect(yield* world.conversations).toHaveLength(1)
  })
})
