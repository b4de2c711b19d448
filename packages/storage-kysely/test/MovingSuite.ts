/** What is true of moves whatever the two databases are. */
import { it } from "@effect/vitest"
import { Ids } from "@trunkline/core/effect"
import type { StorageError } from "@trunkline/core/storage"
import { cancelMove, type Installation, migrateInstallation, moveAccount } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { assert } from "vitest"
import { uuidOf } from "./FilledTables.ts"
import { contents, driven, dying, fill, oldSecret, reencrypt, reencrypted } from "./Moving.ts"

type Open = Effect.Effect<Installation, StorageError, Scope.Scope>

const mine = Ids.as<"Account">(uuidOf(1))
const theirs = Ids.as<"Account">(uuidOf(2))

const order = { tenantId: mine, other: "the other one", waitMs: 5000, reencrypt }

const filled = Effect.fnUntraced(function* (open: Open) {
  const from = yield* open
  yield* fill(from, { account: mine, seed: 1, rows: 5, secret: oldSecret })
  yield* fill(from, { account: theirs, seed: 2, rows: 3, secret: oldSecret })
  return from
})

const withRows = (all: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.keys(all).filter((name) => all[name]!.length > 0)

/** `title` names the direction: each storage is empty, and another one each time. */
export const moving = (title: string, source: Open, target: Open): void => {
  // Verifies: MOVE-1.
  it.effect(`${title}: an account moves with every row of every table, and leaves its name behind`, () =>
    Effect.gen(function* () {
      const [from, to] = [yield* filled(source), yield* target]
      const [before, others] = [yield* contents(from, mine), yield* contents(from, theirs)]
      assert.isAbove(withRows(before).length, 40)
      const report = yield* driven(moveAccount({ ...order, from, to }))
      assert.deepStrictEqual(yield* contents(to, mine), reencrypted(before))
      assert.deepStrictEqual(withRows(yield* contents(to, theirs)), [])
      assert.deepStrictEqual(yield* contents(from, theirs), others)
      assert.sameMembers(withRows(yield* contents(from, mine)), ["accounts", "api_keys", "connected_numbers"])
      assert.strictEqual((yield* from.storage.read(from.store.find(mine)))?.phase, "moved")
      assert.isNull(yield* to.storage.read(to.store.find(mine)))
      assert.strictEqual(report.tables.find(({ name }) => name === "calls")?.rows, 5)
    }).pipe(Effect.scoped)
  )

  // Verifies: MOVE-2.
  it.effect(`${title}: a move that is killed at any transaction goes on where it was, and nothing is there twice`, () =>
    Effect.gen(function* () {
      const [from, to] = [yield* filled(source), yield* target]
      const before = yield* contents(from, mine)
      let kills = 0
      for (; kills < 500; kills++) {
        const when = kills % 2 === 0 ? "before" : "after"
        // Enough for the source to come as far as before, and once in a while a little further.
        const killed = { from: dying(from, 4 + (kills % 29) * 3, when), to: dying(to, 2 + (kills % 3), when) }
        if (Exit.isSuccess(yield* Effect.exit(driven(moveAccount({ ...order, ...killed }))))) break
        const states = [from, to].map(({ storage, store }) => storage.read(store.find(mine)))
        const [left, arrived] = yield* Effect.all(states)
        // At no moment may both work for it.
        assert.isTrue(left !== null || arrived === null)
      }
      assert.isAbove(kills, 20)
      assert.isBelow(kills, 500)
      assert.deepStrictEqual(yield* contents(to, mine), reencrypted(before))
      assert.sameMembers(withRows(yield* contents(from, mine)), ["accounts", "api_keys", "connected_numbers"])
    }).pipe(Effect.scoped)
  )
}

/** What is true of whole installations too, and of moves that are cancelled or made back. */
export const migrating = (title: string, source: Open, target: Open): void => {
  // Verifies: MOVE-5.
  it.effect(`${title}: an installation is copied whole, killed on the way, into an empty database alone`, () =>
    Effect.gen(function* () {
      const [from, to] = [yield* filled(source), yield* target]
      const before = yield* contents(from, null)
      assert.isAbove(withRows(before).length, 42)
      const migration = { reencrypt, source: "one", target: "two" }
      const killed = dying(to, 25, "after")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(migrateInstallation({ ...migration, from, to: killed }))))
      yield* migrateInstallation({ ...migration, from, to })
      assert.deepStrictEqual(yield* contents(to, null), reencrypted(before))
      const again = yield* Effect.flip(migrateInstallation({ ...migration, from, to }))
      assert.match(again.message, /has been migrated to two already/)
      const filledTarget = yield* Effect.flip(migrateInstallation({ ...migration, from: yield* filled(source), to }))
      assert.match(filledTarget.message, /is not empty/)
    }).pipe(Effect.scoped)
  )

  it.effect(`${title}: a move that is cancelled leaves everything as it was`, () =>
    Effect.gen(function* () {
      const [from, to] = [yield* filled(source), yield* target]
      const before = yield* contents(from, mine)
      assert.isTrue(
        Exit.isFailure(yield* Effect.exit(driven(moveAccount({ ...order, from, to: dying(to, 20, "after") }))))
      )
      yield* cancelMove({ from, to }, mine)
      assert.deepStrictEqual(yield* contents(from, mine), before)
      assert.deepStrictEqual(withRows(yield* contents(to, mine)), [])
      // And back again, over what the first stay has left.
      yield* driven(moveAccount({ ...order, from, to }))
      yield* driven(
        moveAccount({
          ...order,
          from: to,
          to: from,
          reencrypt: (text) => Effect.succeed(text.replace("new:", "old:"))
        })
      )
      assert.deepStrictEqual(yield* contents(from, mine), before)
    }).pipe(Effect.scoped)
  )
}
