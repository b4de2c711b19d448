/** Which server a process works with, and what becomes of its work in a fail-over: docs/reference/storage.md#servers. */

import { assert, describe, it } from "@effect/vitest"
import { read, Storage, transact } from "@trunkline/core/effect"
import { BotStore, LostCommits, RemoteSignals } from "@trunkline/core/storage"
import { layer, type PostgresOptions } from "@trunkline/storage-postgres"
import { atMost } from "@trunkline/testing/slow-machine"
import { Rows } from "@trunkline/testing/storage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll } from "vitest"
import { missingPair, type PostgresPair, startPair } from "../../../test/PostgresPair.ts"
import { chooseServer, type Seen } from "../src/ServerChoice.ts"
import { serverUrls } from "../src/ServerUrls.ts"

const primary = (timeline: number): Seen => ({ _tag: "Primary", timeline, now: 0 })
const readOnly: Seen = { _tag: "ReadOnly" }
const silent: Seen = { _tag: "Silent", error: null }
const unclear: Seen = { _tag: "Unclear", error: null }

describe("the server to work with", () => {
  it.each<readonly [string, ReadonlyArray<Seen>, current: number | null, timeline: number, number | null]>([
    ["is the one that accepts writes", [readOnly, primary(1)], null, 0, 1],
    ["is the present one while it accepts writes", [primary(3), primary(3)], 1, 3, 1],
    ["is the first of those that look the same", [primary(3), primary(3)], null, 0, 0],
    ["is the promoted standby, whatever the old primary says", [primary(3), primary(4)], 0, 3, 1],
    [
      "is the promoted standby for a process that begins, in whatever order they are named",
      [primary(4), primary(3)],
      null,
      0,
      0
    ],
    ["is no server that was superseded", [primary(3), silent], null, 4, null],
    ["is not the present one any more once it was superseded", [primary(3), readOnly], 0, 4, null],
    ["is none while the primary is gone and the standby only reads", [silent, readOnly], 0, 3, null],
    ["is the present one where it answers unclearly", [unclear, readOnly], 0, 3, 0],
    ["is no other that answers unclearly", [silent, unclear], 0, 3, null]
  ])("%s", (_, seen, current, timeline, expected) => {
    assert.strictEqual(chooseServer(seen, { current, timeline }), expected)
  })

  it.each([
    ["postgres://u:p@a:5432,b:5433/db?x=1", ["postgres://u:p@a:5432/db?x=1", "postgres://u:p@b:5433/db?x=1"]],
    ["postgresql://a,b/db", ["postgresql://a/db", "postgresql://b/db"]],
    ["postgres://u:p%2C@[::1]:5432/db", ["postgres://u:p%2C@[::1]:5432/db"]],
    ["postgres:///db", ["postgres:///db"]]
  ])("is one of those that %s names", (url, expected) => {
    assert.deepStrictEqual(serverUrls(url), expected)
  })
})

const wait = (milliseconds: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))

const addBot = (tenantId: Parameters<typeof Rows.bot>[0]) => BotStore.use((store) => store.add(Rows.bot(tenantId)))
const countBots = (tenantId: Parameters<typeof Rows.bot>[0]) => read(BotStore.use((store) => store.count(tenantId)))

const reason = await missingPair()

/** How soon a process works again. */
const soon = atMost(15_000)

describe.skipIf(reason !== null)(`a fail-over of Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  let pair: PostgresPair

  beforeAll(async () => {
    pair = await startPair({ isSynchronous: true })
  })
  afterAll(() => pair?.stop())

  const processOn = (more: Partial<PostgresOptions> = {}) => Layer.build(Layer.fresh(layer({ url: pair.url, ...more })))

  for (const durability of ["full", "relaxed"] as const) {
    it.live(`keeps no ${durability} commit that the standby has not confirmed`, () =>
      Effect.gen(function* () {
        const tenantId = Rows.id<"Account">()
        const services = yield* processOn()
        const add = Storage.use((storage) => storage.transactWith({ durability })(addBot(tenantId)))
        yield* Effect.provide(add, services)
        yield* Effect.promise(() => pair.standby.signal("SIGSTOP"))
        const waiting = yield* Effect.forkChild(Effect.flip(Effect.provide(add, services)))
        const cancel =
          "select pg_cancel_backend(pid) as done from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'trunkline'"
        while ((yield* Effect.promise(() => pair.primary.query(cancel))).length === 0) yield* wait(20)
        const error = yield* Fiber.join(waiting)
        yield* Effect.promise(() => pair.standby.signal("SIGCONT"))
        assert.strictEqual(error.reason, "unavailable")
        assert.match(error.detail, /no standby has confirmed it/)
        assert.isTrue(error.isRetryable)
      })
    )
  }

  it.live("moves processes from a server that has vanished, and nothing is written on that one when it is back", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      const before = Date.now()
      const [one, other] = [yield* processOn(), yield* processOn()]
      const signals = Context.get(one, RemoteSignals)
      let woken = 0
      yield* Context.get(other, RemoteSignals).listen(
        "work",
        Effect.sync(() => void woken++)
      )
      yield* Effect.provide(transact(addBot(tenantId)), one)
      assert.isNull(yield* Context.get(one, LostCommits))

      yield* Effect.promise(() => pair.primary.signal("SIGSTOP"))
      const vanished = Date.now()
      const inFlight = yield* Effect.forkChild(Effect.flip(Effect.provide(transact(addBot(tenantId)), one)))
      yield* Effect.promise(() => pair.promote())
      assert.strictEqual((yield* Fiber.join(inFlight)).reason, "unavailable")
      yield* Effect.retry(Effect.provide(transact(addBot(tenantId)), one), {
        while: () => Date.now() < vanished + soon
      })
      yield* Effect.retry(Effect.provide(transact(addBot(tenantId)), other), {
        while: () => Date.now() < vanished + soon
      })
      assert.isAtMost(Date.now() - vanished, soon)
      assert.strictEqual(yield* Effect.provide(countBots(tenantId), other), 3)

      const lost = yield* Context.get(one, LostCommits)
      assert.isNotNull(lost)
      assert.isAtLeast(lost.since, before)
      assert.isAtMost(lost.since, vanished)
      // Both have stored one instant. Each reads its own clock beside the server's.
      const elsewhere = yield* Context.get(other, LostCommits)
      assert.isBelow(Math.abs(elsewhere!.since - lost.since), 1000)

      const had = woken
      while (woken === had) {
        yield* signals.send("work")
        yield* wait(50)
        assert.isAtMost(Date.now() - vanished, soon)
      }

      // It comes back as it was, and accepts writes.
      yield* Effect.promise(() => pair.primary.signal("SIGCONT"))
      yield* wait(3000)
      const third = yield* processOn()
      for (const services of [one, other, third]) yield* Effect.provide(transact(addBot(tenantId)), services)
      assert.strictEqual(yield* Effect.provide(countBots(tenantId), third), 6)
      const counted = `select count(*)::int as n from trunkline.bots where tenant_id = '${tenantId}'`
      assert.deepStrictEqual(yield* Effect.promise(() => pair.primary.query(counted)), [{ n: 1 }])
    })
  )
})
