/** Deliveries, one promise at a time: docs/reference/webhooks.md. Verifies: HOOK-1, HOOK-2, HOOK-3, HOOK-4, HOOK-5, HOOK-6, HOOK-7, HOOK-8. */

import { Accounts, Bots, Deliveries, Ids, Instant, Storage, Subscriptions } from "@trunkline/core/effect"
import { DeliveryStore, SubscriptionStore } from "@trunkline/core/storage"
import type { DeliveryWorld } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { operator, wholeAudit } from "../../src/platform/accounts/index.ts"
import { EmailReports } from "../../src/webhooks/email/index.ts"
import { makeEmailSubscriptions, SecretRotation } from "../../src/webhooks/subscriptions/index.ts"
import { scenario, start } from "./DeliveryScenarios.ts"

const event = "payment.succeeded"
const after = (world: DeliveryWorld, host = "one.example") =>
  world.endpoints.log.filter((posted) => posted.host === host).map(({ at }) => at - start)

describe("a delivery", () => {
  // Verifies: W-93, W-96.
  scenario("is sent at once, signed, under the id that its log has", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    yield* world.publish(event, { payment_id: "p1" })
    yield* world.tick(0)
    const [posted] = world.endpoints.log
    const [row] = yield* world.log(id)
    expect(posted!.headers).toMatchObject({
      "Content-Type": "application/json",
      "X-Service-Event": event,
      "X-Service-Delivery": row!.id,
      "webhook-id": row!.id
    })
    expect(JSON.parse(posted!.body)).toEqual({
      event,
      data: { payment_id: "p1" },
      timestamp: "2026-11-21T09:00:00.000+00:00"
    })
    expect(row).toMatchObject({ status: "delivered", attempts: 1, statusCode: 200, error: null, deliveredAt: start })
  })

  // Verifies: W-98, W-100, W-102, W-149.
  scenario(
    "that fails is tried 2, 4, 8 and 16 seconds after the attempt before, and not a sixth time",
    function* (world) {
      const { id } = yield* world.subscribe("one.example")
      world.endpoints.moods.set("one.example", { _tag: "Answers", status: 500 })
      yield* world.publish(event)
      yield* world.tick(0)
      yield* world.pass(120_000)
      expect(after(world)).toEqual([0, 2_000, 6_000, 14_000, 30_000])
      const [row] = yield* world.log(id)
      expect(row).toMatchObject({ status: "failed", attempts: 5, statusCode: 500, deliveredAt: null })
      expect(new Set(world.endpoints.log.map(({ delivery }) => delivery)).size).toBe(1)
    }
  )

  // Verifies: E-69.
  scenario("is not sent again by a process that stood still until its claim was over", function* (world) {
    yield* world.boot
    const { id } = yield* world.subscribe("one.example")
    yield* world.publish(event)
    world.processes[0]!.stall({ steps: 1, when: "after", at: null })
    yield* world.tick(0)
    expect(world.endpoints.log).toEqual([])
    yield* world.pass(31_000)
    expect(world.endpoints.log).toHaveLength(1)
    yield* world.processes[0]!.resume
    yield* world.pass(60_000)
    expect(world.endpoints.log).toHaveLength(1)
    expect(yield* world.log(id)).toMatchObject([{ status: "delivered", attempts: 2 }])
  })

  // Verifies: E-69.
  scenario("gets all of its attempts although a process stood still before it began one", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    world.endpoints.moods.set("one.example", { _tag: "Answers", status: 500 })
    yield* world.publish(event)
    yield* world.tick(0)
    const [first] = yield* world.log(id)
    yield* world.pass(2_000, false)
    world.processes[0]!.stall({ steps: 1, when: "after", at: "storage" })
    yield* world.tick(0)
    yield* world.pass(12_000, false)
    yield* world.processes[0]!.resume
    yield* world.settle
    expect(yield* world.log(id)).toEqual([{ ...first!, nextAt: start + 2_000 }])
    yield* world.pass(60_000)
    expect(after(world)).toHaveLength(5)
    expect(yield* world.log(id)).toMatchObject([{ status: "failed", attempts: 5 }])
  })

  // Verifies: E-25, W-37, W-99.
  scenario("succeeds with a status from 200 to 299, and with no other", function* (world) {
    for (const [status, success] of [
      [200, true],
      [299, true],
      [300, false],
      [304, false],
      [199, false]
    ] as const) {
      const host = `s${status}.example`
      const { id } = yield* world.subscribe(host)
      world.endpoints.moods.set(host, { _tag: "Answers", status })
      yield* world.publish(event)
      yield* world.tick(0)
      const [row] = yield* world.log(id)
      expect([status, row!.status]).toEqual([status, success ? "delivered" : "pending"])
      yield* world.change(id, { isActive: false })
    }
  })

  // Verifies: E-28, W-36, W-101, W-125, W-151.
  scenario("to an endpoint that says nothing is given up after ten seconds and tried again", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    world.endpoints.moods.set("one.example", { _tag: "Hangs" })
    yield* world.publish(event)
    yield* world.tick(0)
    yield* world.pass(9_000)
    expect((yield* world.log(id))[0]).toMatchObject({ status: "pending", error: null })
    yield* world.pass(1_000)
    expect((yield* world.log(id))[0]).toMatchObject({ error: "No answer within 10 seconds.", statusCode: null })
    yield* world.pass(2_000)
    expect(after(world)).toEqual([0, 12_000])
  })

  // Verifies: E-26, W-112.
  scenario("is not sent to a name of a private address, and does not show the address", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    world.endpoints.moods.set("one.example", { _tag: "Inside" })
    yield* world.publish(event)
    yield* world.tick(0)
    yield* world.pass(60_000)
    const [row] = yield* world.log(id)
    expect(world.endpoints.log).toEqual([])
    expect(row).toMatchObject({ status: "failed", attempts: 5 })
    expect(row!.error).toMatch(/public addresses/)
    expect(row!.error).not.toMatch(/10\.0/)
  })

  // Verifies: E-27.
  scenario("goes to the present address and is signed with the present secret at each attempt", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    world.endpoints.moods.set("one.example", { _tag: "Refuses" })
    yield* world.publish(event)
    yield* world.tick(0)
    yield* world.change(id, { url: "https://two.example/other" })
    const rotated = yield* world.run(
      SecretRotation.use((rotation) =>
        rotation.rotate({ tenantId: world.tenant, webhookId: id, overlapMs: 0 }, operator)
      )
    )
    world.secrets.set(id, [rotated!.secret])
    yield* world.pass(2_000)
    expect(after(world, "two.example")).toEqual([2_000])
    const { verifyWebhook } = yield* Effect.promise(() => import("@trunkline/core/domain"))
    const { body, headers } = world.endpoints.log.at(-1)!
    expect(verifyWebhook(rotated!.secret, headers, body).ok).toBe(true)
  })

  // Verifies: E-23, E-24, W-98.
  scenario("whose process died is made again with the same id, and counts", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    yield* world.publish(event)
    // The claim, the look-up of the name and the POST: it dies before it hears of the answer.
    world.processes[0]!.death = { steps: 3, when: "after", at: null }
    yield* world.tick(0)
    expect(world.deaths).toBe(1)
    yield* world.pass(60_000)
    expect(world.endpoints.log.map(({ delivery }) => delivery)).toEqual(Array(2).fill((yield* world.log(id))[0]!.id))
    expect((yield* world.log(id))[0]).toMatchObject({ status: "delivered", attempts: 2 })
    expect(after(world)[1]).toBeLessThanOrEqual(60_000)
  })

  scenario("that arrived is not sent again because its end could not be written", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    yield* world.publish(event)
    world.isFull = true
    yield* world.tick(0)
    yield* world.pass(100_000)
    expect(after(world)).toEqual([0])
    expect((yield* world.log(id))[0]!.status).toBe("pending")
    world.isFull = false
    yield* world.pass(2_000)
    expect((yield* world.log(id))[0]).toMatchObject({ status: "delivered", attempts: 1 })
    expect(after(world)).toEqual([0])
  })

  // Verifies: E-57.
  scenario("goes on for three days where its subscription asks for it", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    yield* world.change(id, { retrySchedule: "long" })
    world.endpoints.moods.set("one.example", { _tag: "Refuses" })
    yield* world.publish(event)
    for (let n = 0; n < 13; n++) {
      yield* world.tick(0)
      const store = DeliveryStore.use((s) => Storage.use((storage) => storage.read(s.nextDue([]))))
      const next = yield* world.look(store)
      if (next === null) break
      yield* TestClock.setTime(next)
    }
    expect((yield* world.log(id))[0]).toMatchObject({ status: "failed", attempts: 13 })
    const last = after(world).at(-1)!
    expect(last).toBeGreaterThan(3 * Instant.day)
    expect(last).toBeLessThan(3.5 * Instant.day)
  })
})

