/** Requests that come together, on a database: they get what they would get one after the other. Verifies: BILL-4, BILL-6, BILL-11. */
import { assert } from "@effect/vitest"
import { type Account, type Ids, Instant, read, transact } from "@trunkline/core/effect"
import { Plans } from "@trunkline/core/provider"
import {
  AccessStore,
  type ApiKeys,
  IdempotencyStore,
  type LedgerChanges,
  type LedgerQuery,
  LedgerStore,
  QuotaStore,
  type Service,
  type StorageError,
  type Tx
} from "@trunkline/core/storage"
import {
  type AskedRun,
  type ClaimDecided,
  Idempotency,
  type KeptAnswer,
  KeyLimits,
  keptAnswerOf,
  Ledger,
  type MeteredRequest,
  Metering,
  Months,
  type Payer,
  type Stores,
  storedJson
} from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import {
  admit,
  anotherProcess,
  type Billing,
  began,
  billing,
  end,
  key,
  meters,
  payer,
  used,
  wanted
} from "./Metered.ts"
import { MeteringModel, refusalWord } from "./MeteringModel.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

/** What a request asks of its key. */
interface Limits {
  readonly perMinute: number | null
  readonly concurrency: number
}

/** What a request reserves. */
interface Reserves {
  readonly service: Service
  readonly maxCost: bigint
  readonly calls: number
  readonly key: number
}

/** An Idempotency-Key, and whether it carries the first request or another one. */
interface Under {
  readonly key: "a" | "b" | "c"
  readonly fingerprint: "same" | "other"
}

type Asked =
  | ({ readonly do: "reserve" } & Reserves)
  | ({ readonly do: "acquire" } & Limits)
  | ({ readonly do: "admit" } & Limits & Reserves & { readonly under: Under | null })
  | { readonly do: "claim"; readonly under: Under }
  | { readonly do: "settle"; readonly which: number; readonly due: bigint; readonly hasFiber: boolean }
  | { readonly do: "release"; readonly which: number; readonly reached: boolean }

const amount = fc.bigInt({ min: 0n, max: 6n })

const limits = { perMinute: fc.constantFrom(null, 0, 2, 5, 9, 30), concurrency: fc.constantFrom(3, 8, 100) }

const reserves = {
  service: fc.constantFrom<Service>("stt", "embedding", "image"),
  maxCost: amount,
  calls: fc.constantFrom(1, 1, 2, 4),
  key: fc.nat(2)
}

const under: fc.Arbitrary<Under> = fc.record({
  key: fc.constantFrom("a", "b", "c"),
  fingerprint: fc.constantFrom("same", "same", "same", "other")
})

const asked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("reserve" as const), ...reserves }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("acquire" as const), ...limits }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("admit" as const), ...limits, ...reserves, under: fc.option(under) })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("claim" as const), under }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      which: fc.nat(40),
      due: fc.oneof(amount, fc.constant(100n)),
      hasFiber: fc.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("release" as const), which: fc.nat(40), reached: fc.boolean() })
  }
)

/** Requests that came together: those that come next wait for the end of their turn, as under load. */
const underLoad = Effect.gen(function* () {
  const keys = yield* KeyLimits
  const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
  const nothing = Effect.suspend(() => keys.release({ id: Rows.id(), tenantId, keyId, isReleased: false }))
  // The first one is flushed at once, and so is the second where the first has ended at once.
  yield* Effect.all([nothing, nothing, nothing, nothing], { concurrency: "unbounded" })
})

/** Groups of requests that come in one turn of the event loop, each some time after the one before. */
const groups = fc.array(
  fc.record({
    waitMs: fc.constantFrom(0, 1, 20_000, 59_999, 60_000, Instant.day),
    asks: fc.array(asked, { minLength: 1, maxLength: 24 })
  }),
  { minLength: 1, maxLength: 6 }
)

