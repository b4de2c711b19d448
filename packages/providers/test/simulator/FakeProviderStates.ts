/** A provider's rows and their storage in memory: what several processes on one database share. */

import { Read, Storage, Tx } from "@trunkline/core/effect"
import { type ProviderState, ProviderStateStore } from "@trunkline/core/provider"
import { StorageError } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class FakeProviderStates {
  readonly rows = new Map<string, ProviderState>()
  /** Transactions that have written something. */
  commits = 0
  /** No transaction and no reading succeeds. */
  broken = false
  /** How long a reading takes to arrive: it returns what was stored when it began. */
  readMs = 0
  #writes = 0

  readonly #write = (row: ProviderState) => {
    this.#writes++
    this.rows.set(row.key, row)
  }

  readonly #whole = Effect.suspend(() =>
    this.broken ? Effect.fail(new StorageError({ reason: "unavailable", detail: "switched off" })) : Effect.void
  )

  readonly #find = (_provider: string, key: string) => Effect.sync(() => this.rows.get(key) ?? null)

  readonly layer: Layer.Layer<ProviderStateStore | Storage> = Layer.merge(
    Layer.succeed(ProviderStateStore, {
      add: (row) => Effect.sync(() => void (this.rows.has(row.key) || this.#write(row))),
      lock: this.#find,
      save: (row) => Effect.sync(() => this.#write(row)),
      find: this.#find,
      listOpen: () => Effect.sync(() => [...this.rows.values()].filter(({ isOpen }) => isOpen))
    }),
    Layer.succeed(Storage, {
      transact: <A, E, R>(program: Effect.Effect<A, E, R>) =>
        Effect.gen({ self: this }, function* () {
          yield* this.#whole
          const before = this.#writes
          const result = yield* program
          if (this.#writes > before) this.commits++
          return result
        }).pipe(
          Effect.provideService(Tx, { lock: () => Effect.void, lockShared: () => Effect.void }),
          Effect.provideService(Read, { concurrency: 1 })
        ) as Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>>,
      transactWith: () => () => Effect.die(new Error("the simulator's rows survive a power cut")),
      read: <A, E, R>(program: Effect.Effect<A, E, R>) =>
        this.#whole.pipe(
          Effect.andThen(program),
          Effect.provideService(Read, { concurrency: 1 }),
          Effect.tap(() => (this.readMs === 0 ? Effect.void : Effect.sleep(this.readMs)))
        ) as Effect.Effect<A, E | StorageError, Exclude<R, Read>>,
      durable: Effect.void,
      ready: Effect.void
    })
  )
}
