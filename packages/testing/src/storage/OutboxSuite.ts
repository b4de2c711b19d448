/** Events by cursor: in one order, none twice, none missed, however late it is committed. Verifies: EVNT-1, EVNT-3. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { BotStore, OutboxStore } from "@trunkline/core/storage"
import type { Recorded } from "@trunkline/core/testing"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const event = (n: number) => ({
  id: Rows.id<"Event">(),
  event: "call.started" as const,
  tenantId: Rows.id<"Account">(),
  botId: null,
  data: { n },
  at: Rows.at(n)
})

const append = (...numbers: ReadonlyArray<number>) =>
  transact(OutboxStore.use((store) => store.append(numbers.map(event))))

const after = (cursor: string | null, limit = 1000) => read(OutboxStore.use((store) => store.after(cursor, limit)))

const numbers = (events: ReadonlyArray<Recorded>) => events.map(({ data }) => data.n)

/** Reads on until the expected number of events has come: a storage may hold events back while others are being written. */
const readOn = Effect.fnUntraced(function* (cursor: string | null, expected: number) {
  const found: Array<Recorded> = []
  for (let tries = 0; found.length < expected && tries < 30_000; tries++) {
    found.push(...(yield* after(found.at(-1)?.cursor ?? cursor)))
    if (found.length < expected) yield* pause(10)
  }
  return found
})

/** Where the outbox ends now. */
const end = Effect.gen(function* () {
  yield* append(-1)
  let cursor: string | null = null
  for (;;) {
    const found: ReadonlyArray<Recorded> = yield* readOn(cursor, 1)
    cursor = found.at(-1)!.cursor
    if (found.at(-1)!.data.n === -1) return cursor
  }
})

export const outbox = suite("outbox", ({ it, sideBySide }) => {
  it.effect("events are read in the order in which they were written, page by page", () =>
    Effect.gen(function* () {
      const from = yield* end
      yield* append(1, 2, 3)
      yield* append()
      yield* append(4)
      yield* append(5, 6)
      const all = yield* readOn(from, 6)
      assert.deepStrictEqual(numbers(all), [1, 2, 3, 4, 5, 6])
      assert.deepStrictEqual(numbers(yield* after(all[1]!.cursor, 2)), [3, 4])
      assert.deepStrictEqual(yield* after(all[5]!.cursor), [])
    })
  )

  it.effect("a text that is no cursor is a defect that says so", () =>
    Effect.gen(function* () {
      for (const text of ["", "0", "1.", ".1", "1.2.3", "x.y", "-1.0", "0.0; --", "1.99999999999999999999"]) {
        const exit = yield* Effect.exit(after(text))
        assert.match(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), /is no cursor of the outbox/)
      }
    })
  )

  it.effect("a reader misses nothing and sees nothing twice while many write", () =>
    Effect.gen(function* () {
      const from = yield* end
      const writing = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 150 }, (_, n) => n),
          (n) => Effect.andThen(pause(n % 7), append(n)),
          { concurrency: 8, discard: true }
        )
      )
      const found = yield* readOn(from, 150)
      yield* Fiber.join(writing)
      assert.strictEqual(new Set(numbers(found)).size, 150)
      assert.strictEqual(found.length, 150)
    })
  )

  sideBySide("an event whose transaction stays open for long is not passed over", () =>
    Effect.gen(function* () {
      const from = yield* end
      const outbox = yield* OutboxStore
      const [written, goOn] = [yield* gate, yield* gate]
      const slow = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* outbox.append([event(1)])
            yield* Deferred.succeed(written, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(written)
      yield* append(2)
      // 2 is committed, but 1 may still come before it.
      assert.deepStrictEqual(numbers(yield* after(from)), [])
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(slow)
      assert.deepStrictEqual(numbers(yield* readOn(from, 2)), [1, 2])
    })
  )

  sideBySide("an event that is written late in a transaction that began early keeps its place", () =>
    Effect.gen(function* () {
      const from = yield* end
      const [outbox, bots] = [yield* OutboxStore, yield* BotStore]
      const [begun, goOn] = [yield* gate, yield* gate]
      const slow = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* bots.add(Rows.bot(Rows.id()))
            yield* Deferred.succeed(begun, undefined)
            yield* Deferred.await(goOn)
            yield* outbox.append([event(1)])
          })
        )
      )
      yield* Deferred.await(begun)
      yield* append(2)
      const before = yield* after(from)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(slow)
      const rest = yield* readOn(before.at(-1)?.cursor ?? from, 2 - before.length)
      assert.deepStrictEqual(numbers([...before, ...rest]).sort(), [1, 2])
    })
  )

  it.effect("a publication's key is claimed once for each account, and leads to its event", () =>
    Effect.gen(function* () {
      const outbox = yield* OutboxStore
      const tenant = Rows.id<"Account">()
      const key = { tenantId: tenant, key: "k", eventId: Rows.id<"Event">(), createdAt: Rows.at(0) }
      assert.isTrue(yield* transact(outbox.claimKey(key)))
      assert.isFalse(yield* transact(outbox.claimKey({ ...key, eventId: Rows.id() })))
      assert.isTrue(yield* transact(outbox.claimKey({ ...key, tenantId: Rows.id() })))
      assert.strictEqual(yield* read(outbox.byKey(tenant, "k")), key.eventId)
      assert.isNull(yield* read(outbox.byKey(tenant, "other")))
    })
  )
})
