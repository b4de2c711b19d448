/** What is removed when it is old, and what stays. Verifies: STOR-7, STOR-8. */
import { assert } from "@effect/vitest"
import { Ids, Instant, type Message, read, transact } from "@trunkline/core/effect"
import {
  CallStore,
  CallSupervisionStore,
  DeliveryStore,
  MessageStore,
  OutboxStore,
  SubscriptionStore,
  UsageLogStore
} from "@trunkline/core/storage"
import { Retention, RetentionSettings, type UsageRow } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Rows from "./Rows.ts"
import { pause, suite } from "./Subject.ts"

/** Of one source ids ascend, whatever their instants. */
const idAt = (at: Instant.Instant) => Ids.ascending().next(at)

const usageRow = (createdAt: Instant.Instant): UsageRow => ({
  id: Ids.as(idAt(createdAt)),
  tenantId: Rows.id(),
  keyId: null,
  createdAt,
  requestId: "r",
  service: "llm",
  model: "m",
  httpStatus: 200,
  units: 1,
  unit: "tokens",
  inputTokens: 1,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  credits: 0n as UsageRow["credits"],
  latencyMs: 1,
  sessionId: null,
  traceId: null
})

const callOf = (createdAt: Instant.Instant, over: Parameters<typeof Rows.call>[1] = {}) =>
  Rows.call(Rows.id(), { id: Ids.as(idAt(createdAt)), createdAt, startedAt: createdAt, ...over })

const messageOf = (
  customer: ReturnType<typeof Rows.customer>,
  createdAt: Instant.Instant,
  over: Partial<Message> = {}
) => Rows.message(customer, { id: Ids.as(idAt(createdAt)), createdAt, ...over })

/** One row of each kind of each instant; ids ascend with the instants. */
const addRows = (instants: ReadonlyArray<Instant.Instant>) =>
  transact(
    Effect.gen(function* () {
      const webhook = Rows.webhook(Rows.id())
      yield* SubscriptionStore.use((store) => store.add(webhook))
      const customer = Rows.customer(Rows.number(Rows.id()))
      const calls = instants.map((at) => callOf(at, { endedAt: at }))
      const messages = instants.map((at) => messageOf(customer, at))
      const usage = instants.map(usageRow)
      const finished = instants.map((at) =>
        Rows.delivery(webhook, { id: Ids.as(idAt(at)), createdAt: at, status: "delivered", nextAt: null })
      )
      const events = instants.map((at) => ({
        id: Ids.as<"Event">(idAt(at)),
        event: "call.started" as const,
        tenantId: webhook.tenantId,
        botId: null,
        data: {},
        at
      }))
      for (const one of usage) yield* UsageLogStore.use((store) => store.add(one))
      yield* DeliveryStore.use((store) => store.add(finished))
      yield* OutboxStore.use((store) => store.append(events))
      for (const one of calls) yield* CallStore.use((store) => store.add(one))
      for (const one of messages) yield* MessageStore.use((store) => store.add(one))
      return { usage, finished, events, calls, messages }
    })
  )

type Added = Effect.Success<ReturnType<typeof addRows>>

/** Which of the rows are there, of each kind in their order. */
const present = ({ calls, events, finished, messages, usage }: Added) =>
  read(
    Effect.gen(function* () {
      const recorded = yield* OutboxStore.use((store) => store.after(null, 1000))
      const known = new Set(recorded.map(({ id }) => id))
      return {
        usage: yield* Effect.forEach(usage, ({ id, tenantId }) =>
          UsageLogStore.use((store) => Effect.map(store.position(tenantId, id), (found) => found !== null))
        ),
        deliveries: yield* Effect.forEach(finished, ({ id, tenantId, webhookId }) =>
          DeliveryStore.use((store) => Effect.map(store.find({ id, tenantId, webhookId }), (found) => found !== null))
        ),
        events: events.map(({ id }) => known.has(id)),
        calls: yield* Effect.forEach(calls, ({ id }) =>
          CallStore.use((store) => Effect.map(store.findInAnyAccount(id), (found) => found !== null))
        ),
        messages: yield* Effect.forEach(messages, ({ id }) =>
          MessageStore.use((store) => Effect.map(store.byId(id), (found) => found !== null))
        )
      }
    })
  )

const ofAllKinds = <A>(of: A) => ({ usage: of, deliveries: of, events: of, calls: of, messages: of })

const tick = (settings: RetentionSettings) =>
  Retention.use((retention) => retention.tick).pipe(
    Effect.provide(Layer.provide(Retention.layer, Layer.succeed(RetentionSettings, settings)))
  )

const keepAll = { usage: null, deliveries: null, events: null, calls: null, messages: null }
const keepSome = { usage: 92, deliveries: 31, events: 31, calls: 31, messages: 31 }

/** Later than what a new database has room for at first. */
const now = Instant.plus(Instant.make(Date.now()), 300 * Instant.day)
const ago = (days: number, at = now) => Instant.plus(at, -days * Instant.day)