describe("a subscription", () => {
  // Verifies: E-11, E-12, W-41.
  scenario(
    "that is paused gets no new events, keeps its retries, and goes on when it is active again",
    function* (world) {
      const { id } = yield* world.subscribe("one.example")
      world.endpoints.moods.set("one.example", { _tag: "Refuses" })
      yield* world.publish(event, { n: 1 })
      yield* world.tick(0)
      yield* world.change(id, { isActive: false })
      world.endpoints.moods.delete("one.example")
      yield* world.publish(event, { n: 2 })
      yield* world.pass(60_000)
      expect(after(world)).toEqual([0])
      yield* world.change(id, { isActive: true })
      yield* world.tick(0)
      expect(after(world)).toEqual([0, 60_000])
      const log = yield* world.log(id)
      expect(log).toHaveLength(1)
      expect(log[0]).toMatchObject({ status: "delivered", attempts: 2 })
    }
  )

  // Verifies: E-9.
  scenario("limited to an agent gets that agent's events alone, and those it names alone", function* (world) {
    const agent = yield* world.run(
      Bots.use((bots) =>
        bots.create(world.tenant, { name: "Asha", type: "messaging", systemPrompt: null, isActive: true, config: {} })
      )
    )
    const all = yield* world.subscribe("all.example")
    const named = yield* world.subscribe("named.example", { events: ["invoice.created"] })
    const limited = yield* world.subscribe("limited.example", { botId: agent!.id })
    const publish = (name: string, botId: Ids.BotId | null) =>
      world.run(
        Effect.flatMap(
          Effect.promise(() => import("@trunkline/core/effect")),
          ({ Publishing }) =>
            Publishing.use((publishing) => publishing.publish(world.tenant, { event: name, data: {}, botId }))
        )
      )
    yield* publish("invoice.created", null)
    yield* publish(event, agent!.id)
    yield* publish(event, Ids.as("00000000-0000-7000-8000-000000000001"))
    const events = (id: Ids.WebhookId) => Effect.map(world.log(id), (log) => log.map((row) => row.event).reverse())
    expect(yield* events(all.id)).toEqual(["invoice.created", event, event])
    expect(yield* events(named.id)).toEqual(["invoice.created"])
    expect(yield* events(limited.id)).toEqual([event])
  })

  scenario("of another account gets nothing", function* (world) {
    const other = yield* world.run(
      Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true }))
    )
    const made = yield* world.run(
      Subscriptions.use((subscriptions) =>
        subscriptions.create(other!.id, { url: "https://other.example/", events: [] })
      )
    )
    yield* world.publish(event)
    yield* world.tick(0)
    expect(world.endpoints.log).toEqual([])
    expect(yield* world.log(made!.subscription.id)).toEqual([])
  })

  // Verifies: E-58.
  scenario("is turned off after its configured days, if nothing arrived in them", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    yield* world.change(id, { pauseAfterDays: 2 })
    world.endpoints.moods.set("one.example", { _tag: "Refuses" })
    const state = Effect.map(
      world.run(Subscriptions.use((subscriptions) => subscriptions.get(world.tenant, id))),
      (found) => [found!.isActive, found!.failingSince === null]
    )
    yield* world.publish(event)
    yield* world.pass(40_000)
    expect(yield* state).toEqual([true, false])
    yield* TestClock.setTime(start + 2 * Instant.day + 31_000)
    yield* world.publish(event)
    yield* world.pass(40_000)
    expect(yield* state).toEqual([false, false])
    yield* world.change(id, { isActive: true })
    expect(yield* state).toEqual([true, true])
  })

  scenario("that fails now and then is not turned off: one success and it is well again", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    yield* world.change(id, { pauseAfterDays: 1 })
    world.endpoints.moods.set("one.example", { _tag: "Refuses" })
    yield* world.publish(event)
    yield* world.pass(40_000)
    world.endpoints.moods.delete("one.example")
    yield* world.publish(event)
    yield* world.tick(0)
    const found = yield* world.run(Subscriptions.use((subscriptions) => subscriptions.get(world.tenant, id)))
    expect(found!.failingSince).toBeNull()
  })

  // Verifies: E-56.
  scenario(
    "is sent what failed since an instant again, each as a row of its own, when it asks for it",
    function* (world) {
      const { id } = yield* world.subscribe("one.example")
      world.endpoints.moods.set("one.example", { _tag: "Refuses" })
      for (let n = 0; n < 3; n++) {
        yield* world.publish(event, { n })
        yield* world.pass(40_000)
      }
      world.endpoints.moods.delete("one.example")
      yield* world.publish(event, { n: "well" })
      yield* world.tick(0)
      const since = Instant.make(start + 40_000)
      const queued = yield* world.run(
        Deliveries.use((deliveries) => deliveries.recover({ tenantId: world.tenant, webhookId: id, since }, operator))
      )
      expect(queued).toBe(2)
      const before = world.endpoints.log.length
      yield* world.tick(0)
      const again = world.endpoints.log.slice(before).map(({ body }) => JSON.parse(body).data.n)
      expect(again).toEqual([1, 2])
      expect(yield* world.log(id)).toHaveLength(6)
    }
  )

  scenario("is gone with its log, and what was under way to it is not recorded", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    world.endpoints.moods.set("one.example", { _tag: "Hangs" })
    yield* world.publish(event)
    yield* world.tick(0)
    yield* world.run(Subscriptions.use((subscriptions) => subscriptions.remove(world.tenant, id, operator)))
    yield* world.pass(60_000)
    expect(after(world)).toEqual([0])
    const audit = yield* world.run(
      Accounts.use((accounts) => accounts.audit(world.tenant, wholeAudit, { limit: 9, offset: 0 }))
    )
    expect(audit!.items.map(({ action, targetId }) => [action, targetId])).toContainEqual(["webhook.delete", id])
  })

  // Verifies: E-8.
  scenario("has a secret that the storage cannot read", function* (world) {
    const { id } = yield* world.subscribe("one.example")
    const stored = yield* world.look(
      SubscriptionStore.use((s) =>
        Storage.use((storage) => storage.read(s.find({ tenantId: world.tenant, surface: "platform", id })))
      )
    )
    const [secret] = world.secrets.get(id)!
    expect(stored!.secret).not.toContain(secret)
    expect(stored!.secretHint).toBe(`whse****${secret!.slice(-4)}`)
  })
})

