/** The billing room on a storage of the suites, and what its tests begin with. */
import { Credits, type Ids, type Instant, read, transact, UsageLog } from "@trunkline/core/effect"
import { Plans } from "@trunkline/core/provider"
import { BudgetStore, CreditStore, QuotaStore, type Service, type StorageError } from "@trunkline/core/storage"
import {
  Bonuses,
  type BudgetExceeded,
  type CreditsExceeded,
  Idempotency,
  KeyLimits,
  Ledger,
  type LedgerAdmission,
  type LedgerAdmitted,
  type LedgerEnd,
  type MeteredRequest,
  Metering,
  Months,
  Outbox,
  type Payer,
  type QuotaExceeded,
  type Stores,
  type UsageDetails,
  type UsageFilter,
  type Used
} from "@trunkline/core/testing"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as Rows from "./Rows.ts"

export type Billing = Bonuses | Credits | Idempotency | KeyLimits | Ledger | Metering | Outbox | UsageLog

/** The room's services, as one process has them. It gives others no time to renew their leases, and renews its own when a test asks for it. */
export const billing: Layer.Layer<Billing, never, Stores> = Layer.mergeAll(Metering.layer, Bonuses.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Credits.layer, Idempotency.layer, KeyLimits.layer, UsageLog.layer)),
  Layer.provideMerge(Ledger.claims),
  Layer.provideMerge(Ledger.layerOf({ graceMs: 0 })),
  Layer.provideMerge(Outbox.layer)
)

/** The instant of `Rows.at(0)`: 28 May 2026, in the afternoon. */
export const began: Instant.Instant = Rows.at(0)
export const month = Months.of(began)

export const credit = 1_000_000_000n

/** A paying account with so much credit. The clock stands where the rows begin. */
export const payer = (balance: bigint, over: Partial<Payer> = {}): Effect.Effect<Payer, StorageError, Stores> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(began)
    const tenantId = Rows.id<"Account">()
    const store = yield* CreditStore
    yield* transact(Effect.andThen(store.open(tenantId), store.add(tenantId, balance)))
    return { tenantId, plan: "pro", monthlyBudget: null, key: null, ...over }
  })

export const key = (over: Partial<NonNullable<Payer["key"]>> = {}): NonNullable<Payer["key"]> => ({
  id: Rows.id(),
  name: "Backend",
  prefix: "svc_abc",
  budget: null,
  budgetPeriod: "total",
  ...over
})

export const wanted = (of: Payer, over: Partial<MeteredRequest> = {}): MeteredRequest => ({
  id: Rows.id(),
  payer: of,
  service: "llm",
  maxCost: credit,
  ...over
})

export const used = (over: Partial<UsageDetails> = {}): UsageDetails => ({
  requestId: "req-1",
  model: "oss-120b",
  httpStatus: 200,
  units: 30,
  unit: "tokens",
  inputTokens: 10,
  outputTokens: 20,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  latencyMs: 120,
  sessionId: null,
  traceId: null,
  ...over
})

export const passes = <E, R>(attempt: Effect.Effect<unknown, E, R>): Effect.Effect<boolean, never, R> =>
  Effect.match(attempt, { onFailure: () => false, onSuccess: () => true })

/** Everything that a reservation may change, so that a test can say that it did not. */
export const meters = ({ key: of, tenantId }: Payer, service: Service = "llm") =>
  read(
    Effect.gen(function* () {
      const budgets = yield* BudgetStore
      const quotas = yield* QuotaStore
      const { balance, reserved } = (yield* CreditStore.use((credits) => credits.balance(tenantId)))!
      return {
        balance,
        reserved,
        calls: yield* quotas.counts({ tenantId, service, month }),
        monthly: yield* budgets.spending({ ownerId: tenantId, period: month }),
        ofKey:
          of === null
            ? null
            : yield* budgets.spending({ ownerId: of.id, period: of.budgetPeriod === "month" ? month : "total" })
      }
    })
  )

/** What an object with callbacks admits. */
export const admit = (admission: LedgerAdmission) =>
  Ledger.use(({ withoutFiber }) =>
    Effect.callback<LedgerAdmitted, StorageError>((resume) => {
      withoutFiber.admit(admission, resume)
    })
  )

/** What an object with callbacks ends; succeeds with what was charged. */
export const end = <E = never>(ended: LedgerEnd<E>) =>
  Ledger.use(({ withoutFiber }) =>
    Effect.callback<bigint | null, E | StorageError>((resume) =>
      withoutFiber.end(ended, (exit) => resume(Exit.map(exit, ({ value }) => value)))
    )
  )

/** A race of 200 attempts, of which exactly `passes` may pass. */
export interface Race {
  readonly title: string
  readonly passes: number
  readonly begin: Effect.Effect<
    (id: Ids.UsageId) => Effect.Effect<unknown, unknown, Metering | KeyLimits | Ledger>,
    StorageError,
    Stores
  >
}

