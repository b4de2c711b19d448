/**
 * A file comes to the same list as its rows one after the other, is there as a whole or not at all, and keeps the promise of an
 * addition beside dialing. Verifies: SUPP-2, SUPP-5.
 */
import { assert } from "@effect/vitest"
import { type Ids, PhoneNumber, read, Suppression, SuppressionImports, transact } from "@trunkline/core/effect"
import {
  CallStore,
  type EntryImport,
  ImportPlaces,
  type StagedEntry,
  StorageError,
  SuppressionImportStore,
  SuppressionStore
} from "@trunkline/core/storage"
import { AccountLimits, type EntryUpload, SuppressedCalls } from "@trunkline/core/testing"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { auditingAccounts } from "./AuditingAccounts.ts"
import * as Rows from "./Rows.ts"
import { gate, pause, type Stores, suite } from "./Subject.ts"

/** Marks the calls that nobody has answered, and cancels none. */
const suppressedCalls = Layer.effect(
  SuppressedCalls,
  Effect.map(CallStore, (calls) => ({
    mark: (tenantId, isCovered) =>
      Effect.gen(function* () {
        const unanswered = yield* calls.unansweredOf(tenantId)
        return (yield* Effect.filter(unanswered, ({ toKey }) => isCovered(toKey))).map(({ id }) => id)
      }),
    cancel: (ids) => Effect.sync(() => void canceled.push(...ids))
  }))
)

const canceled: Array<Ids.CallId> = []

const services = SuppressionImports.layer.pipe(
  Layer.provideMerge(Suppression.layer),
  Layer.provide(Layer.merge(suppressedCalls, auditingAccounts))
)

type Tested = Suppression | SuppressionImports

const upload = (text: string, over: Partial<EntryUpload> = {}): EntryUpload => ({
  file: Stream.succeed(new TextEncoder().encode(text)),
  columnMap: null,
  dryRun: false,
  reason: null,
  actor: { id: "operator", name: null },
  ...over
})

const importInto = (tenantId: Ids.AccountId, what: EntryUpload) =>
  SuppressionImports.use((imports) => imports.importCsv(tenantId, what))

const listOf = (tenantId: Ids.AccountId) =>
  read(SuppressionStore.use((store) => store.list(tenantId, null, { limit: 100_000, offset: 0 })))

/** What an entry says, without the row's own id and account. */
const shown = (entries: Effect.Success<ReturnType<typeof listOf>>) =>
  entries
    .map(({ createdAt, matchKey, phone, reason }) => ({ createdAt, matchKey, phone, reason }))
    .toSorted((one, other) => (one.matchKey < other.matchKey ? -1 : 1))

/** Few numbers, so that rows meet: written in several ways, short, and unusable. */
const phone = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map((n) => `+91 98765 432${String(n).padStart(2, "0")}`),
  fc.integer({ min: 0, max: 40 }).map((n) => `0091-98765432${String(n).padStart(2, "0")}`),
  fc.integer({ min: 0, max: 9 }).map((n) => `876543${n}`),
  fc.constantFrom("n/a", "12", "28.11.26")
)
const row = fc.record({ phone, reason: fc.constantFrom("", "asked", "a letter, by post") })
interface File {
  readonly rows: ReadonlyArray<{ readonly phone: string; readonly reason: string }>
  /** Of rows without one. */
  readonly reason: string | null
}

const file: fc.Arbitrary<File> = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 60 }),
  reason: fc.constantFrom(null, "imported")
})

