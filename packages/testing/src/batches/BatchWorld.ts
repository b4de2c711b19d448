/**
 * One product on one storage, whose processes run the batches of an account. Each may die or stand still at any step, stop in good
 * order, lose its storage for a while, or never hear that a commit of its own was made.
 */
import type { TrunklineOptions } from "@trunkline/core"

import {
  Accounts,
  type Batch,
  Batches,
  Files,
  Instant,
  Keys,
  read,
  type Services,
  Storage,
  transact
} from "@trunkline/core/effect"
import { Carrier, type Ids, operator, telephonyProvider } from "@trunkline/core/provider"
import { CreditStore, storageProvider } from "@trunkline/core/storage"
import {
  BatchWorker,
  type KeyLimitRequest,
  KeyLimits,
  neutralBrand,
  type StorageLayer,
  type Stores,
  services
} from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import { type FaultCounts, FaultyProcess } from "../FaultyProcess.ts"
import * as Rows from "../storage/Rows.ts"
import { BatchUpstream } from "./BatchUpstream.ts"
import { uploadInput } from "./UploadInput.ts"

export type Edge = "storage" | "upstream"

class Process extends FaultyProcess<Edge> {
  context: Context.Context<Services> = Context.empty() as Context.Context<Services>
}

export interface BatchWorldOptions {
  readonly processes: number
  readonly concurrency: number
  readonly windowSeconds: number
}

/** Real time after which processes that never come to rest are not waited for. */
const maxSettleMs = 300_000

