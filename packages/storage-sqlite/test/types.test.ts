/** What must not compile. The type check of the tests proves it; running only shows that it was looked at. Verifies: STOR-1. */
import { assert, it } from "@effect/vitest"
import { lock, read, Storage, transact } from "@trunkline/core/effect"
import { BotStore, type StorageError, type SuppressionStore } from "@trunkline/core/storage"
import { Rows } from "@trunkline/testing/storage"
import * as Effect from "effect/Effect"

const tenantId = Rows.id<"Account">()
const writing = BotStore.use((store) => store.add(Rows.bot(tenantId)))
const reading = BotStore.use((store) => store.count(tenantId))

/** Programs that run with a storage and its stores. */
const runnable = <A, E>(program: Effect.Effect<A, E, Storage | BotStore | SuppressionStore>) => program

it("a part that writes does not compile outside a transaction", () => {
  runnable(transact(writing))
  runnable(read(reading))
  runnable(transact(Effect.andThen(reading, writing)))
  runnable(transact(lock("campaign", "x")))
  // @ts-expect-error a part that writes, outside any transaction
  runnable(writing)
  // @ts-expect-error a look, outside any look
  runnable(reading)
  // @ts-expect-error a look is no transaction
  runnable(read(writing))
  // @ts-expect-error neither is it for a lock
  runnable(read(lock("campaign", "x")))
  // @ts-expect-error nor by way of the service itself
  runnable(Storage.use((storage) => storage.read(writing)))
  assert.isTrue(true)
})

it("a transaction adds the failures of a storage to those of its program, and changes nothing else of it", () => {
  const program: Effect.Effect<number, "mine" | StorageError, BotStore | Storage> = transact(
    Effect.andThen(writing, Effect.fail("mine" as const))
  )
  // @ts-expect-error the failure of the program is still there
  const none: Effect.Effect<number, StorageError, BotStore | Storage> = program
  // @ts-expect-error and so is the store that it needs
  const alone: Effect.Effect<number, "mine" | StorageError, Storage> = program
  assert.isDefined([none, alone])
})
