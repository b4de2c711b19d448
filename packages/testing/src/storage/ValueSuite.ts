/** What is written is what is read: every table, every kind of value, at its edges. */
import { assert } from "@effect/vitest"
import { type Call, Instant, read, transact } from "@trunkline/core/effect"
import {
  AccessStore,
  BotStore,
  CallStore,
  CampaignContactStore,
  CampaignStore,
  CreditStore,
  NumberStore,
  OutboxStore,
  ProviderStateStore
} from "@trunkline/core/storage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { maxima } from "../SettingBounds.ts"
import * as Rows from "./Rows.ts"
import { pause, suite } from "./Subject.ts"

const texts = [
  "",
  " two  spaces ",
  'it\'s "quoted" \\ `so` %_ --; drop table bots',
  "line\nbreak\ttab\r\n",
  "日本語 हिन्दी العربية",
  "👩‍👩‍👧‍👦 e\u0301 \u{1F3F4}\u200D",
  "\u2028\u2029\uFEFF\uFFFD",
  "x".repeat(65_536)
]

const objects: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  {},
  { z: 1, a: 2, "": 3, 名: "値" },
  { deep: { list: [1, [2, [null, true, "👍"]], {}] }, none: null },
  { number: 0.1, small: 5e-324, large: 1.7976931348623157e308, whole: 9007199254740991, negative: -0.5 },
  { text: '\u0000\u001f\ud83d\ude00"\\' }
]

/** The same call with another value in every field that changes. */
const changedCall = (call: Call): Call => ({
  ...call,
  attempt: 2,
  botId: Rows.id(),
  fromNumberId: Rows.id(),
  from: "+14155550100",
  status: "failed",
  answeredBy: "machine",
  isWinner: true,
  abandoned: true,
  provider: "twilio",
  providerCallId: "CA1",
  startedAt: Rows.at(1),
  rangAt: Rows.at(2),
  answeredAt: Rows.at(3),
  endedAt: Rows.at(4),
  durationSeconds: 17,
  endReason: "hangup_remote",
  failure: "provider_error",
  voiceSessionId: Rows.id(),
  credits: 9_007_199_254_740_993n,
  detectMachine: true,
  voicemailTemplateId: Rows.id(),
  windowClosesAt: Rows.at(5),
  // Written by its own statements alone.
  mediaToken: null,
  awaitsAgent: true,
  stopReason: "do_not_call",
  messageAt: Rows.at(6),
  paidUntil: Rows.at(7),
  lookUps: 3,
  firstLookUpAt: Rows.at(8),
  silentSince: Rows.at(11),
  endRequests: 4,
  lookUpAt: Rows.at(9),
  checkAt: Rows.at(10)
})

