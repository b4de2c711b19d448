/** What processes on one database let each other know of changes. Verifies: CHNG-5, CHNG-6. */
import { assert } from "@effect/vitest"
import { type Ids, read, transact } from "@trunkline/core/effect"
import { type ChangeNote, ChangeStore, type Topic } from "@trunkline/core/storage"
import { type ChangeReader, Changes, RemoteChanges, topicKinds } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Rows from "./Rows.ts"
import { pause, type Stores, suite } from "./Subject.ts"

const note = (processId: Ids.ProcessId, over: Partial<ChangeNote> = {}): ChangeNote => ({
  id: Rows.id(),
  processId,
  changes: { [Rows.id<"Account">()]: ["calls"] },
  at: Rows.at(0),
  ...over
})

/** What a reader has heard: lists of topics, and null for everything. */
const reading = () => {
  const heard: Array<ReadonlyArray<Topic> | null> = []
  const reader: ChangeReader = {
    kinds: new Set(topicKinds),
    changed: (topics) => void heard.push(topics),
    resync: () => void heard.push(null)
  }
  return { heard, reader }
}

/** A process on the storage, with its own accounts and their readers. */
const makeProcess = Effect.gen(function* () {
  const stores = yield* Effect.context<Stores>()
  const context = yield* Layer.build(
    RemoteChanges.layer.pipe(Layer.provideMerge(Changes.layer), Layer.provide(Layer.succeedContext(stores)))
  )
  const changes = Context.get(context, Changes)
  return {
    read: Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
      yield* Context.get(context, RemoteChanges).watch(tenantId)
      const { heard, reader } = reading()
      return { heard, leave: yield* changes.read(tenantId, reader) }
    }),
    /** Commits a change of an account. */
    commit: (tenantId: Ids.AccountId, ...topics: ReadonlyArray<Topic>) =>
      changes.committed(new Map([[tenantId, new Set(topics)]])),
    sweep: Context.get(context, RemoteChanges).sweep
  }
})

const notesOf = (processId: Ids.ProcessId) => read(ChangeStore.use((store) => store.notes(processId, 100)))

/** Lets time pass for processes, and the database answer meanwhile, however busy it is. */
const pass = Effect.fnUntraced(function* (milliseconds: number) {
  for (let left = milliseconds; left > 0; left -= 250) {
    yield* pause(5)
    yield* notesOf(Rows.id<"Process">())
    yield* TestClock.adjust(Math.min(left, 250))
  }
  yield* pause(10)
})

/** Waits for the database, without moving the clock. */
const until = Effect.fnUntraced(function* (isThere: () => boolean) {
  for (let looks = 0; looks < 30_000 && !isThere(); looks++) yield* pause(10)
})

