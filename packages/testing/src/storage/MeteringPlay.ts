/** Plays a random day against a storage and against the model, and fails at the first step after which the two differ. */

import { Credits, type Ids, Instant, read, transact, UsageLog } from "@trunkline/core/effect"
import { Plans } from "@trunkline/core/provider"
import { BudgetStore, CreditStore, QuotaStore, type Service, type StorageError } from "@trunkline/core/storage"
import {
  Idempotency,
  keptAnswerOf,
  Ledger,
  type MeteredRequest,
  Metering,
  Months,
  type Payer,
  type Stores,
  storedJson
} from "@trunkline/core/testing"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { anotherProcess, billing, key, used } from "./Metered.ts"
import { MeteringModel, type Outcome, refusalWord, type Step } from "./MeteringModel.ts"
import * as Rows from "./Rows.ts"

export type AssertSame = (actual: unknown, expected: unknown, step: string) => void

type Of<Do extends Step["do"]> = Extract<Step, { readonly do: Do }>

/** A request that waits for its upstream. */
interface Run {
  readonly under: string
  readonly id: Ids.UsageId
  readonly upstream: Deferred.Deferred<bigint>
  readonly fiber: Fiber.Fiber<Outcome, unknown>
}

/** Yields as a request of a route does; `reserved` is done once it waits for its upstream. */
const request = Effect.fnUntraced(function* (
  under: string,
  { leaseMs, ...one }: MeteredRequest & { readonly leaseMs: number },
  waiting: { readonly upstream: Deferred.Deferred<bigint>; readonly reserved: Deferred.Deferred<void> }
) {
  const metering = yield* Metering
  const idempotency = yield* Idempotency
  const ran = yield* idempotency.run(
    { tenantId: one.payer.tenantId, key: under, fingerprint: "same", leaseMs },
    (storeResponse) =>
      Effect.gen(function* () {
        yield* metering.reserve(one)
        yield* Deferred.succeed(waiting.reserved, undefined)
        const due = yield* Deferred.await(waiting.upstream)
        const charged = yield* metering
          .settle(one, due, used(), { answer: keptAnswerOf(storeResponse, storedJson(one.id)) })
          .pipe(Effect.tapErrorTag("ClaimLost", () => metering.release(one, used())))
        return { ran: one.id as string, charged }
      })
  )
  return ran._tag === "Executed" ? ran.result : { kept: JSON.parse(ran.response.body) as string }
})

/** Of a process that stands still: it knows the time, and its timers do not run, so that it renews nothing. */
const stillClock = Effect.map(Clock.clockWith(Effect.succeed), (clock) => ({
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
  currentTimeMillis: clock.currentTimeMillis,
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
  currentTimeNanos: clock.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: () => Effect.never
}))

const outcomeOf = (...asked: Parameters<typeof request>) =>
  Effect.provideServiceEffect(request(...asked), Clock.Clock, stillClock).pipe(
    Effect.catch((no) => (no._tag === "StorageError" ? Effect.fail(no) : Effect.succeed({ no: refusalWord(no) })))
  )

class MeteringPlay {
  readonly #assertSame: AssertSame
  readonly #plan: Payer["plan"]
  readonly #tenantId = Rows.id<"Account">()
  readonly #model = new MeteringModel(40n)
  readonly #keys = [null, key({ budget: 12n }), key({ budget: 8n, budgetPeriod: "month" })]
  readonly #asked: Array<MeteredRequest> = []
  readonly #runs: Array<Run> = []
  #now = Rows.at(0)

  readonly #sweep: Effect.Effect<number, StorageError>

  constructor(plan: Payer["plan"], sweep: Effect.Effect<number, StorageError>, assertSame: AssertSame) {
    this.#plan = plan
    this.#sweep = sweep
    this.#assertSame = assertSame
  }

