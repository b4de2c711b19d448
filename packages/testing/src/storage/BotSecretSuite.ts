/** Secrets of agents. Verifies: BOTS-8. */
import { assert } from "@effect/vitest"
import { Ids, read, transact } from "@trunkline/core/effect"
import { type BotSecret, BotSecretStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const id = () => Ids.as<"Bot">(Rows.id())

export const botSecrets = suite("secrets of agents", ({ it }) => {
  const put = (...secrets: ReadonlyArray<BotSecret>) =>
    transact(BotSecretStore.use((store) => Effect.forEach(secrets, store.put, { discard: true })))
  const find = (of: Ids.BotId) => read(BotSecretStore.use((store) => store.find(of)))

  it.effect("are written, overwritten and removed", () =>
    Effect.gen(function* () {
      const [one, other] = [id(), id()]
      assert.isNull(yield* find(one))
      yield* put({ id: one, secret: "v1.a" }, { id: other, secret: "v1.b" })
      yield* put({ id: one, secret: "v1.c" })
      assert.strictEqual(yield* find(one), "v1.c")
      yield* transact(BotSecretStore.use((store) => store.remove(one)))
      assert.isNull(yield* find(one))
      assert.strictEqual(yield* find(other), "v1.b")
    })
  )

  it.effect("are read in pages, and replaced where they still stand", () =>
    Effect.gen(function* () {
      const store = yield* BotSecretStore
      const secrets = [id(), id(), id()].sort().map((of, nth) => ({ id: of, secret: nth === 1 ? "v0.x" : `v1.${nth}` }))
      yield* put(...secrets)
      const ids = secrets.map((one) => one.id)
      const mine = (rows: ReadonlyArray<BotSecret>) => rows.filter((row) => ids.includes(row.id))
      const all = yield* read(store.page(null, 10_000, ""))
      assert.deepStrictEqual(mine(all), secrets)
      assert.deepStrictEqual(yield* read(store.page(null, 1, "")), all.slice(0, 1))
      assert.deepStrictEqual(yield* read(store.page(all[0]!.id, 10_000, "")), all.slice(1))
      assert.deepStrictEqual(mine(yield* read(store.page(null, 10_000, "v0."))), [secrets[1]!])
      const replace = (from: string, to: string) => transact(store.replace(ids[0]!, from, to))
      assert.isFalse(yield* replace("v1.x", "v2"))
      assert.isTrue(yield* replace("v1.0", "v2"))
      assert.strictEqual(yield* find(ids[0]!), "v2")
    })
  )
})