const reserving = (
  begin: Effect.Effect<Payer, StorageError, Stores>,
  over: Pick<Partial<MeteredRequest>, "service" | "calls"> = {}
): Race["begin"] =>
  Effect.map(begin, (of) => (id) => Metering.use((metering) => metering.reserve(wanted(of, { id, ...over }))))

/** An account of the plan `free` that has made all calls of a service in this month but `left`. */
const nearCap = (service: "llm" | "stt", left: number) =>
  Effect.tap(payer(1000n * credit, { plan: "free" }), ({ tenantId }) =>
    transact(
      QuotaStore.use((quotas) => {
        const period = { tenantId, service, month }
        const cap = Plans.capOf("free", service)
        const over = { pending: 1, used: cap! - left }
        return Effect.andThen(quotas.begin(period, { calls: 1, cap }), quotas.end(period, over))
      })
    )
  )

const acquiring = (limits: { readonly perMinute: number; readonly concurrency: number }): Race["begin"] =>
  Effect.gen(function* () {
    yield* TestClock.setTime(began)
    const [tenantId, keyId] = [Rows.id<"Account">(), Rows.id<"Key">()]
    return (id) => KeyLimits.use((keys) => keys.acquire({ id, tenantId, keyId, ...limits }))
  })

/** Admissions by one call, of an account with so much credit. */
const admitting = (
  balance: bigint,
  limits: { readonly perMinute: number; readonly concurrency: number }
): Race["begin"] =>
  Effect.map(payer(balance, { key: key() }), (of) => {
    const ofKey = { tenantId: of.tenantId, keyId: of.key!.id, ...limits }
    return (id) =>
      Effect.flatMap(
        admit({ limits: { id, ...ofKey }, run: null, reserve: wanted(of, { id, service: "embedding" }) }),
        ({ acquired, refused }) =>
          acquired.error === null && refused === null ? Effect.void : Effect.fail(acquired.error ?? refused)
      )
  })

export const races: ReadonlyArray<Race> = [
  {
    title: "a balance has room for",
    passes: 7,
    begin: reserving(payer((15n * credit) / 2n), { service: "embedding" })
  },
  { title: "a plan's cap has room for", passes: 3, begin: reserving(nearCap("llm", 3)) },
  {
    title: "a plan's cap has room for, each with four calls,",
    passes: 3,
    begin: reserving(nearCap("stt", 15), { service: "stt", calls: 4 })
  },
  {
    title: "a key's budget has room for",
    passes: 5,
    begin: Effect.suspend(() => reserving(payer(1000n * credit, { key: key({ budget: 5n * credit }) })))
  },
  {
    title: "an account's monthly budget has room for",
    passes: 4,
    begin: reserving(payer(1000n * credit, { monthlyBudget: 4n * credit + 1n }))
  },
  { title: "a sliding minute has room for", passes: 20, begin: acquiring({ perMinute: 20, concurrency: 1000 }) },
  { title: "a key has slots for", passes: 16, begin: acquiring({ perMinute: 1000, concurrency: 16 }) },
  {
    title: "a balance has room for, with limits of their key at once,",
    passes: 7,
    begin: admitting((15n * credit) / 2n, { perMinute: 1000, concurrency: 1000 })
  },
  {
    title: "a key's minute has room for, with credit at once,",
    passes: 20,
    begin: admitting(1000n * credit, { perMinute: 20, concurrency: 1000 })
  }
]

export const everything: UsageFilter = {
  service: null,
  model: null,
  keyId: null,
  sessionId: null,
  traceId: null,
  from: null,
  to: null
}

export const later = (ms: number) => TestClock.setTime(began + ms)

export const reserve = (
  ...[of, over]: Parameters<typeof wanted>
): Effect.Effect<MeteredRequest, BudgetExceeded | CreditsExceeded | QuotaExceeded | StorageError, Metering> => {
  const asked = wanted(of, over)
  return Effect.as(
    Metering.use((metering) => metering.reserve(asked)),
    asked
  )
}

export const settle = (asked: ReturnType<typeof wanted>, due: bigint, of: Used = used()) =>
  Metering.use((metering) => metering.settle(asked, due, of))

export const release = (asked: ReturnType<typeof wanted>, of: ReturnType<typeof used> | null = null) =>
  Metering.use((metering) => metering.release(asked, of))

/** The room's services in another process, at the same storage. */
export const anotherProcess: Effect.Effect<Context.Context<Billing>, never, Stores | Scope.Scope> = Layer.build(
  Layer.fresh(billing)
)

/** Releases what has lapsed, in another process. */
export const sweep = Effect.scoped(
  Effect.flatMap(anotherProcess, (process) =>
    Effect.provideContext(
      Metering.use((metering) => metering.sweep),
      process
    )
  )
)

export const rowsOf = ({ tenantId }: Payer, filter: Partial<UsageFilter> = {}) =>
  UsageLog.use((log) => log.list(tenantId, { ...everything, ...filter }, { limit: 100, offset: 0 }))