describe("an endpoint", () => {
  scenario("is asked one thing at a time until it has answered, and then as many as it may have", function* (world) {
    world.endpoints.moods.set("new.example", { _tag: "Hangs" })
    yield* world.subscribe("new.example")
    for (let n = 0; n < 40; n++) yield* world.publish(event, { n })
    yield* world.tick(0)
    yield* world.tick(0)
    expect(world.endpoints.hanging).toBe(1)
    world.endpoints.moods.delete("new.example")
    // The first attempt has no answer, the second one has.
    yield* world.pass(10_000)
    world.endpoints.moods.set("new.example", { _tag: "Hangs" })
    yield* world.tick(0)
    expect(world.endpoints.hanging).toBe(16)
  })

  // Verifies: E-59.
  scenario("that begins to hang uses its own places and nobody else's", function* (world) {
    const dead = yield* world.subscribe("dead.example")
    yield* world.publish(event)
    yield* world.tick(0)
    expect((yield* world.log(dead.id))[0]!.status).toBe("delivered")
    world.endpoints.moods.set("dead.example", { _tag: "Hangs" })
    for (let n = 0; n < 200; n++) yield* world.publish(event, { n })
    const well = yield* world.subscribe("well.example")
    yield* world.publish(event)
    yield* world.tick(0)
    expect((yield* world.log(well.id))[0]!.status).toBe("delivered")
    expect(after(world, "dead.example")).toHaveLength(1 + 16)
    // It has been silent for ten seconds: from now on it is asked one thing at a time.
    yield* world.pass(10_000)
    expect(world.endpoints.hanging).toBe(1)
    expect((yield* world.log(dead.id)).filter(({ attempts }) => attempts > 0)).toHaveLength(1 + 17)
  })

  scenario("among a thousand hangs, and the others have everything at once", function* (world) {
    world.endpoints.moods.set("e500.example", { _tag: "Hangs" })
    yield* world.look(
      Storage.use((storage) =>
        storage.transact(
          SubscriptionStore.use((store) =>
            Effect.forEach(
              Array.from({ length: 1000 }, (_, n) => n),
              (n) =>
                Effect.flatMap(Ids.fresh<"Webhook">(), (id) =>
                  store.add({
                    id,
                    tenantId: world.tenant,
                    surface: "platform",
                    url: `https://e${n}.example/hook`,
                    description: null,
                    events: [],
                    secret: "v0.whsec_AAAA",
                    secretHint: "whse****AAAA",
                    previousSecret: null,
                    previousUntil: null,
                    isActive: true,
                    botId: null,
                    retrySchedule: "standard",
                    pauseAfterDays: null,
                    failingSince: null,
                    createdAt: Instant.make(start),
                    updatedAt: Instant.make(start)
                  })
                )
            )
          )
        )
      )
    )
    yield* world.publish(event)
    yield* world.publish(event)
    for (let n = 0; n < 60; n++) yield* world.tick(0)
    const reached = Map.groupBy(world.endpoints.log, ({ host }) => host)
    expect(reached.size).toBe(1000)
    expect([...reached].filter(([, { length }]) => length !== 2).map(([host]) => host)).toEqual(["e500.example"])
    expect(world.endpoints.hanging).toBe(1)
  })

  scenario("ninety-nine of which are dead leave places for the first attempts of others", function* (world) {
    for (let n = 0; n < 99; n++) {
      world.endpoints.moods.set(`dead${n}.example`, { _tag: "Hangs" })
      yield* world.subscribe(`dead${n}.example`)
    }
    yield* world.publish(event)
    yield* world.tick(0)
    yield* world.pass(30_000)
    const well = yield* world.subscribe("well.example")
    yield* world.publish("invoice.created")
    yield* world.pass(12_000)
    expect((yield* world.log(well.id))[0]!.status).toBe("delivered")
  })
})