export const retention = suite("retention", ({ it }) => {
  it.effect("what is older than it is to be kept is removed, and nothing where nothing is set", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const added = yield* addRows([ago(280), ago(130), ago(20), ago(0)])
      yield* tick(keepAll)
      const all = [true, true, true, true]
      // Events of transactions that have just ended are readable a moment later.
      yield* pause(50)
      assert.deepStrictEqual(yield* present(added), ofAllKinds(all))
      yield* tick(keepSome)
      assert.deepStrictEqual(yield* present(added), ofAllKinds([false, false, true, true]))
    })
  )

  it.effect("a delivery that is still tried stays, however old it is, and is found as due", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const webhook = Rows.webhook(Rows.id())
      const [old, at] = [ago(200), ago(200)]
      const pending = Rows.delivery(webhook, { id: Ids.as(idAt(old)), createdAt: at, nextAt: at })
      yield* transact(
        Effect.andThen(
          SubscriptionStore.use((store) => store.add(webhook)),
          DeliveryStore.use((store) => store.add([pending]))
        )
      )
      yield* tick(keepSome)
      yield* tick(keepSome)
      const query = { at: now, perEndpoint: 1, limit: 10, full: [], suspect: [] }
      const found = yield* read(DeliveryStore.use((store) => store.due(query)))
      assert.include(
        found.map(({ id }) => id),
        pending.id
      )
    })
  )

  it.effect("a call that has not ended stays, however old it is, and is found as due", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const open = callOf(ago(200), { checkAt: ago(1) })
      yield* transact(CallStore.use((store) => store.add(open)))
      yield* tick(keepSome)
      yield* tick(keepSome)
      assert.deepStrictEqual(yield* read(CallStore.use((store) => store.findInAnyAccount(open.id))), open)
      const claimed = yield* transact(
        CallSupervisionStore.use((store) => store.claimDue({ at: now, limit: 1000, until: now }))
      )
      assert.include(
        claimed.map(({ id }) => id),
        open.id
      )
    })
  )

  it.effect("a message that is being sent stays, however old it is, and its fate is decided", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const sending = messageOf(Rows.customer(Rows.number(Rows.id())), ago(200), {
        direction: "outbound",
        status: "sending",
        msgid: null
      })
      yield* transact(MessageStore.use((store) => store.add(sending)))
      yield* tick(keepSome)
      yield* tick(keepSome)
      yield* transact(MessageStore.use((store) => store.expireStaleSends(ago(1), 1000)))
      const found = yield* read(MessageStore.use((store) => store.byId(sending.id)))
      assert.strictEqual(found?.status, "unknown")
    })
  )

  it.effect("a customer whose last answered message is gone is answered from the next one on", () =>
    Effect.gen(function* () {
      const at = Instant.plus(now, 300 * Instant.day)
      yield* TestClock.setTime(at)
      const customer = Rows.customer(Rows.number(Rows.id()))
      const add = (createdAt: Instant.Instant, over: Partial<Message> = {}) => {
        const message = messageOf(customer, createdAt, over)
        return Effect.as(transact(MessageStore.use((store) => store.add(message))), message)
      }
      // This one is needed, so that on a database with months its whole month stays.
      const first = yield* add(ago(200, at))
      yield* add(ago(199, at), { direction: "outbound", role: "agent", status: "sending", msgid: null })
      const answered = yield* add(ago(100, at))
      yield* tick(keepSome)
      assert.isNull(yield* read(MessageStore.use((store) => store.byId(answered.id))))
      const next = yield* add(at)
      const waiting = yield* read(MessageStore.use((store) => store.inboundAfter(customer.id, answered.id, 10)))
      assert.deepStrictEqual(
        waiting.map(({ id }) => id),
        [next.id]
      )
      const all = yield* read(MessageStore.use((store) => store.inboundAfter(customer.id, null, 10)))
      assert.include([1, 2], all.length, first.id)
    })
  )

  it.effect("a platform's message, a carrier's record and a contact's open call are known over all months", () =>
    Effect.gen(function* () {
      const at = Instant.plus(now, 600 * Instant.day)
      yield* TestClock.setTime(at)
      yield* tick(keepAll)
      const customer = Rows.customer(Rows.number(Rows.id()))
      const [message, copy] = [ago(70, at), at].map((createdAt) =>
        messageOf(customer, createdAt, { msgid: "wamid.months" })
      )
      const add = (one: Message) => transact(MessageStore.use((store) => store.add(one)))
      assert.isTrue(yield* add(message!))
      assert.isFalse(yield* add(copy!))
      assert.deepStrictEqual(
        yield* read(MessageStore.use((store) => store.byMsgid(customer.phoneId, "wamid.months"))),
        message!
      )
      const unsent = messageOf(customer, at, { direction: "outbound", role: "agent", status: "sending", msgid: null })
      assert.isTrue(yield* add(unsent))
      assert.isFalse(yield* transact(MessageStore.use((store) => store.markSent(unsent, "wamid.months"))))

      const record = { provider: "a", providerCallId: `CA-${Rows.key()}` }
      const contactId = Rows.id<"CampaignContact">()
      const addCall = (call: ReturnType<typeof callOf>) => transact(CallStore.use((store) => store.add(call)))
      const call = callOf(ago(70, at), { ...record, contactId })
      yield* addCall(call)
      assert.strictEqual((yield* Effect.exit(addCall(callOf(at, record))))._tag, "Failure")
      assert.strictEqual((yield* Effect.exit(addCall(callOf(at, { contactId }))))._tag, "Failure")
      assert.strictEqual(yield* read(CallSupervisionStore.use((store) => store.ownerOf(record))), call.id)
      // An ended call keeps its record, and its contact may be called again.
      yield* transact(CallStore.use((store) => store.save({ ...call, endedAt: at })))
      assert.strictEqual((yield* Effect.exit(addCall(callOf(at, record))))._tag, "Failure")
      yield* addCall(callOf(at, { contactId }))
    })
  )
})
