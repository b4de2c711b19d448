/** Several processes on one database: together they let pass what one of them would. Verifies: BILL-4. */
import type { Stores } from "@trunkline/core/testing"
import { layer } from "@trunkline/storage-postgres"
import { type Billing, billing, passes, Rows, races } from "@trunkline/testing/storage"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { migratedDatabase, missing } from "../../../test/TestPostgres.ts"

const reason = missing()
const processes = 4

describe.skipIf(reason !== null)(`processes on one Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  // Verifies: G-217, H-75.
  it.each(races)("of 200 requests to four processes as many pass as $title", ({ begin, passes: room }) =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const scope = yield* Effect.scope
      const all: Array<Context.Context<Stores | Billing>> = []
      for (let i = 0; i < processes; i++) {
        all.push(yield* Layer.buildWithScope(Layer.provideMerge(billing, layer({ url, connections: 5 })), scope))
      }
      const ask = yield* Effect.provideContext(begin, all[0]!)
      const answers = yield* Effect.forEach(
        Array.from({ length: 200 }),
        (_, i) => passes(Effect.provideContext(ask(Rows.id<"Usage">()), all[i % processes]!)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter((passed) => passed).length, room)
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)
  )
})
