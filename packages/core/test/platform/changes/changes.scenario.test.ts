/** What people hear of, and when: docs/reference/stream.md. Verifies: CHNG-2, CHNG-3, CHNG-4, CHNG-5. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Ids, Instant, PhoneNumber, Storage, type Tx } from "@trunkline/core/effect"
import { SuppressionStore } from "@trunkline/core/storage"
import { Changes, RemoteChanges } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect } from "vitest"
import { type Topic, type TopicKind, topicKinds } from "../../../src/platform/changes/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const ada = "+14155550101"

/** Somebody who reads an account on stage: what came in each note, null for everything, and all topics since they were taken last. */
const reader = (stage: Stage, tenantId: Ids.AccountId = stage.tenant, kinds: Iterable<TopicKind> = topicKinds) =>
  stage.run(
    Changes.use((changes) => {
      const notes: Array<ReadonlyArray<Topic> | null> = []
      const heard = {
        kinds: new Set(kinds),
        changed: (topics: ReadonlyArray<Topic>) => void notes.push(topics),
        resync: () => void notes.push(null)
      }
      const take = () =>
        [...new Set(notes.splice(0).flatMap((topics): ReadonlyArray<string> => topics ?? ["everything"]))].toSorted()
      return Effect.as(changes.read(tenantId, heard), { notes, take })
    })
  )

/** What a test commits: an entry on the do-not-call list of an account that no worker knows. */
const entry = (tenantId: Ids.AccountId, nth: number) => ({
  id: Ids.as<"SuppressionEntry">(`01890000-0000-7000-8000-${String(nth).padStart(12, "0")}`),
  tenantId,
  phone: `+1415555${String(nth).padStart(4, "0")}`,
  matchKey: PhoneNumber.as(`415555${String(nth).padStart(4, "0")}`),
  reason: null,
  createdAt: Instant.make(0)
})

const other = Ids.as<"Account">("01890000-0000-7000-8000-00000000ffff")

const adding = (tenantId: Ids.AccountId, nth: number) =>
  SuppressionStore.use((store) => store.add(entry(tenantId, nth)))

/** Commits one change of an account. */
const commit = (stage: Stage, tenantId: Ids.AccountId, nth: number) =>
  Effect.orDie(stage.run(Storage.use((storage) => storage.transact(adding(tenantId, nth)))))

describe("a note names", () => {
  scenario("a campaign and the list at each move of it", function* (stage) {
    const { take } = yield* reader(stage)
    const id = yield* stage.running({ name: "Autumn" }, [ada])
    yield* stage.wait(300)
    expect(take()).toEqual(expect.arrayContaining([`campaign:${id}`, "campaigns"]))
    yield* Effect.orDie(stage.move(id, "paused"))
    yield* stage.wait(300)
    expect(take()).toEqual([`campaign:${id}`, "campaigns"])
  })

  scenario(
    "a call and its campaign when it is placed, rings, is answered and ends, and the account that pays",
    function* (stage) {
      const id = yield* stage.running({ name: "Autumn" }, [ada])
      const { take } = yield* reader(stage)
      yield* stage.rest
      yield* stage.wait(300)
      const [call] = yield* stage.calls()
      const topics = [`call:${call!.id}`, "calls", `campaign:${id}`]
      expect(take()).toEqual(expect.arrayContaining(["account", ...topics]))
      yield* stage.ring(ada)
      yield* stage.wait(300)
      expect(take()).toEqual(expect.arrayContaining(topics))
      yield* stage.completeCall(ada, 61)
      yield* stage.wait(300)
      expect(take()).toEqual(expect.arrayContaining(["account", ...topics]))
    }
  )

  scenario("a contact's campaign when its call is approved", function* (stage) {
    const id = yield* stage.running({ name: "Autumn", dialMode: "preview" }, [ada])
    yield* stage.rest
    yield* stage.wait(300)
    const { take } = yield* reader(stage)
    yield* Effect.orDie(stage.approve(id, ada))
    yield* stage.wait(300)
    expect(take()).toEqual(expect.arrayContaining([`campaign:${id}`]))
  })
})

