/** What was committed, for those of this process who read it: each account's readers hear of its own changes, at their pace. */

import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Storage } from "../storage/index.ts"
import { nextNoteAt, WaitingTopics } from "./NotePace.ts"
import { kindOf, type Topic, type TopicKind } from "./Topic.ts"
import { type AccountTopics, CurrentChanges, TransactionChanges } from "./TransactionChanges.ts"

/** Hears of the changes of one account. */
export interface ChangeReader {
  /** The kinds of topics that it may hear of. Readers that may hear of the same have the same set. */
  readonly kinds: ReadonlySet<TopicKind>
  /** At least one topic. Readers of the same kinds get the same array. */
  readonly changed: (topics: ReadonlyArray<Topic>) => void
  /** Anything may have changed. */
  readonly resync: () => void
}

export class Changes extends Context.Service<
  Changes,
  {
    /** A way to run transactions that publishes what they have changed once they are committed, and never before. */
    readonly publishing: (transact: Storage["Service"]["transact"]) => Storage["Service"]["transact"]
    /** Publishes what a transaction of this process has changed, after its commit. */
    readonly committed: (topics: AccountTopics) => Effect.Effect<void>
    /** Calls back with what a transaction of this process has changed, after its commit; it must return at once. */
    readonly onCommit: (listener: (topics: AccountTopics) => void) => void
    /** Another process has committed changes of an account; null for any. */
    readonly committedElsewhere: (tenantId: Ids.AccountId, topics: ReadonlyArray<Topic> | null) => Effect.Effect<void>
    /** Adds a reader of an account; the effect that it returns removes it. */
    readonly read: (tenantId: Ids.AccountId, reader: ChangeReader) => Effect.Effect<Effect.Effect<void>>
    /** The accounts that have readers in this process. */
    readonly accounts: () => ReadonlyArray<Ids.AccountId>
    /** Completes while an account has readers. */
    readonly hasReaders: Effect.Effect<void>
  }
>()("@trunkline/core/platform/changes/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function* () {
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const scope = yield* Effect.scope
      const read = new Map<Ids.AccountId, ReadAccount>()
      const hasReaders = yield* Latch.make()
      const listeners: Array<(topics: AccountTopics) => void> = []

      const schedule = (account: ReadAccount) =>
        Effect.flatMap(Instant.now, (at) => {
          if (account.isScheduled) return Effect.void
          account.isScheduled = true
          const delay = nextNoteAt(account.lastAt, at) - at
          const note = Effect.map(Instant.now, (now) => account.note(now))
          // What commits in the same turn stands in the same note, and no commit waits for its readers.
          run(Effect.forkIn(Effect.andThen(delay > 0 ? Effect.sleep(delay) : Effect.yieldNow, note), scope))
          return Effect.void
        })

      const committedElsewhere = (tenantId: Ids.AccountId, topics: Iterable<Topic> | null): Effect.Effect<void> => {
        const account = read.get(tenantId)
        if (account === undefined) return Effect.void
        if (topics === null) account.waiting.addEverything()
        else account.waiting.add(topics)
        return schedule(account)
      }

      const committed = (topics: AccountTopics): Effect.Effect<void> => {
        for (const listener of listeners) listener(topics)
        if (read.size === 0) return Effect.void
        return Effect.forEach(topics, ([tenantId, of]) => committedElsewhere(tenantId, of), { discard: true })
      }

      const publishing: Changes["Service"]["publishing"] =
        (transact) =>
        <A, E, R>(program: Effect.Effect<A, E, R>) =>
          Effect.suspend(() => {
            const changes = new TransactionChanges()
            const gathered = Effect.suspend(() => {
              changes.begin()
              return Effect.provideService(
                Effect.map(program, (value) => {
                  changes.hasEnded = true
                  return value
                }),
                CurrentChanges,
                changes
              )
            })
            return Effect.onExit(transact(gathered), (exit) =>
              changes.topics.size > 0 && stands(exit, changes) ? committed(changes.topics) : Effect.void
            )
          })

      return Changes.of({
        publishing,
        committed,
        onCommit: (listener) => void listeners.push(listener),
        committedElsewhere,
        read: Effect.fnUntraced(function* (tenantId, reader) {
          const account = read.get(tenantId) ?? new ReadAccount()
          read.set(tenantId, account)
          account.readers.add(reader)
          yield* hasReaders.open
          return Effect.suspend(() => {
            account.readers.delete(reader)
            if (account.readers.size === 0 && read.get(tenantId) === account) read.delete(tenantId)
            return read.size === 0 ? Effect.asVoid(hasReaders.close) : Effect.void
          })
        }),
        accounts: () => [...read.keys()],
        hasReaders: hasReaders.await
      })
    })
  )
}

/** An account with its readers. */
class ReadAccount {
  readonly readers = new Set<ChangeReader>()
  readonly waiting = new WaitingTopics()
  lastAt: Instant.Instant | null = null
  isScheduled = false

  note(at: Instant.Instant): void {
    this.isScheduled = false
    this.lastAt = at
    const topics = this.waiting.take()
    const ofKinds = new Map<ReadonlySet<TopicKind>, ReadonlyArray<Topic>>()
    for (const reader of [...this.readers]) {
      if (topics === null) {
        reader.resync()
        continue
      }
      const seen = ofKinds.get(reader.kinds) ?? [...topics].filter((topic) => reader.kinds.has(kindOf(topic)))
      ofKinds.set(reader.kinds, seen)
      if (seen.length > 0) reader.changed(seen)
    }
  }
}

/** Whether the transaction is committed. A caller that is interrupted after its program has ended does not undo it. */
const stands = (exit: Exit.Exit<unknown, unknown>, { hasEnded }: TransactionChanges): boolean =>
  Exit.isSuccess(exit) || (hasEnded && Cause.hasInterruptsOnly(exit.cause))
