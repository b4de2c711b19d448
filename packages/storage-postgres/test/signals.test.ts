/** Signals between processes on one Postgres: docs/reference/storage.md#signals. Verifies: STOR-6. */
import { assert, describe, it } from "@effect/vitest"
import { RemoteSignals, StorageCounters } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-postgres"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { migratedDatabase, missing } from "../../../test/TestPostgres.ts"

const reason = missing()

const wait = (milliseconds: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))

const until = Effect.fnUntraced(function* (isSo: () => boolean) {
  for (let waited = 0; !isSo(); waited += 5) {
    if (waited > 300_000) return assert.fail("it has not come about")
    yield* wait(5)
  }
})

/** A process, and how often it was woken. */
const processOn = Effect.fnUntraced(function* (url: string) {
  const context = yield* Layer.build(Layer.fresh(layer({ url })))
  const { listen, send } = Context.get(context, RemoteSignals)
  const seen = { work: 0, other: 0 }
  yield* listen(
    "work",
    Effect.sync(() => void seen.work++)
  )
  yield* listen(
    "other",
    Effect.sync(() => void seen.other++)
  )
  // Every listener is woken once when the connection is there.
  yield* until(() => seen.work > 0)
  seen.work = 0
  seen.other = 0
  return { seen, send: send("work"), counts: () => Context.get(context, StorageCounters).read().signals }
})

const endAll = (url: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trunkline' and datname = current_database()"
    )
    await client.end()
  })

describe.skipIf(reason !== null)(`signals on Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it.live("wake the workers of other processes under their name, and not those of their own", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const [one, other, third] = [yield* processOn(url), yield* processOn(url), yield* processOn(url)]
      yield* one.send
      yield* until(() => other.seen.work > 0 && third.seen.work > 0)
      // Verifies: D-266.
      assert.deepStrictEqual(
        [one.counts(), other.counts()],
        [
          { sent: 1, received: 0, isListening: true },
          { sent: 0, received: 1, isListening: true }
        ]
      )
      assert.deepStrictEqual(
        [one.seen, other.seen, third.seen],
        [
          { work: 0, other: 0 },
          { work: 1, other: 0 },
          { work: 1, other: 0 }
        ]
      )
    })
  )

  it.live("that follow each other closely are merged, and the last one is not lost", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const [one, other] = [yield* processOn(url), yield* processOn(url)]
      const from = performance.now()
      for (let n = 0; n < 1000; n++) yield* one.send
      const maxSignals = 2 + (performance.now() - from) / 5
      yield* until(() => other.seen.work > 1)
      yield* wait(50)
      assert.isAtMost(other.seen.work, Math.ceil(maxSignals))
    })
  )

  it.live("come again after the connections were lost, and what was missed meanwhile is looked for", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const [one, other] = [yield* processOn(url), yield* processOn(url)]
      yield* until(() => other.counts()?.isListening === true)
      yield* endAll(url)
      // Workers look every second until signals arrive again: packages/core/test/host/Workers.test.ts.
      yield* until(() => other.counts()?.isListening === false)
      yield* one.send
      yield* until(() => one.seen.work > 0 && other.seen.work > 0)
      const before = other.seen.work
      yield* one.send
      yield* until(() => other.seen.work > before && other.counts()?.isListening === true)
    })
  )
})