/** Accounts whose credit is less than their budget, or more, and one that has none. */
const terms = fc.constantFrom(
  { balance: 14n, plan: "free" as const },
  { balance: 40n, plan: "free" as const },
  { balance: 0n, plan: "enterprise" as const }
)

/** Requests of a key: those of the last minute, and those that run. */
class LimitModel {
  readonly #at: Array<number> = []
  readonly running = new Set<string>()

  acquire(id: string, { concurrency, perMinute }: Limits, now: number): string {
    const before = this.#at.filter((at) => at > now - Instant.minute)
    if (perMinute !== null && before.length >= perMinute) {
      // It waits until enough have left for one more.
      const blocking = perMinute === 0 ? now : before[before.length - perMinute]!
      return `wait ${Math.ceil((blocking + Instant.minute - now) / Instant.second)} s`
    }
    if (this.running.size >= concurrency) return "TooManyAtOnce"
    this.running.add(id)
    if (perMinute === null) return "no limit"
    this.admit(now)
    return `${perMinute - before.length - 1} left`
  }

  admit(now: number): void {
    this.#at.push(now)
  }

  /** How many are left, and in how many seconds the oldest one leaves the minute. */
  allowance(perMinute: number, now: number): readonly [remaining: number, resetSeconds: number] {
    const before = this.#at.filter((at) => at > now - Instant.minute)
    const resetMs = before.length === 0 ? 0 : before[0]! + Instant.minute - now
    return [Math.max(0, perMinute - before.length), Math.ceil(resetMs / Instant.second)]
  }
}

/** Of a run under an Idempotency-Key, in milliseconds. */
const runLeaseMs = 30_000

interface Standing {
  readonly print: string
  claim: string | null
  leaseUntil: number
  expiresAt: number
  answer: string | null
}

/** What stands under each Idempotency-Key. */
class KeyModel {
  readonly standing = new Map<string, Standing>()

  restore(key: string, before: Standing | undefined): void {
    if (before === undefined) this.standing.delete(key)
    else this.standing.set(key, before)
  }

  claim({ fingerprint, key }: Under, claim: string, now: number): string {
    const one = this.standing.get(key)
    if (one !== undefined && one.expiresAt > now) {
      const isSame = one.print === fingerprint
      if (!isSame) return "key_reused"
      if (one.claim === null) return "answered"
      if (one.leaseUntil > now) return "in_progress"
    }
    const leaseUntil = now + runLeaseMs
    this.standing.set(key, { print: fingerprint, claim, leaseUntil, expiresAt: now + Instant.day, answer: null })
    return "claimed"
  }

  /** False: the claim is lost. */
  answer(key: string, claim: string, now: number): boolean {
    const one = this.standing.get(key)
    if (one?.claim !== claim) return false
    Object.assign(one, { claim: null, leaseUntil: 0, expiresAt: now + Instant.day, answer: claim })
    return true
  }

  /** By their keys: who has each one, or whose answer is kept. */
  found(now: number): Array<readonly [key: string, claim: string | null, answer: string | null]> {
    return [...this.standing]
      .filter(([, { expiresAt }]) => expiresAt > now)
      .map(([key, { answer, claim }]) => [key, claim, answer] as const)
      .toSorted()
  }
}

const claimWord = (decided: ClaimDecided): string =>
  decided.error === null
    ? decided.isAnswered
      ? "answered"
      : "claimed"
    : decided.error._tag === "IdempotencyRefused"
      ? decided.error.reason
      : decided.error._tag

/** What stands under each of the keys of an account. */
const foundRuns = (tenantId: Ids.AccountId, now: number, keys: ReadonlyArray<string> = ["a", "b", "c"]) =>
  read(
    Effect.map(
      Effect.forEach(keys, (key) => IdempotencyStore.use((store) => store.find(tenantId, key))),
      (found) =>
        found.flatMap((run) =>
          run === null || run.expiresAt <= now
            ? []
            : [[run.key, run.claim, run.answer === null ? null : JSON.parse(run.answer.body)] as const]
        )
    )
  )