describe("a team chat", () => {
  scenario("gets chat blocks instead of the JSON body, signed like any other", function* (world) {
    const { id } = yield* world.subscribe("hooks.slack.com")
    yield* world.publish(event, { payment_id: "p <1>" })
    yield* world.tick(0)
    const { body, headers } = world.endpoints.log[0]!
    expect(JSON.parse(body)).toMatchObject({ text: expect.any(String), blocks: expect.any(Array) })
    expect(body).toContain("p &lt;1&gt;")
    const { verifyWebhook } = yield* Effect.promise(() => import("@trunkline/core/domain"))
    expect(verifyWebhook(world.secrets.get(id)!, headers, body)).toMatchObject({ ok: true })
  })
})

describe("email", () => {
  const report = (world: DeliveryWorld, given: Parameters<EmailReports["Service"]["report"]>[1]) =>
    world.run(EmailReports.use((reports) => reports.report(world.tenant, given)))

  const subscribe = (world: DeliveryWorld, host: string) =>
    world.run(
      Effect.flatMap(makeEmailSubscriptions, (subscriptions) =>
        subscriptions.create(world.tenant, { url: `http://${host}/mail`, events: [] })
      )
    )

  // Verifies: E-39, E-45, W-115.
  scenario("that bounced is published, and its address suppressed, once for one key", function* (world) {
    const made = yield* subscribe(world, "mail.example")
    const bounce = {
      type: "email.bounced",
      recipient: "Ann@Example.com",
      messageId: "<m1@x>",
      detail: "550 no such user",
      idempotencyKey: "k"
    }
    expect(yield* report(world, bounce)).toBe(true)
    expect(yield* report(world, bounce)).toBe(false)
    yield* world.tick(0)
    const posts = world.endpoints.log
    expect(posts).toHaveLength(1)
    expect(JSON.parse(posts[0]!.body)).toEqual({
      type: "email.bounced",
      created_at: "2026-11-21T09:00:00.000Z",
      data: {
        email_id: null,
        message_id: "<m1@x>",
        recipient: "Ann@Example.com",
        detail: "550 no such user",
        domain: null
      }
    })
    expect(Object.keys(posts[0]!.headers)).not.toContain("webhook-signature")
    const suppressed = yield* world.run(
      EmailReports.use((reports) => reports.suppressed(world.tenant, { limit: 9, offset: 0 }))
    )
    expect(suppressed!.items).toMatchObject([
      { email: "ann@example.com", reason: "bounced", detail: "550 no such user" }
    ])
    expect((yield* world.log(made!.subscription.id))[0]!.status).toBe("delivered")
  })

  // Verifies: E-33, W-38, W-124, W-150.
  scenario("is tried three times, about 5 and 25 seconds after the attempt before", function* (world) {
    const made = yield* subscribe(world, "mail.example")
    world.endpoints.moods.set("mail.example", { _tag: "Answers", status: 503 })
    yield* report(world, { type: "email.complained", recipient: "a@b.example" })
    yield* world.tick(0)
    yield* world.pass(60_000)
    const [first, second, third, ...more] = after(world, "mail.example")
    expect(first).toBe(0)
    expect(second! - first!).toBeGreaterThanOrEqual(4_000)
    expect(second! - first!).toBeLessThanOrEqual(7_000)
    expect(third! - second!).toBeGreaterThanOrEqual(20_000)
    expect(third! - second!).toBeLessThanOrEqual(31_000)
    expect(more).toEqual([])
    expect((yield* world.log(made!.subscription.id))[0]).toMatchObject({ status: "failed", attempts: 3 })
  })

  // Verifies: W-31, W-39, W-127.
  scenario("to an address inside is blocked without a POST, and not tried again", function* (world) {
    const made = yield* subscribe(world, "mail.example")
    world.endpoints.moods.set("mail.example", { _tag: "Inside" })
    yield* report(world, { type: "email.bounced", recipient: "a@b.example" })
    yield* world.tick(0)
    yield* world.pass(60_000)
    expect(world.endpoints.log).toEqual([])
    const [row] = yield* world.log(made!.subscription.id)
    expect(row).toMatchObject({ status: "blocked", attempts: 0, statusCode: null })
  })
})