/** The longest step of the clock. */
export const stepMs = 500

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export class BatchWorld {
  readonly upstream = new BatchUpstream()
  readonly processes: Array<Process> = []
  readonly options: BatchWorldOptions
  readonly #stores: Context.Context<Stores>
  readonly #scope: Scope.Scope
  /** Has no faults and runs no batches: by it the day prepares and looks. */
  #observer!: Process
  deaths = 0
  stops = 0
  readonly seen: FaultCounts = { stalls: 0, lostCommits: 0 }
  /** While true no process has its storage. */
  isDown = false
  tenant!: Ids.AccountId
  keyId!: Ids.KeyId
  /** The latest instant at which something was out of order. */
  faultAt = 0
  #lostBefore = 0

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope, options: BatchWorldOptions) {
    this.#stores = stores
    this.#scope = scope
    this.options = options
  }

  readonly #isStorageDown = Effect.sync(() => this.isDown)

  readonly #make = (isDown: Effect.Effect<boolean>) =>
    Effect.gen({ self: this }, function* (this: BatchWorld) {
      const process = new Process(["upstream"], this.seen)
      const stores = this.#stores.pipe(
        Context.add(Storage, process.storage("storage", Context.get(this.#stores, Storage), isDown))
      )
      const { concurrency, windowSeconds } = this.options
      const options: TrunklineOptions = {
        storage: storageProvider(Layer.succeedContext(stores)),
        telephony: telephonyProvider(Layer.succeed(Carrier, fakeCarrier(new FakeNetwork()))),
        encryptionKey: "a key for the secrets of this test",
        models: {
          upstreams: { there: this.upstream.provider((work) => process.step("upstream", work)) },
          routes: { "*": { upstream: "there" } }
        },
        limits: { batchConcurrency: concurrency, batchWindowSeconds: windowSeconds }
      }
      const layer = services(options, neutralBrand) as Layer.Layer<Services>
      process.context = yield* Layer.buildWithScope(layer, this.#scope)
      return process
    })

  readonly boot = Effect.suspend(() =>
    Effect.map(this.#make(this.#isStorageDown), (process) => void this.processes.push(process))
  )

  /** An account with this much credit, a key of it, and the processes. */
  readonly begin = (free: bigint) =>
    Effect.gen({ self: this }, function* (this: BatchWorld) {
      this.#observer = yield* this.#make(Effect.succeed(false))
      const { id } = yield* this.observe(
        Accounts.use((accounts) => accounts.create({ name: "Model", plan: "pro", voiceCampaigns: false }))
      )
      this.tenant = id
      const { key } = yield* this.observe(
        Keys.use((keys) => keys.create(Rows.apiKey(id, { permissions: ["llm"] }), operator))
      )
      this.keyId = key.id
      yield* this.look(
        Effect.gen(function* () {
          const store = yield* CreditStore
          const { balance } = (yield* read(store.balance(id)))!
          yield* transact(store.settle(id, { reserved: 0n, charge: balance - free }))
        })
      )
      while (this.processes.length < this.options.processes) yield* this.boot
    })

  observe<A, E>(program: Effect.Effect<A, E, Services>): Effect.Effect<A, E> {
    return Effect.provideContext(program, this.#observer.context)
  }

  /** Looks at the storage from outside any process. */
  look<A, E, R extends Stores>(program: Effect.Effect<A, E, R>) {
    return Effect.provideContext(program as Effect.Effect<A, E, Stores>, this.#stores)
  }

  processAt(pick: number): Process {
    return this.processes[pick % this.processes.length]!
  }

  /** Runs something in a process that lives; it may die of it or stand still over it, and then nobody hears the answer: null. */
  run<A, E>(program: Effect.Effect<A, E, Services>, pick = 0): Effect.Effect<A | null, E> {
    return Effect.gen({ self: this }, function* (this: BatchWorld) {
      const process = this.processAt(pick)
      const silent = Effect.gen(function* () {
        while (process.alive && !process.isStill) yield* turn
        return null
      })
      // What stands still goes on later, heard by nobody.
      const running = yield* Effect.forkIn(Effect.provideContext(program, process.context), this.#scope)
      return yield* Effect.raceFirst(Fiber.join(running), silent)
    })
  }

  /** Notes whether something is out of order now. */
  readonly noteFaults = Effect.gen({ self: this }, function* (this: BatchWorld) {
    const isLost = this.seen.lostCommits > this.#lostBefore
    this.#lostBefore = this.seen.lostCommits
    const isFaulty = this.processes.some(({ alive, isCut, isStill }) => !alive || isCut || isStill)
    if (isLost || isFaulty || this.isDown) this.faultAt = yield* Instant.now
  })

  /** Until nothing goes on but what waits for the clock or for the upstream. */
  readonly settle = Effect.gen({ self: this }, function* (this: BatchWorld) {
    // Real time bounds it, because a database may be another process.
    for (let calm = 0, until = performance.now() + maxSettleMs; calm < 6; ) {
      yield* turn
      if (performance.now() > until) throw new Error("a process does not end its work")
      calm = this.processes.some(({ alive, busy, isStill }) => alive && !isStill && busy > 0) ? 0 : calm + 1
    }
    yield* this.noteFaults
  })

  /** One look of one process for accounts that are due. */
  tick(pick: number) {
    const tick = BatchWorker.use((worker) => worker.tick)
    return Effect.andThen(Effect.ignore(this.run(tick, pick)), this.settle)
  }

  /** Puts a new process in the place of each that is dead. None can start without its storage. */
  readonly revive = Effect.gen({ self: this }, function* (this: BatchWorld) {
    if (this.isDown) return
    for (const [at, { alive }] of this.processes.entries()) {
      if (alive) continue
      this.deaths += 1
      this.processes[at] = yield* this.#make(this.#isStorageDown)
    }
  })

  /** Stops a process as a host does: its lines have two seconds, and what still runs is cancelled. Another takes its place. */
  stop(pick: number) {
    return Effect.gen({ self: this }, function* (this: BatchWorld) {
      const { context } = this.processAt(pick)
      this.stops += 1
      this.faultAt = yield* Instant.now
      const of = (program: Effect.Effect<void, never, BatchWorker>) =>
        Effect.forkIn(Effect.provideContext(program, context), this.#scope)
      yield* of(BatchWorker.use((worker) => worker.idle))
      yield* this.pass(2000)
      yield* of(BatchWorker.use((worker) => worker.cancel))
      yield* this.pass(1000)
      this.faultAt = yield* Instant.now
      this.processAt(pick).alive = false
      yield* this.revive
    })
  }

  /** Every process lives, goes on and has its storage. */
  readonly clearFaults = Effect.gen({ self: this }, function* (this: BatchWorld) {
    yield* this.noteFaults
    this.isDown = false
    yield* this.revive
    for (const process of this.processes) yield* process.clearFaults
    yield* this.settle
    yield* this.revive
  })

  /** Lets time pass, with a look of every process at each step. */
  pass(milliseconds: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* (this: BatchWorld) {
      for (let left = milliseconds; left > 0; ) {
        const step = Math.min(left, stepMs)
        left -= step
        yield* this.settle
        yield* TestClock.adjust(step)
        yield* this.settle
        for (let pick = 0; pick < this.processes.length; pick++) yield* this.tick(pick)
        yield* this.revive
      }
    }) as Effect.Effect<void>
  }

  /** Uploads an input; returns its id in its public form. */
  upload(text: string) {
    return this.observe(uploadInput({ tenantId: this.tenant }, text))
  }

  readonly batches: Effect.Effect<ReadonlyArray<Batch>, unknown> = Effect.suspend(() =>
    this.observe(Batches.use((all) => all.list(this.tenant, { after: null, limit: 100 })))
  )

  /** The lines of a file of results; none where there is no file. */
  resultsOf(id: Ids.FileId | null) {
    const tenantId = this.tenant
    return this.observe(
      Effect.gen(function* () {
        if (id === null) return []
        const files = yield* Files
        const chunks = yield* Stream.runCollect(files.content(yield* files.get(tenantId, id)))
        const text = Buffer.concat([...chunks]).toString()
        return text
          .trimEnd()
          .split("\n")
          .map((one) => JSON.parse(one) as ResultLine)
      })
    )
  }

  /** A place of the key for a direct request. */
  acquire(request: Pick<KeyLimitRequest, "concurrency" | "id" | "perMinute">) {
    return this.observe(
      KeyLimits.use((limits) => limits.acquire({ ...request, tenantId: this.tenant, keyId: this.keyId }))
    )
  }

  release(id: Ids.UsageId) {
    return this.observe(
      KeyLimits.use((limits) => limits.release({ id, tenantId: this.tenant, keyId: this.keyId, isReleased: false }))
    )
  }
}

/** A line of the results. */
export interface ResultLine {
  readonly custom_id: string
  readonly response: { readonly status_code: number; readonly request_id: string } | null
  readonly error: { readonly code: string } | null
}

/** A world on a fresh storage. */
export const makeBatchWorld = (storage: StorageLayer, options: BatchWorldOptions, free: bigint) =>
  Effect.gen(function* () {
    // The scope of processes is never closed: a dead process does not clean up after itself.
    const world = new BatchWorld(yield* Layer.build(storage), Scope.makeUnsafe(), options)
    yield* world.begin(free)
    return world
  })