const noQuery: Omit<LedgerQuery, "at" | "locked" | "windowStart"> = {
  ...{ accounts: [], owners: [], services: [], months: [], periods: [], remembered: [], keys: [] },
  ...{ processId: Rows.id<"Process">(), holds: [], slots: [], lapsing: [], doubted: [] },
  ...{ claims: [], answering: [], keptBytesOf: [] }
}

const noChanges: LedgerChanges = {
  ...{ balances: [], counts: [], spending: [], windows: [], requests: [], slots: [] },
  ...{ processId: noQuery.processId, lease: null, holds: [], usage: [], entries: [], runs: [], freed: [] }
}

/** What a process of an earlier release has admitted: it stores every request. */
const admittedEarlier = Effect.fnUntraced(function* (keyId: Ids.KeyId, tenantId: Ids.AccountId, at: Instant.Instant) {
  const store = yield* LedgerStore
  const { windows } = yield* store.load({
    ...noQuery,
    locked: [tenantId],
    at,
    windowStart: Instant.plus(at, -Instant.minute),
    keys: [keyId]
  })
  const row = { keyId, tenantId, seq: (windows[0]?.seq ?? 0) + 1 }
  yield* store.save({ ...noChanges, windows: [row], requests: [{ ...row, at }] })
}, transact)

const acquiredWord = (left: { readonly remaining: number } | null): string =>
  left === null ? "no limit" : `${left.remaining} left`

const limitWord = (no: { readonly _tag: string; readonly retryAfterSeconds?: number }): string =>
  no.retryAfterSeconds === undefined ? no._tag : `wait ${no.retryAfterSeconds} s`

/** Ends go first: what they release is free for those that ask at the same time. */
const inLedgerOrder = (group: ReadonlyArray<Asked>): ReadonlyArray<number> => {
  const places = group.map((_, place) => place)
  const ends = (place: number) => group[place]!.do === "settle" || group[place]!.do === "release"
  return [...places.filter(ends), ...places.filter((place) => !ends(place))]
}

/** Makes calls of the 50 that the plan `free` has of a service, so that its cap is reached now and then. */
const made = (tenantId: Ids.AccountId, calls: number) =>
  transact(
    QuotaStore.use((quotas) => {
      const period = { tenantId, service: "stt", month: Months.of(began) } as const
      return Effect.andThen(
        quotas.begin(period, { calls: 1, cap: null }),
        quotas.end(period, { pending: 1, used: calls })
      )
    })
  )

/** What an operation does, on a storage and in plain code. Both answer with a word, or with what was charged. */
interface Play {
  readonly real: Effect.Effect<string | bigint | null, StorageError, Stores | Billing>
  readonly model: () => string | bigint | null
}