/** Imports files, each dry and then for real, beside an account to whose list their rows are added one after the other. */
const follow = Effect.fnUntraced(function* (files: ReadonlyArray<File>) {
  const [imported, byRow] = [Rows.id<"Account">(), Rows.id<"Account">()]
  const suppression = yield* Suppression
  for (const { reason, rows } of files) {
    yield* TestClock.adjust(1000)
    const text = ["phone,reason", ...rows.map((one) => `${one.phone},"${one.reason}"`)].join("\n")
    const before = yield* listOf(imported)
    const dry = yield* importInto(imported, upload(text, { reason, dryRun: true }))
    assert.deepStrictEqual(yield* listOf(imported), before)
    const real = yield* importInto(imported, upload(text, { reason }))

    const added = { added: 0, skipped: 0, skippedInvalid: 0 }
    for (const one of rows) {
      const done = yield* suppression.add(byRow, [{ phone: one.phone, reason: one.reason || reason }])
      added.added += done.added
      added.skipped += done.skipped
      added.skippedInvalid += done.skippedInvalid
    }
    const after = yield* listOf(imported)
    assert.deepStrictEqual(shown(after), shown(yield* listOf(byRow)))
    const { dryRun, errors, ...numbers } = real
    assert.deepStrictEqual(numbers, { ...added, totalRows: rows.length, totalNow: after.length })
    assert.strictEqual(errors.length, added.skippedInvalid)
    assert.deepStrictEqual({ ...dry, dryRun, totalNow: real.totalNow }, real)
    assert.strictEqual(dry.totalNow, before.length)
  }
})

const property = <A>(
  of: fc.Arbitrary<A>,
  numRuns: number,
  holds: (a: A) => Effect.Effect<void, unknown, Stores | Tested>
): Effect.Effect<void, never, Stores> =>
  Effect.contextWith((context: Context.Context<Stores | Tested>) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(of, (a) => Effect.runPromiseWith(context)(holds(a))),
        { numRuns }
      )
    )
  ).pipe(Effect.provide(services))

const keyOf = (phone: string) => PhoneNumber.usable(phone)!.key

const lines = (count: number, from = 0): string =>
  ["phone", ...Array.from({ length: count }, (_, i) => String(9_000_000_000 + from + i))].join("\n")

const staged = (): StagedEntry => ({ id: Rows.id(), rows: 1, matchKey: Rows.key(), phone: "+1", reason: null })
const run = (): EntryImport => ({ id: Rows.id(), at: Rows.at(0), tenantId: Rows.id() })

