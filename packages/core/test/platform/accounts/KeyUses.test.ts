/** When keys were used last, at the price of at most one write a minute: docs/reference/access.md#last-use. Verifies: ACCS-7. */
import { Ids, Instant } from "@trunkline/core/effect"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { type KeyUse, KeyUseStore, KeyUses } from "../../../src/platform/accounts/index.ts"
import { Storage, StorageError } from "../../../src/platform/storage/index.ts"

const tenantId = Ids.as<"Account">("account")
const key = (id: string) => ({ id: Ids.as<"Key">(id), tenantId })
const at = Instant.make

const away = new StorageError({ reason: "unavailable", detail: "away" })

const open = async () => {
  const written: Array<ReadonlyArray<KeyUse>> = []
  let isAway = false
  const scope = Scope.makeUnsafe()
  const store = Layer.succeed(KeyUseStore, {
    note: (uses) => (isAway ? Effect.fail(away) : Effect.sync(() => void written.push(uses))),
    hasAny: () => Effect.sync(() => written.length > 0)
  })
  // What writes asks for nothing else of a storage.
  const storage = Layer.succeed(Storage, { transactWith: () => (program: unknown) => program } as never)
  const layer = Layer.provide(KeyUses.layer, Layer.merge(store, storage))
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const uses = Context.get(context, KeyUses)
  return {
    uses,
    written,
    write: () => Effect.runPromise(Effect.exit(uses.write)),
    setAway: (value: boolean) => {
      isAway = value
    },
    hasAny: () => Effect.runPromise(uses.hasAny(tenantId) as Effect.Effect<boolean>),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const seen = (written: ReadonlyArray<ReadonlyArray<KeyUse>>) =>
  written.map((uses) => uses.map(({ keyId, usedAt }) => [keyId, usedAt]))

describe("the last use of a key", () => {
  it("is written once in a minute, for all keys together, however many requests there are", async () => {
    const { uses, write, written } = await open()
    for (let n = 0; n < 1000; n++) uses.note(key(n % 2 === 0 ? "a" : "b"), at(n))
    expect(await write()).toEqual(Exit.succeed(2))
    for (let n = 1000; n < 60_000; n += 100) uses.note(key("a"), at(n))
    expect(await write()).toEqual(Exit.succeed(0))
    uses.note(key("a"), at(60_000))
    await write()
    expect(seen(written)).toEqual([
      [
        ["a", 0],
        ["b", 1]
      ],
      [["a", 60_000]]
    ])
  })

  it("is known before it is written, and written at a stop", async () => {
    const { close, hasAny, uses, written } = await open()
    expect(await hasAny()).toBe(false)
    uses.note(key("a"), at(0))
    expect([await hasAny(), written]).toEqual([true, []])
    await close()
    expect(seen(written)).toEqual([[["a", 0]]])
  })

  it("is noted by the next request where it could not be written, and by a clock that was set back", async () => {
    const { setAway, uses, write, written } = await open()
    uses.note(key("a"), at(100_000))
    setAway(true)
    expect(await write()).toEqual(Exit.fail(away))
    setAway(false)
    expect(await write()).toEqual(Exit.succeed(0))
    uses.note(key("a"), at(100_001))
    await write()
    uses.note(key("a"), at(0))
    await write()
    expect(seen(written)).toEqual([[["a", 100_001]], [["a", 0]]])
  })
})