const playGroups = Effect.fnUntraced(function* (
  days: typeof groups extends fc.Arbitrary<infer A> ? A : never,
  { balance, plan }: { readonly balance: bigint; readonly plan: Payer["plan"] }
) {
  const metering = yield* Metering
  const keyLimits = yield* KeyLimits
  const ledger = yield* Ledger
  const { tenantId } = yield* payer(balance)
  const keys = [null, key({ budget: 12n }), key({ budget: 8n, budgetPeriod: "month" })]
  const keyId = Rows.id<"Key">()
  const model = new MeteringModel(balance)
  yield* made(tenantId, 42)
  model.meter("stt", Months.of(began)).used = 42
  const limitModel = new LimitModel()
  const keyModel = new KeyModel()
  const requests: Array<MeteredRequest> = []
  /** The Idempotency-Keys of requests that have been asked for. */
  const keyed = new Map<string, Under>()
  const { deducts } = Plans.plans[plan]
  let now = began
  for (const { asks: group, waitMs } of days) {
    now = Instant.plus(now, waitMs)
    const at = now
    yield* TestClock.setTime(at)
    // An end names a request of an earlier group: whether one of the same turn has been reserved yet, nobody can know.
    const known = requests.slice()
    const requestOf = ({ calls, key, maxCost, service }: Reserves) => {
      const of = { tenantId, plan, monthlyBudget: 25n, key: keys[key]! }
      const request = wanted(of, { service, maxCost, calls })
      requests.push(request)
      return request
    }
    const limitsOf = (id: Ids.UsageId, { concurrency, perMinute }: Limits) =>
      ({ id, tenantId, keyId, perMinute, concurrency }) as const
    const reserve = (one: Reserves): Play => {
      const request = requestOf(one)
      return {
        real: metering.reserve(request).pipe(
          Effect.as(null),
          Effect.catch((no) => (no._tag === "StorageError" ? Effect.fail(no) : Effect.succeed(refusalWord(no))))
        ),
        model: () => model.reserve(request, at)
      }
    }
    const acquire = (one: Limits): Play => {
      const asked = limitsOf(Rows.id(), one)
      return {
        real: keyLimits.acquire(asked).pipe(
          Effect.map(acquiredWord),
          Effect.catch((no) => (no._tag === "StorageError" ? Effect.fail(no) : Effect.succeed(limitWord(no))))
        ),
        model: () => limitModel.acquire(asked.id, one, at)
      }
    }
    const runOf = (under: Under, claim: string): AskedRun => ({ ...under, tenantId, claim, leaseMs: runLeaseMs })
    const claims = (under: Under): Play => {
      const claim = Rows.id()
      return {
        real: Effect.map(ledger.claim(runOf(under, claim)), claimWord),
        model: () => keyModel.claim(under, claim, at)
      }
    }
    const admits = ({ under, ...one }: Limits & Reserves & { readonly under: Under | null }): Play => {
      const request = requestOf(one)
      const { id } = request
      if (under !== null) keyed.set(id, under)
      const admission = { limits: limitsOf(id, one), run: under === null ? null : runOf(under, id), reserve: request }
      return {
        real: Effect.map(admit(admission), ({ acquired, claimed, refused }) =>
          acquired.error === null
            ? [
                acquiredWord(acquired.allowance),
                claimed === null ? "no key" : claimWord(claimed),
                refused === null ? null : refusalWord(refused)
              ].join(", ")
            : limitWord(acquired.error)
        ),
        model: () => {
          const word = limitModel.acquire(id, one, at)
          if (!limitModel.running.has(id)) return word
          const before = under === null ? undefined : keyModel.standing.get(under.key)
          const claimed = under === null ? "no key" : keyModel.claim(under, id, at)
          if (under !== null && claimed !== "claimed") return [word, claimed, null].join(", ")
          const refused = model.reserve(request, at)
          if (under !== null && refused !== null) keyModel.restore(under.key, before)
          return [word, claimed, refused].join(", ")
        }
      }
    }
    const settle = (request: MeteredRequest, due: bigint, hasFiber: boolean): Play => {
      const { id } = request
      const slot = { id, tenantId, keyId, isReleased: false }
      const under = keyed.get(id)
      const answer: KeptAnswer<"lost"> | null =
        under === undefined
          ? null
          : { run: { tenantId, key: under.key, claim: id }, response: storedJson(id), lost: "lost" }
      const charged = hasFiber
        ? metering.settle(request, due, used(), { slot, answer })
        : Effect.map(end({ request, due, used: used(), along: null, answer, slot }), (sum) => sum ?? 0n)
      return {
        real: Effect.catch(charged, (no) => (no === "lost" ? Effect.succeed(no) : Effect.fail(no))),
        model: () => {
          const isRunning = model.reservations.has(id)
          if (isRunning && under !== undefined && !keyModel.answer(under.key, id, at)) return "lost"
          limitModel.running.delete(id)
          return model.settle(id, due, deducts)
        }
      }
    }
    const run = (one: Asked): Play => {
      if (one.do === "reserve") return reserve(one)
      if (one.do === "acquire") return acquire(one)
      if (one.do === "admit") return admits(one)
      if (one.do === "claim") return claims(one.under)
      const request = known[one.which]
      if (request === undefined) return { real: Effect.succeed(null), model: () => null }
      if (one.do === "settle") return settle(request, one.due, one.hasFiber)
      return {
        real: Effect.as(metering.release(request, one.reached ? used() : null), null),
        model: () => {
          model.release(request.id, one.reached)
          return null
        }
      }
    }
    const plays = group.map(run)
    yield* underLoad
    const real = yield* Effect.all(
      plays.map((play) => play.real),
      { concurrency: "unbounded" }
    )
    const expected = new Map(inLedgerOrder(group).map((place) => [place, plays[place]!.model()]))
    assert.deepStrictEqual(
      real,
      group.map((_, place) => expected.get(place) as never)
    )
    assert.deepStrictEqual(yield* foundRuns(tenantId, at), keyModel.found(at))
    const of = { tenantId, plan, monthlyBudget: 25n, key: keys[2]! }
    const month = Months.of(began)
    const after = yield* meters(of, "stt")
    assert.deepStrictEqual([after.balance, after.reserved], [model.balance, model.reserved])
    const { pending, used: over } = model.meter("stt", month)
    assert.deepStrictEqual(after.calls, { used: over, pending })
    assert.deepStrictEqual(after.monthly, { ...model.purse(`${tenantId} ${month}`) })
    assert.deepStrictEqual(after.ofKey, { ...model.purse(`${of.key.id} ${month}`) })
  }
})