describe("readers hear", () => {
  // Verifies: B-203.
  scenario("of their own account alone, and of the kinds that they may read", function* (stage) {
    const [own, stranger, partly] = [
      yield* reader(stage),
      yield* reader(stage, other),
      yield* reader(stage, stage.tenant, ["calls"])
    ]
    yield* commit(stage, stage.tenant, 1)
    yield* stage.wait(1000)
    expect([own.take(), stranger.take(), partly.take()]).toEqual([["suppression"], [], []])
  })

  // Verifies: B-202.
  scenario("of no transaction that failed, died or was refused, also where it had written before", function* (stage) {
    const { take } = yield* reader(stage)
    const run = (program: Effect.Effect<unknown, unknown, Tx | SuppressionStore>) =>
      Effect.exit(stage.run(Storage.use((storage) => storage.transact(program))))
    expect(Exit.isFailure(yield* run(Effect.andThen(adding(stage.tenant, 1), Effect.fail("no"))))).toBe(true)
    expect(Exit.isFailure(yield* run(Effect.andThen(adding(stage.tenant, 1), Effect.die("no"))))).toBe(true)
    yield* stage.wait(1000)
    expect(take()).toEqual([])
    // The same row can be added: it is not there.
    yield* commit(stage, stage.tenant, 1)
    yield* stage.wait(1000)
    expect(take()).toEqual(["suppression"])
  })

  scenario("of a change only once it is committed", function* (stage) {
    const { notes } = yield* reader(stage)
    let within = -1
    yield* stage.run(
      Storage.use((storage) =>
        storage.transact(
          Effect.tap(adding(stage.tenant, 1), () =>
            Effect.sync(() => {
              within = notes.length
            })
          )
        )
      )
    )
    yield* stage.wait(1000)
    expect([within, notes]).toEqual([0, [["suppression"]]])
  })

  scenario("of a topic four times a second at most, and of its last change within half a second", function* (stage) {
    const { notes } = yield* reader(stage)
    for (let nth = 0; nth < 40; nth++) {
      yield* commit(stage, stage.tenant, nth)
      yield* stage.wait(50)
    }
    expect(notes.length).toBeGreaterThan(4)
    expect(notes.length).toBeLessThanOrEqual(9)
    yield* stage.wait(500)
    const before = notes.length
    yield* stage.wait(5000)
    expect(notes.length).toBe(before)
  })

  scenario("that anything may have changed, where a transaction has changed very much", function* (stage) {
    const { notes } = yield* reader(stage)
    const topics = new Set(Array.from({ length: 501 }, (_, nth): Topic => `call:${nth}`))
    yield* stage.run(Changes.use((changes) => changes.committed(new Map([[stage.tenant, topics]]))))
    yield* stage.wait(1000)
    expect(notes).toEqual([null])
  })

  scenario(
    "that anything may have changed, after the storage was away for longer than others note it",
    function* (stage) {
      const { notes } = yield* reader(stage)
      yield* stage.run(RemoteChanges.use(({ watch }) => watch(stage.tenant)))
      yield* stage.wait(2000)
      stage.isDown = true
      yield* stage.elapse(120_000, 1000)
      stage.isDown = false
      yield* stage.elapse(3000)
      expect(notes).toContain(null)
    }
  )
})

describe("ten thousand changes", () => {
  scenario("leave nothing behind: what waits is bounded, with and without readers", function* (stage) {
    const { notes } = yield* reader(stage)
    const heap = () => {
      setFlagsFromString("--expose-gc")
      const collect = runInNewContext("gc") as () => void
      collect()
      return process.memoryUsage().heapUsed
    }
    const round = Effect.gen(function* () {
      for (let nth = 0; nth < 10_000; nth++) {
        const topics = new Map([[nth % 2 === 0 ? stage.tenant : other, new Set<Topic>([`call:${nth}`, "calls"])]])
        yield* stage.run(Changes.use((changes) => changes.committed(topics)))
        if (nth % 100 === 0) yield* stage.wait(250)
      }
      notes.length = 0
    })
    yield* round
    const before = heap()
    yield* round
    expect(heap() - before).toBeLessThan(5_000_000)
  })
})
