/** The clocks of process and database server: docs/reference/storage.md#servers. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@trunkline/storage-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { migratedDatabase, missing } from "../../../test/TestPostgres.ts"
import { ClockComparison } from "../src/ServerClock.ts"

const minute = 60_000

describe("a difference of the clocks", () => {
  // Verifies: D-269.
  it("is reported when it begins, whichever clock is ahead, and when it ends", () => {
    const comparison = new ClockComparison()
    assert.isNull(comparison.compare(minute, minute))
    assert.match(
      comparison.compare(0, 2 * minute)!,
      /of this process is 120 seconds ahead of that of the database server/
    )
    assert.isNull(comparison.compare(0, 3 * minute))
    assert.match(comparison.compare(minute, minute)!, /agrees with that of the database server again/)
    assert.match(comparison.compare(minute, 0)!, /of this process is 60 seconds behind that of the database server/)
  })

  it("is not reported up to what a late answer looks like", () => {
    const comparison = new ClockComparison()
    assert.isNull(comparison.compare(0, 10_000))
    assert.isNull(comparison.compare(10_000, 0))
    assert.isNotNull(comparison.compare(0, 10_001))
  })
})

const reason = missing()

describe.skipIf(reason !== null)(`the server's clock${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  // Verifies: D-269.
  it.effect("is compared when a process has started, and a difference is in the log once", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      // Years behind the server's.
      yield* TestClock.setTime(0)
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      yield* Layer.build(layer({ url })).pipe(Effect.provide(logger))
      const found = () => lines.filter((line) => line.includes("behind that of the database server"))
      yield* Effect.promise(async () => {
        for (let waited = 0; waited < 20_000 && found().length === 0; waited += 50) {
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })
      assert.lengthOf(found(), 1)
    })
  )
})