const turn = fc.record({
  waitMs: fc.constantFrom(0, 1, 900, 20_000, 59_999, 60_000),
  perMinute: fc.constantFrom(null, 0, 1, 3, 7),
  concurrency: fc.constantFrom(1, 4, 100),
  earlier: fc.nat(2),
  asks: fc.nat(9),
  releases: fc.nat(6)
})

const playTurns = Effect.fnUntraced(function* (
  turns: ReadonlyArray<typeof turn extends fc.Arbitrary<infer A> ? A : never>
) {
  const keys = yield* KeyLimits
  const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
  const model = new LimitModel()
  let now: number = began
  for (const { asks, concurrency, earlier, perMinute, releases, waitMs } of turns) {
    now += waitMs
    yield* TestClock.setTime(now)
    for (let nth = 0; nth < earlier; nth++) {
      yield* admittedEarlier(keyId, tenantId, Instant.make(now))
      model.admit(now)
    }
    const released = [...model.running].slice(0, releases)
    const ids = Array.from({ length: asks }, () => Rows.id<"Usage">())
    yield* underLoad
    const real = yield* Effect.all(
      [
        ...released.map((id) =>
          Effect.as(keys.release({ id: id as Ids.UsageId, tenantId, keyId, isReleased: false }), "released")
        ),
        ...ids.map((id) =>
          Effect.match(keys.acquire({ id, tenantId, keyId, perMinute, concurrency }), {
            onSuccess: acquiredWord,
            onFailure: limitWord
          })
        )
      ],
      { concurrency: "unbounded" }
    )
    for (const id of released) model.running.delete(id)
    const expected = ids.map((id) => model.acquire(id, { perMinute, concurrency }, now))
    assert.deepStrictEqual(real, [...released.map(() => "released"), ...expected])
    const left = yield* keys.allowance({ keyId, perMinute: 7 })
    assert.deepStrictEqual([left!.remaining, left!.resetSeconds], model.allowance(7, now))
  }
})

interface RememberedKey {
  readonly account: Account
  readonly key: ApiKeys.ApiKey
  readonly other: ApiKeys.ApiKey
  readonly stranger: Account
}

const inAccess = <A>(run: (store: AccessStore["Service"]) => Effect.Effect<A, StorageError, Tx>) =>
  transact(AccessStore.use(run))