export const suppressionImports = suite("imports of the do-not-call list", ({ it, sideBySide }) => {
  // Verifies: B-703, B-704, B-705.
  it.effect("come to the list that their rows come to one after the other, and a dry run shows it beforehand", () =>
    property(fc.array(file, { minLength: 2, maxLength: 3 }), 6, follow)
  )

  // Verifies: B-703.
  it.effect("of many rows are written in parts, and sent again they add nothing", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const many = upload(lines(21_000))
      assert.include(yield* importInto(tenantId, many), { added: 21_000, skipped: 0, totalNow: 21_000 })
      assert.include(yield* importInto(tenantId, many), { added: 0, skipped: 21_000, totalNow: 21_000 })
    }).pipe(Effect.provide(services))
  )

  // Verifies: B-704.
  it.effect("are there as a whole or not at all: one that fails at its very end leaves nothing", () =>
    Effect.gen(function* () {
      const store = yield* SuppressionImportStore
      const full = new StorageError({ reason: "full", detail: "the disk is full" })
      const breaking = Layer.succeed(SuppressionImportStore, {
        ...store,
        apply: (given) => Effect.andThen(store.apply(given), Effect.fail(full))
      })
      const tenantId = Rows.id<"Account">()
      const broken = Effect.provide(importInto(tenantId, upload(lines(700))), Layer.provide(services, breaking))
      assert.strictEqual(yield* Effect.flip(broken), full)
      assert.deepStrictEqual(yield* listOf(tenantId), [])
      assert.include(yield* Effect.provide(importInto(tenantId, upload(lines(700))), services), { added: 700 })
    })
  )

  it.effect("are refused where the list would become too long, in a dry run as well", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      yield* importInto(tenantId, upload(lines(8)))
      for (const dryRun of [true, false]) {
        const refused = yield* Effect.flip(importInto(tenantId, upload(lines(12), { dryRun })))
        assert.include(refused, { _tag: "LimitReached" })
      }
      assert.strictEqual((yield* listOf(tenantId)).length, 8)
      assert.include(yield* importInto(tenantId, upload(lines(10))), { added: 2, totalNow: 10 })
    }).pipe(
      Effect.provide(services),
      Effect.updateService(AccountLimits, (limits) => ({ ...limits, suppressionEntries: 10 }))
    )
  )

  it.effect("of one account may run at the same time, beside single additions: each number is added once", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const suppression = yield* Suppression
      const single = (n: number) =>
        Effect.map(
          suppression.add(tenantId, [
            { phone: String(9_000_000_899 - n), reason: null },
            { phone: String(9_000_000_000 + n), reason: null }
          ]),
          ({ added }) => added
        )
      const imported = (from: number) =>
        Effect.map(importInto(tenantId, upload(lines(600, from))), ({ added }) => added)
      const singles = Array.from({ length: 20 }, (_, n) => single(n))
      const added = yield* Effect.all([imported(0), imported(300), ...singles], { concurrency: "unbounded" })
      assert.strictEqual(
        added.reduce((sum, n) => sum + n, 0),
        900
      )
      assert.strictEqual((yield* listOf(tenantId)).length, 900)
    }).pipe(Effect.provide(services))
  )

  // Verifies: B-705.
  it.effect("cancel the calls to their numbers that nobody has answered, and no others", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const [theirs, other] = [Rows.call(tenantId, { toKey: keyOf("9000000007") }), Rows.call(tenantId)]
      yield* transact(CallStore.use((store) => Effect.forEach([theirs, other], store.add)))
      canceled.length = 0
      yield* importInto(tenantId, upload(lines(20), { dryRun: true }))
      assert.deepStrictEqual(canceled, [])
      yield* importInto(tenantId, upload(lines(20)))
      assert.deepStrictEqual(canceled, [theirs.id])
    }).pipe(Effect.provide(services))
  )

  // Verifies: B-705.
  sideBySide("find the call of a number that was claimed before, and who claims it later finds the entry", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const key = keyOf("9000000007")
      const suppression = yield* Suppression
      const [claimed, goOn] = [yield* gate, yield* gate]
      const call = Rows.call(tenantId, { toKey: key })
      canceled.length = 0
      const dialing = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            assert.isFalse(yield* suppression.claim(tenantId, key))
            yield* Deferred.succeed(claimed, undefined)
            yield* Deferred.await(goOn)
            yield* CallStore.use((store) => store.add(call))
          })
        )
      )
      yield* Deferred.await(claimed)
      const importing = yield* Effect.forkChild(importInto(tenantId, upload(lines(20))))
      yield* pause(500)
      assert.isUndefined(importing.pollUnsafe())
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(dialing)
      yield* Fiber.join(importing)
      assert.deepStrictEqual(canceled, [call.id])
      assert.isTrue(yield* transact(suppression.claim(tenantId, key)))
    }).pipe(Effect.provide(services))
  )

  // Verifies: B-705.
  sideBySide("hold up dialing only while they are committed, and then answer it with the new list", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const store = yield* SuppressionImportStore
      const [written, goOn] = [yield* gate, yield* gate]
      const waiting = Layer.succeed(SuppressionImportStore, {
        ...store,
        apply: (given) =>
          Effect.tap(store.apply(given), () =>
            Effect.andThen(Deferred.succeed(written, undefined), Deferred.await(goOn))
          )
      })
      const importing = yield* Effect.forkChild(
        Effect.provide(importInto(tenantId, upload(lines(20))), Layer.provide(services, waiting))
      )
      yield* Deferred.await(written)
      const claim = transact(Suppression.use((one) => one.claim(tenantId, keyOf("9000000007"))))
      assert.isFalse(yield* Effect.provide(claim, services))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(importing)
      assert.isTrue(yield* Effect.provide(claim, services))
    })
  )

  it.effect("show what they have gathered to nobody else, and are removed with it", () =>
    Effect.gen(function* () {
      const places = yield* ImportPlaces
      const store = yield* SuppressionImportStore
      const mine = run()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { gather } = yield* places.open(mine)
          yield* gather(store.stage(mine, [staged(), staged()]))
          assert.deepStrictEqual(yield* gather(store.compare(mine)), { rows: 2, added: 2 })
          const theirs = run()
          const other = yield* places.open(theirs)
          assert.deepStrictEqual(yield* other.gather(store.compare(theirs)), { rows: 0, added: 0 })
        })
      )
      assert.include(yield* transact(store.compare(mine)), { rows: 0 })
    })
  )
})
