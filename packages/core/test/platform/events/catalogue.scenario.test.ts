/** What the rooms write is what the catalogue says: docs/reference/events.md#catalogue. */

import { Bots, type Event, Ids, Instant, Keys, VoiceAlerts, VoiceSessions } from "@trunkline/core/effect"
import { newSessionOf, type UsageDetails } from "@trunkline/core/testing"
import {
  inboundStatus,
  refuses,
  sampleBusinessAccount,
  sampleCustomer,
  sampleNumber
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { afterAll, describe, expect } from "vitest"
import { Inbound } from "../../../src/messaging/inbound/index.ts"
import { Payments } from "../../../src/messaging/payments/index.ts"
import { Outgoing } from "../../../src/messaging/sending/index.ts"
import { makeKeyExpiry, operator } from "../../../src/platform/accounts/index.ts"
import { Metering } from "../../../src/platform/billing/index.ts"
import { makeAlertWorker } from "../../../src/voice/alerts/index.ts"
import { scenario } from "../../calling/calls/Scenarios.ts"
import { scenario as chat } from "../../messaging/ReplyScenarios.ts"
import { analysisScenario, good } from "../../voice/analysis/AnalysisScenarios.ts"
import { catalogueEntry, platformEvents } from "./AllEvents.ts"
import { strictly } from "./StrictEvents.ts"

const [a, b, c, d] = ["+14155550101", "+14155550102", "+14155550103", "+14155550104"]

const seen = new Set<string>()

const expectKnown = (events: ReadonlyArray<Event>) => {
  expect(events.length).toBeGreaterThan(0)
  for (const { event } of events) seen.add(event)
  expect(events.flatMap(({ data, event }) => strictly(event, data))).toEqual([])
}

describe("the events of", () => {
  // Verifies: W-85, W-86.
  scenario("a campaign with answered, busy, failed and cancelled calls are as the catalogue says", function* (stage) {
    yield* stage.running({ maxAttempts: 1, paceSeconds: 5 }, [a, b, c, d])
    yield* stage.rest
    yield* stage.completeCall(a, 61)
    yield* stage.wait(5_000)
    yield* stage.end(b, "busy")
    yield* stage.wait(5_000)
    yield* stage.end(c, "failed")
    yield* stage.wait(5_000)
    yield* stage.suppress(d)
    yield* stage.rest
    expectKnown(yield* stage.events)
  })

  // Verifies: W-85.
  scenario(
    "a parallel dial with machines, a winner and a person who came too late are as the catalogue says",
    function* (stage) {
      yield* stage.running({ dialMode: "parallel", parallelLines: 4, amdEnabled: true }, [a, b, c, d])
      yield* stage.rest
      yield* stage.answer(a, "machine")
      yield* stage.answer(b)
      yield* stage.completeCall(b, 10)
      yield* stage.wait(60_000)
      expectKnown(yield* stage.events)
    }
  )

  // Verifies: W-86.
  scenario(
    "a campaign that cannot dial are as the catalogue says",
    function* (stage) {
      yield* stage.running({ dialMode: "parallel", parallelLines: 4 }, [a, b, c, d])
      yield* stage.wait(60_000)
      expectKnown(yield* stage.events)
    },
    { carrier: { onPlace: () => "configuration" } }
  )

  // Verifies: E-50.
  scenario("a call that was asked for through the API are as the catalogue says", function* (stage) {
    yield* stage.dial("+1 (415) 555-0101")
    yield* stage.rest
    yield* stage.hangUp("+1 (415) 555-0101")
    yield* stage.rest
    expectKnown(yield* stage.events)
  })

  scenario("a balance that falls and a key that expires are as the catalogue says", function* (stage) {
    yield* stage.leaveCredit(100_000_000_000n)
    yield* stage.running({ maxAttempts: 1 }, [a])
    yield* stage.rest
    yield* stage.completeCall(a, 30)
    yield* stage.rest
    const expiresAt = Instant.plus(yield* Instant.now, 1)
    yield* stage.run(
      Keys.use((keys) =>
        keys.create(
          {
            tenantId: stage.tenant,
            name: null,
            scopes: ["*"],
            permissions: [],
            budget: null,
            budgetPeriod: "total",
            allowedModels: null,
            allowedDomains: null,
            searchProviders: null,
            requestsPerMinute: null,
            concurrency: null,
            expiresAt
          },
          operator
        )
      )
    )
    yield* TestClock.adjust(10)
    yield* stage.run(Effect.flatMap(makeKeyExpiry, (expiry) => expiry.tick))
    expectKnown(yield* stage.events)
  })

  scenario("a budget that is spent are as the catalogue says", function* (stage) {
    const key = {
      id: yield* Ids.fresh<"Key">(),
      name: "web",
      prefix: "svc_abc",
      budget: 10n,
      budgetPeriod: "month"
    } as const
    const payer = { tenantId: stage.tenant, plan: "pro", monthlyBudget: null, key } as const
    const used: UsageDetails = {
      requestId: "r",
      model: "saaras:v3",
      httpStatus: 200,
      units: 1,
      unit: "seconds",
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheCreationTokens: 0,
      latencyMs: 1,
      sessionId: null,
      traceId: null
    }
    const spend = (amount: bigint) =>
      Effect.gen(function* () {
        const metering = yield* Metering
        const work = { id: yield* Ids.fresh<"Usage">(), payer, service: "stt", maxCost: amount } as const
        yield* metering.reserve(work)
        yield* metering.settle(work, amount, used)
      })
    yield* stage.run(spend(8n))
    yield* stage.run(spend(2n))
    expectKnown(yield* stage.events)
  })

  // Verifies: W-158.
  scenario(
    "a voice session that is talked through, and of one that nobody came to, are as the catalogue says",
    function* (stage) {
      const program = Effect.gen(function* () {
        const agent = { name: "Asha", type: "messaging", systemPrompt: null, isActive: true, config: {} }
        const { id: botId } = yield* Bots.use((bots) => bots.create(stage.tenant, agent))
        const wanted = newSessionOf({ botId, sttModel: "nova-3", language: "en" })
        const voice = yield* VoiceSessions
        const one = yield* voice.create(stage.tenant, { plan: "pro", key: null }, wanted)
        const two = yield* voice.create(stage.tenant, { plan: "pro", key: null }, wanted)
        yield* voice.connected(stage.tenant, one.id, null)
        yield* voice.end(stage.tenant, one.id, "caller_hangup")
        yield* voice.end(stage.tenant, two.id, "agent_error")
      })
      yield* stage.run(program)
      expectKnown(yield* stage.events)
    }
  )

  // Verifies: E-51, N-46, W-155, W-156, W-157.
  chat("conversations and messages are as the catalogue says, also of what nobody accepted", function* (world) {
    const text = "Your tea."
    const message = { type: "text", text, body: { body: text }, answers: null, options: {} } as const
    const person = { phone: sampleCustomer.phone, userRef: null, name: null }
    const sends = Effect.gen(function* () {
      const to = { _tag: "Phone", phone: person.phone } as const
      const dispatch = { number: yield* world.number, person, to, message, callbackData: "order 7" }
      const sending = Outgoing.use((outgoing) => outgoing.send(dispatch))
      yield* Effect.exit(world.run(sending))
    })
    yield* world.writes("Hi")
    yield* world.pass(2 * Instant.second)
    yield* sends
    const taken = world.platform.accepted.at(-1)!
    yield* world.delivers({ statuses: [inboundStatus(taken.id, "delivered"), inboundStatus(taken.id, "read")] })
    world.platform.next(refuses(131026))
    yield* sends
    yield* world.jump(2 * Instant.day)
    yield* world.delivers({ messages: [world.text("Still there?")] })
    const events = yield* world.events
    expectKnown(events)
    const statuses = events.filter(({ event }) => event === "message.status").map(({ data }) => data)
    const reported = statuses.filter((data) => data.biz_opaque_callback_data === "order 7")
    expect(reported.map(({ msgid, status }) => [msgid, status])).toEqual([
      [taken.id, "sent"],
      [taken.id, "delivered"],
      [taken.id, "read"],
      [null, "failed"]
    ])
    const sent = events.find(({ data, event }) => event === "message.sent" && data.msgid === taken.id)!
    expect(reported.slice(0, 3).map(({ id }) => id)).toEqual(Array.from({ length: 3 }, () => sent.data.id))
    const failed = (yield* world.messages()).find(({ status }) => status === "failed")!
    expect(reported[3]).toMatchObject({ id: failed.id, error: expect.stringMatching(/\(platform code 131026\)$/) })
    // The agent's own answer carries no callback data.
    expect(statuses[0]).toMatchObject({ status: "sent", biz_opaque_callback_data: null })
  })

  // Verifies: OPT-1.
  chat("what people want are as the catalogue says", function* (world) {
    yield* world.writes("STOP")
    yield* world.writes("START")
    const events = yield* world.events
    expectKnown(events)
    expect(
      events.filter(({ event }) => event === "contact.preference").map(({ data }) => [data.preference, data.source])
    ).toEqual([
      ["stopped", "keyword"],
      ["resumed", "keyword"]
    ])
  })

  // Verifies: TPL-2.
  chat("templates and numbers are as the catalogue says", function* (world) {
    const reports = [
      { _tag: "Template", id: "5", name: "welcome", language: "en", news: { _tag: "Quality", quality: "RED" } },
      { _tag: "Limit", limit: { tier: "TIER_2K", perDay: 2000 } },
      { _tag: "Restriction", restriction: { type: "RESTRICTED_BIZ_INITIATED_MESSAGING", until: yield* Instant.now } }
    ] as const
    const accounts = [{ accountId: sampleBusinessAccount, at: null, reports }]
    yield* world.run(Inbound.use((inbound) => inbound.receive({ channel: "cloud-api", batches: [], accounts })))
    const events = yield* world.events
    expectKnown(events)
    expect(events.map(({ data, event }) => [event, data.change])).toEqual([
      ["template.status", "quality"],
      ["number.status", "messaging_limit"],
      ["number.status", "restriction"]
    ])
  })

  // Verifies: PAYM-5.
  chat("payments are as the catalogue says", function* (world) {
    const bill = { configuration: "shop", kind: "digital", currency: "INR", body: "Your order" } as const
    const none = { tax: null, shipping: null, discount: null, footer: null, headerImage: null }
    const items = [{ retailerId: "tea", name: "Tea", amount: 500, quantity: 1, saleAmount: null }]
    const given = { ...bill, ...none, items, phoneNumberId: sampleNumber.phoneNumberId, expiresAt: null }
    const to = { _tag: "Phone", digits: sampleCustomer.phone } as const
    const shop = { name: "shop", status: "Active", provider: "razorpay", merchantId: null, vpa: null }
    world.platform.configurations.push({ ...shop, categoryCode: null, purposeCode: null, updatedAt: null })
    yield* world.writes("Hello")
    const facts = { status: "captured", amount: 500, currency: "INR", transactions: [] } as const
    world.platform.payments.set("paid", { ...facts, referenceId: "paid" })
    yield* world.run(
      Payments.use((payments) =>
        Effect.gen(function* () {
          const expiresAt = Instant.plus(yield* Instant.now, 5 * Instant.minute)
          const paid = yield* payments.create(world.tenant, { ...given, to, referenceId: "paid" })
          yield* payments.refresh(world.tenant, paid.id)
          const other = yield* payments.create(world.tenant, { ...given, to, referenceId: "other", expiresAt })
          yield* TestClock.adjust(5 * Instant.minute)
          yield* payments.settleDue
          yield* payments.update(world.tenant, other.id, { status: "canceled", body: "Sorry", description: null })
        })
      )
    )
    const events = yield* world.events
    expectKnown(events)
    expect(events.flatMap(({ event }) => (event.startsWith("payment") ? [event] : []))).toEqual([
      "payment_request.paid",
      "payment_request.expired",
      "payment_request.cancelled"
    ])
  })

  analysisScenario("an analysis of a voice session are as the catalogue says", function* (on) {
    on.model.says(good)
    yield* on.ended()
    yield* on.works
    expectKnown(yield* on.stage.events)
  })

  scenario("an alert are as the catalogue says", function* (stage) {
    const rule = { name: "Few calls", metric: "call_volume", comparison: "below", threshold: 1 } as const
    const more = { windowSeconds: 60, botId: null, enabled: true, cooldownSeconds: 0 }
    yield* stage.run(VoiceAlerts.use((alerts) => alerts.create(stage.tenant, { ...rule, ...more })))
    yield* TestClock.adjust(Instant.minute)
    yield* stage.run(Effect.flatMap(makeAlertWorker, (worker) => worker.tick))
    expectKnown(yield* stage.events)
  })

  // Last, because it looks at what the others have seen.
  afterAll(() => {
    const own = platformEvents.filter((name) => catalogueEntry(name).source === "product")
    expect([...seen].sort()).toEqual([...own].sort())
  })
})
