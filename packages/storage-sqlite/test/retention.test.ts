/** Old rows are removed a few at a time: nobody waits for the retention. Verifies: STOR-7. */
import { assert, it } from "@effect/vitest"
import { Instant, read, transact } from "@trunkline/core/effect"
import { Ids, OutboxStore, RetentionStore } from "@trunkline/core/storage"
import { layer } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"

const ids = Ids.ascending()
const event = (n: number) => ({
  id: Ids.as<"Event">(ids.next(Instant.make(n))),
  event: "call.started" as const,
  tenantId: Ids.as<"Account">(ids.next(Instant.make(n))),
  botId: null,
  data: {},
  at: Instant.make(n)
})

it.effect("no transaction of the retention removes more than 200 rows", () =>
  Effect.gen(function* () {
    const { remove } = yield* RetentionStore
    const count = Effect.map(read(OutboxStore.use((store) => store.after(null, 1000))), (events) => events.length)
    yield* transact(OutboxStore.use((store) => store.append(Array.from({ length: 500 }, (_, n) => event(n)))))
    const left: Array<number> = []
    while (yield* remove("events", Instant.make(450))) left.push(yield* count)
    assert.deepStrictEqual(left, [300, 100])
    assert.strictEqual(yield* count, 50)
  }).pipe(Effect.provide(layer({ path: ":memory:" })))
)
