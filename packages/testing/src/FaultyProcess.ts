/**
 * The faults of one process of a model: it dies or stands still at a step over its edge, has no storage, or loses the answer to
 * a commit. Steps are its reads and transactions, and its requests to others.
 */
import { Storage } from "@trunkline/core/effect"
import { StorageError } from "@trunkline/core/storage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

export type When = "before" | "after"

/** A fault at a step to come. */
export interface Fault<Edge extends string> {
  /** How many steps from now. */
  steps: number
  /** Before the step is taken, or once it was and before the process hears of it. */
  readonly when: When
  /** Steps of this edge are counted; null for all. */
  readonly at: Edge | null
}

/** How often the processes of a world had a fault. */
export interface FaultCounts {
  stalls: number
  /** Commits whose answer was lost. */
  lostCommits: number
}

interface Stall<Edge extends string> extends Fault<Edge> {
  readonly goesOn: Deferred.Deferred<void>
}

export class FaultyProcess<Edge extends string> {
  alive = true
  death: Fault<Edge> | null = null
  /** While true it has no storage. */
  isCut = false
  /** How many of its next commits are made while their answer is lost. */
  commitsToLose = 0
  /** Steps to the storage that are under way. */
  busy = 0
  /** Steps to the storage that failed, or whose answer was lost. */
  missed = 0
  #stall: Stall<Edge> | null = null
  readonly #immediate: ReadonlyArray<Edge>
  readonly #seen: FaultCounts

  /**
   * It does not stand still right before steps over the edges `immediate`: that would look like a slow network. Its faults are
   * counted in `seen`.
   */
  constructor(immediate: ReadonlyArray<Edge>, seen: FaultCounts) {
    this.#immediate = immediate
    this.#seen = seen
  }

  /** True while it stands still: its timers run out, and nothing else of it goes on. */
  get isStill(): boolean {
    return this.#stall !== null && this.#stall.steps <= 0
  }

  /** It will stand still. */
  readonly stall = (fault: Fault<Edge>): void => {
    this.#stall ??= { ...fault, goesOn: Deferred.makeUnsafe() }
  }

  /** It goes on. */
  readonly resume: Effect.Effect<void> = Effect.suspend(() => {
    const stall = this.#stall
    this.#stall = null
    return stall === null ? Effect.void : Effect.asVoid(Deferred.succeed(stall.goesOn, undefined))
  })

  /** No fault is to come, and the process goes on; one that is dead stays dead. */
  readonly clearFaults: Effect.Effect<void> = Effect.suspend(() => {
    this.death = null
    this.isCut = false
    this.commitsToLose = 0
    return this.resume
  })

  readonly #still = Effect.suspend(() => (this.isStill ? Deferred.await(this.#stall!.goesOn) : Effect.void))

  /** A step over an edge; `unheard` is done when the step was taken and the process does not hear of it in time. */
  step<A, E, R>(
    edge: Edge,
    work: Effect.Effect<A, E, R>,
    unheard: Effect.Effect<void> = Effect.void
  ): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      if (!this.alive) return Effect.never
      const dies = reached(this.death, edge) ? this.death!.when : null
      const stands = !this.isStill && reached(this.#stall, edge) ? this.#stall!.when : null
      if (stands !== null) this.#seen.stalls += 1
      if (dies !== null) this.death = null
      if (dies === "before") {
        this.alive = false
        return Effect.never
      }
      const before = stands === "after" || this.#immediate.includes(edge) ? Effect.void : this.#still
      const taken = Effect.flatMap(Effect.exit(work), (exit) => {
        if (dies === "after") this.alive = false
        const late = this.alive && !this.isStill ? Effect.void : Effect.andThen(unheard, this.#still)
        return Effect.flatMap(late, () => (this.alive ? exit : Effect.never))
      })
      return Effect.andThen(before, taken)
    })
  }

  /** A storage as this process has it. */
  storage(edge: Edge, real: Storage["Service"], isDown: Effect.Effect<boolean>): Storage["Service"] {
    const cut = <A, E, R>(work: Effect.Effect<A, E, R>, isCommit: boolean) =>
      this.step(
        edge,
        Effect.flatMap(isDown, (down): Effect.Effect<A, E | StorageError, R> => {
          if (down || this.isCut) {
            this.missed += 1
            return Effect.fail(away)
          }
          this.busy += 1
          const done = Effect.sync(() => {
            this.busy -= 1
          })
          return Effect.flatMap(
            Effect.exit(Effect.ensuring(work, done)),
            (exit): Effect.Effect<A, E | StorageError> => {
              if (!isCommit || this.commitsToLose === 0 || Exit.isFailure(exit)) return exit
              this.commitsToLose -= 1
              this.missed += 1
              this.#seen.lostCommits += 1
              return Effect.fail(away)
            }
          )
        })
      )
    return Storage.of({
      ready: real.ready,
      durable: cut(real.durable, false),
      read: (program) => cut(real.read(program), false),
      transact: (program) => cut(real.transact(program), true),
      transactWith: (options) => (program) => cut(real.transactWith(options)(program), true)
    })
  }
}

const away = new StorageError({ reason: "unavailable", detail: "the world says so" })

/** Counts a step towards a fault, and says whether it has come. */
const reached = <Edge extends string>(fault: Fault<Edge> | null, edge: Edge): boolean =>
  fault !== null && (fault.at === null || fault.at === edge) && --fault.steps <= 0
