/** A book and its storage in memory: what several processes on one database share. */
import {
  type BookedCall,
  CarrierBook,
  type Ids,
  type Instant,
  Read,
  Storage,
  StorageError,
  Tx
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class FakeBook {
  readonly calls = new Map<Ids.CallId, BookedCall>()
  /** Transactions that have written something. */
  commits = 0
  /** No transaction and no reading succeeds. */
  broken = false
  /** How long a reading takes to arrive: it tells what was so when it began. */
  readMs = 0
  #writes = 0

  readonly #write = (call: BookedCall): BookedCall => {
    this.#writes++
    this.calls.set(call.callId, call)
    return call
  }

  readonly #mark = (field: "stoppedAt" | "messageAt" | "closedAt", callId: Ids.CallId, at: Instant.Instant) =>
    Effect.sync(() => {
      const call = this.calls.get(callId)
      return call === undefined ? null : this.#write({ ...call, [field]: call[field] ?? at })
    })

  readonly #whole = Effect.suspend(() =>
    this.broken ? Effect.fail(new StorageError({ reason: "unavailable", detail: "switched off" })) : Effect.void
  )

  readonly layer: Layer.Layer<CarrierBook | Storage> = Layer.merge(
    Layer.succeed(CarrierBook, {
      accept: (call) => Effect.sync(() => void (this.calls.has(call.callId) || this.#write(call))),
      stop: (callId, at) => this.#mark("stoppedAt", callId, at),
      message: (callId, at) => this.#mark("messageAt", callId, at),
      close: (callId, at) => Effect.asVoid(this.#mark("closedAt", callId, at)),
      find: (callId) => Effect.sync(() => this.calls.get(callId) ?? null),
      open: Effect.sync(() => [...this.calls.values()].filter(({ closedAt }) => closedAt === null))
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
          Effect.provideService(Tx, { lock: () => Effect.void }),
          Effect.provideService(Read, { "~Read": true })
        ) as Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>>,
      transactWith: () => () => Effect.die(new Error("a network's book is kept for good")),
      read: <A, E, R>(program: Effect.Effect<A, E, R>) =>
        this.#whole.pipe(
          Effect.andThen(program),
          Effect.provideService(Read, { "~Read": true }),
          Effect.tap(() => (this.readMs === 0 ? Effect.void : Effect.sleep(this.readMs)))
        ) as Effect.Effect<A, E | StorageError, Exclude<R, Read>>,
      ready: Effect.void
    })
  )
}