  readonly begin = Effect.gen({ self: this }, function* () {
    const quotas = yield* QuotaStore
    // What earlier days have left is over, so that every sweep ends what this one has begun, and nothing else.
    yield* TestClock.setTime(Rows.at(400 * Instant.day))
    yield* this.#sweep
    yield* TestClock.setTime(this.#now)
    yield* transact(Credits.use((credits) => credits.grant(this.#tenantId, 40n, this.#now)))
    // 46 of 50 calls are over already, so that the cap is reached now and then.
    const ofMonth = { tenantId: this.#tenantId, service: "stt", month: Months.of(this.#now) } as const
    yield* transact(
      Effect.andThen(quotas.begin(ofMonth, { calls: 1, cap: null }), quotas.end(ofMonth, { pending: 1, used: 46 }))
    )
    this.#model.meter("stt", ofMonth.month).used = 46
  })

  readonly step = Effect.fnUntraced({ self: this }, function* (step: Step, name: string) {
    switch (step.do) {
      case "reserve":
        yield* this.#reserve(step, name)
        break
      case "settle":
        yield* this.#settle(step, name)
        break
      case "release":
        yield* this.#release(step)
        break
      case "ask":
        yield* this.#ask(step, name)
        break
      case "answer":
        yield* this.#answer(step, name)
        break
      case "renew":
        yield* Ledger.use((ledger) => ledger.renew)
        this.#model.renew(this.#now)
        break
      case "sweep":
        this.#assertSame(yield* this.#sweep, this.#model.sweep(this.#now), name)
        break
      case "wait":
        this.#now = Instant.plus(this.#now, step.seconds * Instant.second)
        break
      case "next month":
        this.#now = Months.nextStart(this.#now)
        break
    }
    yield* TestClock.setTime(this.#now)
    yield* this.#check(name)
  })

  /** Compares the log when the day is over. */
  readonly end = Effect.gen({ self: this }, function* () {
    const log = yield* UsageLog
    const filter = { service: null, model: null, keyId: null, sessionId: null, traceId: null, from: null, to: null }
    yield* TestClock.setTime(Rows.at(0))
    const { items, total } = yield* log.list(this.#tenantId, filter, { limit: 1000, offset: 0 })
    this.#assertSame(total, this.#model.rows, "rows of the log")
    const billed = items.reduce((sum, { credits }) => sum + credits, 0n)
    this.#assertSame(billed, this.#model.billed, "credits of the log")
  })

  #request(of: Pick<MeteredRequest, "service" | "maxCost" | "calls"> & { key: Payer["key"] }): MeteredRequest {
    return {
      id: Rows.id(),
      payer: { tenantId: this.#tenantId, plan: this.#plan, monthlyBudget: 25n, key: of.key },
      service: of.service,
      maxCost: of.maxCost,
      ...(of.calls === undefined ? {} : { calls: of.calls })
    }
  }

  get #deducts(): boolean {
    return Plans.plans[this.#plan].deducts
  }

  readonly #reserve = Effect.fnUntraced({ self: this }, function* (step: Of<"reserve">, name: string) {
    const one = this.#request({ ...step, key: this.#keys[step.key]! })
    this.#asked.push(one)
    const refused = yield* Effect.match(
      Metering.use((metering) => metering.reserve(one)),
      { onSuccess: () => null, onFailure: refusalWord }
    )
    this.#assertSame(refused, this.#model.reserve(one, this.#now), name)
  })

  readonly #settle = Effect.fnUntraced({ self: this }, function* ({ due, fewer, which }: Of<"settle">, name: string) {
    const one = this.#asked[which]
    if (one === undefined) return
    // A request that says nothing has used all that it reserved.
    const calls = fewer === 0 ? {} : { calls: Math.max(0, (one.calls ?? 1) - fewer) }
    const charged = yield* Metering.use((metering) => metering.settle(one, due, { ...used(), ...calls }))
    this.#assertSame(charged, this.#model.settle(one.id, due, this.#deducts, fewer), name)
  })

  readonly #release = Effect.fnUntraced({ self: this }, function* ({ reached, which }: Of<"release">) {
    const one = this.#asked[which]
    if (one === undefined) return
    yield* Metering.use((metering) => metering.release(one, reached ? used() : null))
    this.#model.release(one.id, reached)
  })

  readonly #ask = Effect.fnUntraced({ self: this }, function* (step: Of<"ask">, name: string) {
    const leaseMs = step.lease * Instant.second
    const one = { ...this.#request({ ...step, service: "stt", key: null }), leaseMs }
    const [upstream, reserved] = [yield* Deferred.make<bigint>(), yield* Deferred.make<void>()]
    const fiber = yield* Effect.forkChild(outcomeOf(step.under, one, { upstream, reserved }))
    const outcome = yield* Effect.raceFirst(Effect.as(Deferred.await(reserved), null), Fiber.join(fiber))
    this.#assertSame(outcome, this.#model.ask(step.under, one, leaseMs, this.#now), name)
    if (outcome === null) this.#runs.push({ under: step.under, id: one.id, upstream, fiber })
  })

  readonly #answer = Effect.fnUntraced({ self: this }, function* ({ due, which }: Of<"answer">, name: string) {
    const [run] = this.#runs.splice(which, 1)
    if (run === undefined) return
    yield* Deferred.succeed(run.upstream, due)
    const outcome = yield* Fiber.join(run.fiber)
    this.#assertSame(outcome, this.#model.answer(run.under, run.id, due, this.#deducts, this.#now), name)
  })

  readonly #check = Effect.fnUntraced({ self: this }, function* (step: string) {
    const [credit, quotas, budgets] = [yield* CreditStore, yield* QuotaStore, yield* BudgetStore]
    const tenantId = this.#tenantId
    const model = this.#model
    const stored = yield* read(credit.balance(tenantId))
    this.#assertSame([stored?.balance, stored?.reserved], [model.balance, model.reserved], step)
    this.#assertSame(yield* read(credit.ledgerSum(tenantId)), model.balance, step)
    for (const [name, { pending, used: over }] of model.meters) {
      const [service, month] = name.split(" ") as [Service, string]
      if (Plans.isCounted(service))
        this.#assertSame(yield* read(quotas.counts({ tenantId, service, month })), { used: over, pending }, step)
    }
    for (const [name, { pending, spent }] of model.purses) {
      const [owner, period] = name.split(" ") as [string, string]
      this.#assertSame(yield* read(budgets.spending({ ownerId: owner, period })), { spent, pending }, step)
    }
  })
}

export const play = (
  steps: ReadonlyArray<Step>,
  plan: Payer["plan"],
  assertSame: AssertSame
): Effect.Effect<void, unknown, Stores> =>
  Effect.gen(function* () {
    const other = yield* anotherProcess
    const sweep = Effect.provideContext(
      Metering.use((metering) => metering.sweep),
      other
    )
    const day = new MeteringPlay(plan, sweep, assertSame)
    yield* day.begin
    for (const [i, step] of steps.entries()) yield* day.step(step, `step ${i}: ${step.do}`)
    yield* day.end
  }).pipe(Effect.provide(Layer.fresh(billing)), Effect.scoped)