const runs = Number(process.env.MODEL_RUNS ?? 25)

export const ledger = suite("the ledger", ({ it }) => {
  it.effect("groups of requests reserve and are charged what plain code says of one after the other", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Stores | Billing>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(groups, terms, (days, of) =>
            Effect.runPromise(Effect.provideContext(playGroups(days, of), context))
          ),
          { numRuns: runs }
        )
      )
    }).pipe(Effect.provide(billing))
  )

  it.effect("groups of requests of a key get what plain code says of one after the other", () =>
    Effect.gen(function* () {
      const context = yield* Effect.context<Stores | Billing>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 10 }), (turns) =>
            Effect.runPromise(Effect.provideContext(playTurns(turns), context))
          ),
          { numRuns: runs }
        )
      )
    }).pipe(Effect.provide(billing))
  )

  const changes: ReadonlyArray<
    readonly [
      title: string,
      isOfKey: boolean,
      change: (of: RememberedKey) => Effect.Effect<unknown, StorageError, Stores>
    ]
  > = [
    ["the key is revoked", true, ({ key }) => inAccess((store) => store.revokeKey(key, began))],
    ["the account changes", true, ({ account }) => inAccess((store) => store.saveAccount({ ...account, plan: "pro" }))],
    ["another key of the account is revoked", true, ({ other }) => inAccess((store) => store.revokeKey(other, began))],
    ["a key is added", false, ({ account }) => inAccess((store) => store.addKey(Rows.apiKey(account.id)))],
    ["another account changes", false, ({ stranger }) => inAccess((store) => store.saveAccount(stranger))]
  ]

  it.effect.each(changes)(
    "a remembered key is refused after a change of it or of its account alone: %s",
    ([, isOfKey, change]) =>
      Effect.gen(function* () {
        const keys = yield* KeyLimits
        const [account, stranger] = [Rows.account(), Rows.account()]
        const [key, other] = [Rows.apiKey(account.id), Rows.apiKey(account.id)]
        yield* inAccess((store) =>
          Effect.all([store.addAccount(account), store.addAccount(stranger), store.addKey(key), store.addKey(other)])
        )
        const remember = read(AccessStore.use((store) => store.keyByHash(key.hash)))
        const ask = (of: { readonly version: number } | null) =>
          Effect.match(
            keys.acquire({
              ...{ id: Rows.id(), tenantId: account.id, keyId: key.id, perMinute: 10, concurrency: 10 },
              version: of!.version
            }),
            { onSuccess: (left) => left!.remaining, onFailure: ({ _tag }) => _tag }
          )
        const before = yield* remember
        assert.deepInclude(before, { key, account })
        assert.strictEqual(yield* ask(before), 9)
        yield* change({ account, key, other, stranger })
        // A request that is refused so takes nothing from the minute.
        assert.strictEqual(yield* ask(before), isOfKey ? "AccessChanged" : 8)
        assert.strictEqual(yield* ask(yield* remember), isOfKey ? 8 : 7)
      }).pipe(Effect.provide(billing))
  )

  it.effect(
    "of 50 requests under one key at two processes one is admitted, also beside claims of a transaction of their own",
    () =>
      Effect.gen(function* () {
        const other = yield* anotherProcess
        const { tenantId, ...of } = yield* payer(1000n)
        const run = (claim: string, fingerprint = "same"): AskedRun => ({
          ...{ tenantId, key: "once", claim, fingerprint, leaseMs: runLeaseMs }
        })
        const admission = (fingerprint: string) => {
          const request = wanted({ tenantId, ...of }, { maxCost: 1n })
          const limits = { id: request.id, tenantId, keyId: Rows.id<"Key">(), perMinute: null, concurrency: 100 }
          return { limits, run: run(request.id, fingerprint), reserve: request }
        }
        const admits = (fingerprint: string) =>
          Effect.map(admit(admission(fingerprint)), ({ claimed }) => claimWord(claimed!))
        const begins = Idempotency.use((idempotency) => idempotency.begin(run("unused"))).pipe(
          Effect.as("claimed"),
          Effect.catch((no) => Effect.succeed(no._tag === "IdempotencyRefused" ? no.reason : no._tag))
        )
        const claims = Effect.suspend(() =>
          Effect.map(
            Ledger.use((ledger) => ledger.claim(run(Rows.id()))),
            claimWord
          )
        )
        const words = yield* Effect.all(
          Array.from({ length: 50 }, (_, nth) => {
            const asked: Effect.Effect<string, StorageError, Stores | Billing> = [
              admits("same"),
              begins,
              claims,
              admits("other"),
              admits("same")
            ][nth % 5]!
            return nth % 2 === 0 ? asked : Effect.provideContext(asked, other)
          }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(words.filter((word) => word === "claimed").length, 1)
        const refusals = new Set(words.filter((word) => word !== "claimed"))
        assert.deepStrictEqual([...refusals].toSorted(), ["in_progress", "key_reused"])
        const claim = words.indexOf("claimed")
        const { balance, reserved } = yield* meters({ tenantId, ...of })
        // One that was refused its key has reserved nothing.
        assert.deepStrictEqual([balance, reserved], [1000n, [0, 3, 4].includes(claim % 5) ? 1n : 0n])
      }).pipe(Effect.provide(billing), Effect.scoped)
  )

  it.effect("an answer is stored with its bill, and neither without the other", () =>
    Effect.gen(function* () {
      const metering = yield* Metering
      const idempotency = yield* Idempotency
      const of = yield* payer(100n)
      const { tenantId } = of
      const asked = { tenantId, key: "once", fingerprint: "same", leaseMs: runLeaseMs }
      const settled = (request: MeteredRequest, fails: boolean) =>
        idempotency.run(asked, (store) =>
          Effect.gen(function* () {
            yield* metering.reserve(request)
            const answer = keptAnswerOf(store, storedJson(request.id))
            yield* metering.settle(request, 5n, used(fails ? { units: null as never } : {}), { answer })
            return request.id
          })
        )
      const first = wanted(of, { maxCost: 10n })
      assert.strictEqual((yield* Effect.exit(settled(first, true)))._tag, "Failure")
      assert.deepStrictEqual(yield* foundRuns(tenantId, began, ["once"]), [])
      assert.strictEqual((yield* meters(of)).balance, 100n)
      yield* metering.release(first, null)
      const second = wanted(of, { maxCost: 10n })
      assert.deepStrictEqual(yield* settled(second, false), { _tag: "Executed", result: second.id })
      const replayed = yield* settled(wanted(of, { maxCost: 10n }), false)
      assert.deepStrictEqual(replayed, { _tag: "Replayed", response: storedJson(second.id) })
      assert.deepInclude(yield* meters(of), { balance: 95n, reserved: 0n })
    }).pipe(Effect.provide(billing))
  )

  it.effect("one request that cannot be written refuses nobody that came with it", () =>
    Effect.gen(function* () {
      const metering = yield* Metering
      const of = yield* payer(100n)
      const requests = Array.from({ length: 6 }, () => wanted(of, { maxCost: 10n }))
      yield* Effect.forEach(requests, (request) => metering.reserve(request), { concurrency: "unbounded" })
      const ended = yield* Effect.forEach(
        requests,
        (request, place) =>
          Effect.exit(metering.settle(request, 1n, used(place === 2 ? { units: null as never } : {}))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        ended.map(({ _tag }) => _tag),
        ["Success", "Success", "Failure", "Success", "Success", "Success"]
      )
      const after = yield* meters(of)
      assert.deepInclude(after, { balance: 95n, reserved: 10n, calls: { used: 5, pending: 1 } })
    }).pipe(Effect.provide(billing))
  )
})
