/**
 * Changes between the processes on one database. A process that has readers says so, and gets a note of what others have committed
 * of their accounts; of an account that nobody else watches nothing is written. Source: docs/reference/stream.md#processes.
 */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Ids, Instant } from "../kernel/index.ts"
import type { AccountId, ProcessId } from "../PlatformIds.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { type ChangeNote, ChangeStore } from "./ChangeStore.ts"
import { Changes } from "./Changes.ts"
import { WaitingTopics } from "./NotePace.ts"
import type { Topic } from "./Topic.ts"

/** Between two notes of a process. */
const sendEveryMs = 250

/** Between two looks for notes of other processes. */
const readEveryMs = Instant.second

/** A process watches for this time after it has last said so, and notes are kept for it. */
export const watchMs = Instant.minute

/** How often a process says again what it watches. */
const renewEveryMs = watchMs / 3

/** Between two tries of what has failed. */
const retryMs = Instant.second

/** Notes that are read, or removed, at once. */
const batch = 500

/** Accounts about which the database is asked at once. */
const accountsAtOnce = 500

export class RemoteChanges extends Context.Service<
  RemoteChanges,
  {
    /** Succeeds once others know that this process has readers of an account: what they commit from then on is noted for it. */
    readonly watch: (tenantId: AccountId) => Effect.Effect<void, StorageError>
    /** Removes what nobody has read in time. */
    readonly sweep: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/platform/changes/RemoteChanges") {
  static readonly layer = Layer.effect(
    RemoteChanges,
    Effect.gen(function* () {
      const changes = yield* Changes
      const storage = yield* Storage
      const store = yield* ChangeStore
      const processId = yield* Ids.fresh<"Process">()
      /** What a power cut loses, its readers have lost as well. */
      const relaxed = storage.transactWith({ durability: "relaxed" })

      // Sending

      const waiting = new Map<AccountId, WaitingTopics>()
      const waitingOf = (tenantId: AccountId): WaitingTopics => {
        const known = waiting.get(tenantId) ?? new WaitingTopics()
        waiting.set(tenantId, known)
        return known
      }
      const mustSend = yield* Latch.make()
      const run = Effect.runForkWith(yield* Effect.context<never>())
      changes.onCommit((topics) => {
        // It is open while something waits.
        if (waiting.size === 0) run(mustSend.open)
        for (const [tenantId, of] of topics) waitingOf(tenantId).add(of)
      })

      const noted = Effect.fnUntraced(function* (taken: ReadonlyMap<AccountId, ReadonlyArray<Topic> | null>) {
        const at = yield* Instant.now
        const ids = [...taken.keys()]
        for (let from = 0; from < ids.length; from += accountsAtOnce) {
          const some = ids.slice(from, from + accountsAtOnce)
          const watching = yield* storage.read(store.watching(some, at, processId))
          if (watching.length > 0) yield* relaxed(store.send(notesFor(watching, taken, at, yield* Ids.source)))
        }
      })

      const send = Effect.gen(function* () {
        // What is added from now on is taken along, or opens it again.
        yield* mustSend.close
        const taken = new Map([...waiting].map(([tenantId, topics]) => [tenantId, asList(topics.take())] as const))
        waiting.clear()
        yield* Effect.catchCause(noted(taken), (cause) => sentLater([...taken.keys()], cause))
      })

      /** Which of them were sent is not known: their readers are to read everything anew. */
      const sentLater = Effect.fnUntraced(function* (
        accounts: ReadonlyArray<AccountId>,
        cause: Cause.Cause<StorageError>
      ) {
        for (const tenantId of accounts) waitingOf(tenantId).addEverything()
        yield* mustSend.open
        yield* Effect.logWarning("other processes could not be sent what has changed", cause)
        yield* Effect.sleep(retryMs)
      })

      yield* Effect.forkScoped(
        Effect.forever(Effect.andThen(Effect.andThen(mustSend.await, Effect.sleep(sendEveryMs)), send))
      )

      // Reading

      /** Until when this process has said that it watches each account. */
      const watched = new Map<AccountId, Instant.Instant>()

      const say = Effect.fnUntraced(function* (accounts: ReadonlyArray<AccountId>) {
        const until = Instant.plus(yield* Instant.now, watchMs)
        yield* relaxed(store.watch(accounts.map((tenantId) => ({ tenantId, processId, until }))))
        for (const tenantId of accounts) watched.set(tenantId, until)
      })

      /** True while what it has said holds for as long again as it takes to say it again. */
      const isWatched = (tenantId: AccountId, at: Instant.Instant): boolean => {
        const until = watched.get(tenantId)
        return until !== undefined && until - at > watchMs - renewEveryMs && until - at <= watchMs
      }

      const renew = Effect.fnUntraced(function* (at: Instant.Instant) {
        const read = changes.accounts()
        for (const tenantId of watched.keys()) if (!read.includes(tenantId)) watched.delete(tenantId)
        const due = read.filter((tenantId) => !isWatched(tenantId, at))
        if (due.length === 0) return
        const lapsed = due.filter((tenantId) => (watched.get(tenantId) ?? at) < at)
        yield* say(due)
        // Others have sent nothing since it was over: the database was away, or this process stood still.
        for (const tenantId of lapsed) yield* changes.committedElsewhere(tenantId, null)
      })

      const read = Effect.fnUntraced(function* () {
        yield* renew(yield* Instant.now)
        const notes = yield* storage.read(store.notes(processId, batch))
        if (notes.length === 0) return
        yield* relaxed(store.remove(notes.map(({ id }) => id)))
        for (const { changes: noted } of notes) {
          for (const [tenantId, topics] of Object.entries(noted)) {
            yield* changes.committedElsewhere(tenantId as AccountId, topics)
          }
        }
      })

      const readNext = Effect.andThen(
        Effect.catchCause(read(), (cause) =>
          Effect.logWarning("what other processes have changed could not be read", cause)
        ),
        Effect.sleep(readEveryMs)
      )
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(changes.hasReaders, readNext)))

      return RemoteChanges.of({
        watch: (tenantId) =>
          Effect.flatMap(Instant.now, (at) => (isWatched(tenantId, at) ? Effect.void : say([tenantId]))),
        sweep: Effect.gen(function* () {
          const before = Instant.plus(yield* Instant.now, -watchMs)
          while ((yield* relaxed(store.sweepNotes(before, batch))) === batch) yield* Effect.yieldNow
          while ((yield* relaxed(store.sweepWatches(before, batch))) === batch) yield* Effect.yieldNow
        })
      })
    })
  )
}

const asList = (topics: ReadonlySet<Topic> | null): ReadonlyArray<Topic> | null =>
  topics === null ? null : [...topics]

/** One note for each process, with what it watches. */
const notesFor = (
  watching: ReadonlyArray<{ readonly tenantId: AccountId; readonly processId: ProcessId }>,
  taken: ReadonlyMap<AccountId, ReadonlyArray<Topic> | null>,
  at: Instant.Instant,
  nextId: () => string
): ReadonlyArray<ChangeNote> => {
  const of = new Map<ProcessId, Record<AccountId, ReadonlyArray<Topic> | null>>()
  for (const { processId, tenantId } of watching) {
    const changes = of.get(processId) ?? {}
    of.set(processId, changes)
    changes[tenantId] = taken.get(tenantId) ?? null
  }
  return [...of].map(([processId, changes]) => ({ id: Ids.as(nextId()), processId, changes, at }))
}