export const values = suite("values", ({ it }) => {
  it.effect("text comes back as it was sent", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* BotStore
      for (const text of texts) {
        const bot = Rows.bot(tenantId, { name: text, systemPrompt: text })
        yield* transact(store.add(bot))
        assert.deepStrictEqual(yield* read(store.find(tenantId, bot.id)), bot)
      }
    })
  )

  it.effect("U+0000 and half a surrogate pair, which not every database can store, are read as U+FFFD", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* BotStore
      for (const odd of ["\0", "\ud83d", "\ude00", "\ude00\ud83d"]) {
        const bot = Rows.bot(tenantId, { name: `a${odd}b` })
        yield* transact(store.add(bot))
        assert.strictEqual((yield* read(store.find(tenantId, bot.id)))?.name, `a${"\ufffd".repeat(odd.length)}b`)
      }
      // In a value that is compared they find nothing, and break nothing.
      assert.isNull(yield* read(AccessStore.use((access) => access.keyByHash("\0\ud83d"))))
    })
  )

  it.effect("objects come back as they were sent, their keys in the same order", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* BotStore
      for (const config of objects) {
        const bot = Rows.bot(tenantId, { config })
        yield* transact(store.add(bot))
        const found = yield* read(store.find(tenantId, bot.id))
        assert.strictEqual(JSON.stringify(found?.config), JSON.stringify(config))
      }
    })
  )

  it.effect("amounts are exact over the whole range of 64 bits", () =>
    Effect.gen(function* () {
      const store = yield* CreditStore
      for (const amount of [0n, 1n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n]) {
        const tenantId = Rows.id<"Account">()
        yield* transact(Effect.andThen(store.open(tenantId), store.add(tenantId, amount)))
        assert.deepStrictEqual(yield* read(store.balance(tenantId)), { tenantId, balance: amount, reserved: 0n })
        const reservation = { id: Rows.id(), tenantId, amount, budgeted: amount, createdAt: Rows.at(0) }
        yield* transact(store.addToReservation(reservation))
        assert.deepStrictEqual(yield* transact(store.removeReservation(reservation.id)), reservation)
      }
    })
  )

  it.effect("instants are exact from 1970 to the year 9999", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* NumberStore
      for (const milliseconds of [0, 1, 1_794_211_200_123, 253_402_300_799_999]) {
        const number = Rows.callerNumber(tenantId, { createdAt: Instant.make(milliseconds) })
        yield* transact(store.putNumber(number))
        assert.deepStrictEqual(yield* read(store.findNumber(tenantId, number.id)), number)
      }
    })
  )

  it.effect("an account comes back whole, and so does what is changed of it", () =>
    Effect.gen(function* () {
      const store = yield* AccessStore
      const account = Rows.account()
      yield* transact(store.addAccount(account))
      assert.deepStrictEqual(yield* read(store.findAccount(account.id)), account)
      const changed = {
        ...account,
        name: "Other",
        plan: "enterprise",
        status: "inactive",
        voiceCampaigns: false,
        paymentMethod: "grace",
        paymentDeadline: Rows.at(5),
        monthlyBudget: 9_007_199_254_740_993n,
        updatedAt: Rows.at(6)
      } as const
      yield* transact(store.saveAccount(changed))
      assert.deepStrictEqual(yield* read(store.findAccount(account.id)), changed)
    })
  )

  it.effect("a key comes back whole, by its id and by its digest together with its account", () =>
    Effect.gen(function* () {
      const store = yield* AccessStore
      const account = Rows.account({ monthlyBudget: 9_007_199_254_740_993n, createdAt: Rows.at(1) })
      const bare = Rows.apiKey(account.id)
      const full = Rows.apiKey(account.id, {
        name: "CI",
        scopes: ["campaigns:read", "calls:write"],
        permissions: [],
        budget: 9_007_199_254_740_995n,
        budgetPeriod: "month",
        allowedModels: ["a", "b"],
        allowedDomains: [],
        searchProviders: ["x"],
        requestsPerMinute: 60,
        concurrency: 2,
        expiresAt: Rows.at(9),
        revokedAt: Rows.at(10),
        createdAt: Rows.at(11)
      })
      yield* transact(Effect.all([store.addAccount(account), store.addKey(bare), store.addKey(full)]))
      for (const key of [bare, full]) {
        assert.deepStrictEqual(yield* read(store.findKey(key.id)), key)
        assert.deepStrictEqual(yield* read(store.keyByHash(key.hash)), { key, account, version: 0 })
      }
      assert.isNull(yield* read(store.keyByHash("no such digest")))
      assert.isTrue(yield* transact(store.revokeKey(bare, Rows.at(20))))
      assert.isFalse(yield* transact(store.revokeKey(bare, Rows.at(21))))
      assert.strictEqual((yield* read(store.findKey(bare.id)))?.revokedAt, Rows.at(20))
    })
  )

  it.effect("a template comes back whole, and so does what is changed of it", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* NumberStore
      const template = Rows.template(tenantId)
      yield* transact(store.addTemplate(template))
      assert.deepStrictEqual(yield* read(store.findTemplate(tenantId, template.id)), template)
      const changed = {
        ...template,
        name: "B",
        text: null,
        audioUrl: "https://example.com/a.mp3",
        updatedAt: Rows.at(1)
      }
      yield* transact(store.saveTemplate(changed))
      assert.deepStrictEqual(yield* read(store.findTemplate(tenantId, template.id)), changed)
    })
  )

  it.effect("a campaign comes back whole, and so does what is changed of it", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* CampaignStore
      const campaign = Rows.campaign(tenantId)
      yield* transact(store.add(campaign))
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(campaign.id)), campaign)
      const changed = {
        ...campaign,
        name: "Autumn",
        status: "running",
        totalContacts: 3,
        completedContacts: 1,
        failedContacts: 1,
        timezone: "Europe/Berlin",
        ...maxima,
        quietHoursStart: 0,
        quietHoursEnd: 24,
        maxAttempts: 5,
        dialMode: "parallel",
        paceSeconds: 5,
        parallelLines: 5,
        amdEnabled: true,
        botId: Rows.id<"Bot">(),
        fromNumberId: Rows.id<"Number">(),
        scheduledAt: Rows.at(1),
        voicemailTemplateId: Rows.id<"VoicemailTemplate">(),
        updatedAt: Rows.at(2),
        nextDialAt: Rows.at(3),
        lastDialAt: Rows.at(4),
        refusals: 2,
        nextSeq: 3
      } as const
      yield* transact(store.save(changed))
      assert.deepStrictEqual(yield* read(store.find(tenantId, campaign.id)), changed)
    })
  )

  it.effect("a contact of a campaign comes back whole, and so does what is changed of it", () =>
    Effect.gen(function* () {
      const store = yield* CampaignContactStore
      const campaign = Rows.campaign(Rows.id())
      const contact = Rows.contact(campaign, 0, { name: "Zoë" })
      yield* transact(store.add([contact]))
      assert.deepStrictEqual(yield* read(store.find(campaign.id, contact.id)), contact)
      const changed = {
        ...contact,
        status: "approved",
        attempts: 2,
        nextAttemptAt: Rows.at(1),
        approvedAt: Rows.at(2),
        lastError: "no_answer",
        callId: Rows.id<"Call">()
      } as const
      yield* transact(store.save(changed))
      assert.deepStrictEqual(yield* read(store.find(campaign.id, contact.id)), changed)
      assert.deepStrictEqual(yield* read(store.many([contact.id, Rows.id()])), [changed])
      assert.deepStrictEqual(yield* read(store.many([])), [])
    })
  )

  it.effect("a call comes back whole, and so does what is changed of it", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* CallStore
      const call = Rows.call(tenantId)
      yield* transact(store.add(call))
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(call.id)), call)
      const changed = changedCall(call)
      yield* transact(store.save(changed))
      assert.deepStrictEqual(yield* read(store.findInAnyAccount(call.id)), changed)
    })
  )

  it.effect("a provider's state is added once, replaced as often as it changes, and listed while it is open", () =>
    Effect.gen(function* () {
      const store = yield* ProviderStateStore
      const provider = Rows.id()
      const first = { provider, key: "b", state: objects[2]!, isOpen: true }
      yield* transact(store.add(first))
      yield* transact(store.add({ ...first, state: {}, isOpen: false }))
      assert.deepStrictEqual(yield* read(store.find(provider, "b")), first)
      assert.deepStrictEqual(yield* transact(store.lock(provider, "b")), first)
      const second = { ...first, key: "a", state: {} }
      yield* transact(store.add(second))
      yield* transact(store.add({ ...first, provider: Rows.id() }))
      assert.deepStrictEqual(yield* read(store.listOpen(provider)), [second, first])
      const closed = { ...first, state: objects[1]!, isOpen: false }
      yield* transact(store.save(closed))
      assert.deepStrictEqual(yield* read(store.find(provider, "b")), closed)
      assert.deepStrictEqual(yield* read(store.listOpen(provider)), [second])
      assert.isNull(yield* transact(store.lock(provider, "c")))
      assert.isNull(yield* read(store.find(Rows.id(), "a")))
    })
  )

  it.effect("a value that cannot be written is a defect and no failure of the storage, which goes on", () =>
    Effect.gen(function* () {
      const store = yield* BotStore
      const tenantId = Rows.id<"Account">()
      const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)
      const exit = yield* Effect.exit(transact(store.add(Rows.bot(tenantId, { config: deep }))))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause))
      const bot = Rows.bot(tenantId)
      yield* transact(store.add(bot))
      assert.deepStrictEqual(yield* read(store.find(tenantId, bot.id)), bot)
    })
  )

  it.effect("an event comes back whole", () =>
    Effect.gen(function* () {
      const outbox = yield* OutboxStore
      const event = {
        id: Rows.id<"Event">(),
        event: "call.completed",
        tenantId: Rows.id<"Account">(),
        botId: Rows.id<"Bot">(),
        data: objects[2]!,
        at: Rows.at(7)
      } as const
      yield* transact(outbox.append([event]))
      let found = yield* read(outbox.after(null, 10))
      for (let tries = 0; found.length === 0 && tries < 30_000; tries++) {
        yield* pause(10)
        found = yield* read(outbox.after(null, 10))
      }
      assert.deepStrictEqual(found, [{ ...event, cursor: found[0]!.cursor }])
    })
  )
})