export const changeNotes = suite("changes for other processes", ({ it }) => {
  it.effect("a process is found by the accounts that it watches, until it does not watch them any more", () =>
    Effect.gen(function* () {
      const store = yield* ChangeStore
      const [a, b] = [Rows.id<"Account">(), Rows.id<"Account">()]
      const [one, two] = [Rows.id<"Process">(), Rows.id<"Process">()]
      yield* transact(
        store.watch([
          { tenantId: a, processId: one, until: Rows.at(100) },
          { tenantId: b, processId: one, until: Rows.at(100) },
          { tenantId: a, processId: two, until: Rows.at(50) }
        ])
      )
      const watching = (at: number, except: Ids.ProcessId = Rows.id()) =>
        read(store.watching([a, Rows.id()], Rows.at(at), except))
      assert.sameDeepMembers(
        [...(yield* watching(49))],
        [
          { tenantId: a, processId: one },
          { tenantId: a, processId: two }
        ]
      )
      assert.deepStrictEqual(yield* watching(50), [{ tenantId: a, processId: one }])
      assert.deepStrictEqual(yield* watching(49, one), [{ tenantId: a, processId: two }])
      yield* transact(store.watch([{ tenantId: a, processId: two, until: Rows.at(200) }]))
      assert.deepStrictEqual(yield* watching(150), [{ tenantId: a, processId: two }])
      assert.deepStrictEqual(yield* read(store.watching([], Rows.at(0), one)), [])
    })
  )

  it.effect("notes are those of one process, and are there until they are removed", () =>
    Effect.gen(function* () {
      const store = yield* ChangeStore
      const [one, two] = [Rows.id<"Process">(), Rows.id<"Process">()]
      const [first, second, other] = [note(one), note(one, { changes: { [Rows.id<"Account">()]: null } }), note(two)]
      yield* transact(store.send([first, second, other]))
      const shown = ({ changes, id }: ChangeNote) => ({ id, changes })
      assert.sameDeepMembers([...(yield* notesOf(one))], [shown(first), shown(second)])
      assert.strictEqual((yield* read(store.notes(one, 1))).length, 1)
      yield* transact(store.remove([first.id]))
      assert.deepStrictEqual(yield* notesOf(one), [shown(second)])
      assert.deepStrictEqual(yield* notesOf(two), [shown(other)])
    })
  )

  it.effect("old notes and watches are removed in parts, and no others", () =>
    Effect.gen(function* () {
      const store = yield* ChangeStore
      yield* transact(store.sweepNotes(Rows.at(1_000_000), 1000))
      yield* transact(store.sweepWatches(Rows.at(1_000_000), 1000))
      const processId = Rows.id<"Process">()
      const notes = [10, 20, 30].map((at) => note(processId, { at: Rows.at(at) }))
      yield* transact(store.send(notes))
      const until = (at: number) => ({ tenantId: Rows.id<"Account">(), processId, until: Rows.at(at) })
      const watches = [until(10), until(20), until(30)]
      yield* transact(store.watch(watches))
      assert.strictEqual(yield* transact(store.sweepNotes(Rows.at(30), 1)), 1)
      assert.strictEqual(yield* transact(store.sweepNotes(Rows.at(30), 10)), 1)
      assert.strictEqual(yield* transact(store.sweepWatches(Rows.at(30), 1)), 1)
      assert.strictEqual(yield* transact(store.sweepWatches(Rows.at(30), 10)), 1)
      assert.deepStrictEqual(
        (yield* notesOf(processId)).map(({ id }) => id),
        [notes[2]!.id]
      )
      const left = yield* read(
        store.watching(
          watches.map(({ tenantId }) => tenantId),
          Rows.at(0),
          Rows.id()
        )
      )
      assert.deepStrictEqual(left, [{ tenantId: watches[2]!.tenantId, processId }])
    })
  )

  // Verifies: B-205.
  it.effect("readers of one process hear of what another one commits, each of its own account", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* makeProcess, yield* makeProcess]
      const [a, b] = [Rows.id<"Account">(), Rows.id<"Account">()]
      const [ofA, ofB, own] = [yield* two.read(a), yield* two.read(b), yield* one.read(a)]
      yield* one.commit(a, "calls", "account")
      yield* pass(2000)
      yield* until(() => ofA.heard.length > 0)
      assert.deepStrictEqual(ofA.heard, [["calls", "account"]])
      assert.deepStrictEqual(own.heard, [["calls", "account"]])
      assert.deepStrictEqual(ofB.heard, [])
      yield* two.commit(b, "agents")
      yield* pass(2000)
      yield* until(() => ofB.heard.length > 0)
      assert.deepStrictEqual(ofB.heard, [["agents"]])
      assert.deepStrictEqual(own.heard, [["calls", "account"]])
    })
  )

  it.effect("nothing is written for an account that no other process watches", () =>
    Effect.gen(function* () {
      const store = yield* ChangeStore
      yield* transact(store.sweepNotes(Rows.at(1e12), 1000))
      const [one, two] = [yield* makeProcess, yield* makeProcess]
      const [watched, own, nobodys] = [Rows.id<"Account">(), Rows.id<"Account">(), Rows.id<"Account">()]
      const there = yield* two.read(watched)
      yield* one.read(own)
      yield* one.commit(own, "calls")
      yield* one.commit(nobodys, "calls")
      yield* pass(500)
      assert.strictEqual(yield* transact(store.sweepNotes(Rows.at(1e12), 1000)), 0)
      yield* there.leave
      yield* one.commit(watched, "calls")
      yield* pass(500)
      // Its watch goes on for a while.
      assert.strictEqual(yield* transact(store.sweepNotes(Rows.at(1e12), 1000)), 1)
      yield* pass(60_000)
      yield* one.commit(watched, "calls")
      yield* pass(500)
      assert.strictEqual(yield* transact(store.sweepNotes(Rows.at(1e12), 1000)), 0)
    })
  )

  it.effect("a watch is renewed for as long as there are readers", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* makeProcess, yield* makeProcess]
      const account = Rows.id<"Account">()
      const { heard } = yield* two.read(account)
      yield* pass(100_000)
      yield* one.commit(account, "keys")
      yield* pass(2000)
      yield* until(() => heard.length > 0)
      assert.deepStrictEqual(heard, [["keys"]])
    })
  )
})
