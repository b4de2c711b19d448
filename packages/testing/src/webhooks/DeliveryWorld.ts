/**
 * One product on one storage, whose processes deliver to endpoints. Each may die or stand still at any step, lose its storage
 * for a while, or never hear that a commit of its own was made.
 */
import { Accounts, Publishing, type Services, Storage, type Subscription, Subscriptions } from "@trunkline/core/effect"
import { Carrier, type Ids, Outbound, outboundProvider, telephonyProvider } from "@trunkline/core/provider"
import { DeliveryStore, StorageError, storageProvider } from "@trunkline/core/storage"
import { Deliverer, neutralBrand, type StorageLayer, type Stores, services } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import { type FaultCounts, FaultyProcess } from "../FaultyProcess.ts"
import { Endpoints } from "./Endpoints.ts"

type Edge = "storage" | "resolve" | "post"

class Process extends FaultyProcess<Edge> {
  context: Context.Context<Services> = Context.empty() as Context.Context<Services>
  /** Requests of its own that nobody answers. */
  waiting = 0
  /** What it had missed of the storage when it last held no end. */
  missedBefore = 0
}

/** The longest wait for the processes to settle. */
const maxSettleMs = 300_000

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export class DeliveryWorld {
  readonly endpoints = new Endpoints()
  readonly #stores: Context.Context<Stores>
  readonly #scope: Scope.Scope
  readonly processes: Array<Process> = []
  deaths = 0
  readonly seen: FaultCounts = { stalls: 0, lostCommits: 0 }
  /** Attempts that were begun, of all processes: each looks up the name of its endpoint, and so does a new subscription. */
  begun = 0
  /** Deliveries of which a POST was made whose answer its process did not hear. */
  readonly unheard = new Set<string>()
  /** While true no process has its storage. */
  isDown = false
  /** While true no end can be written. */
  isFull = false
  /** The account whose events they are. */
  tenant!: Ids.AccountId
  /** Every secret that was ever returned, newest first, by subscription. */
  readonly secrets = new Map<Ids.WebhookId, Array<string>>()

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope) {
    this.#stores = stores
    this.#scope = scope
  }

  readonly #isStorageDown = Effect.sync(() => this.isDown)

  readonly #boot = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    const process = new Process(["post"], this.seen)
    const storage = process.storage("storage", Context.get(this.#stores, Storage), this.#isStorageDown)
    const store = Context.get(this.#stores, DeliveryStore)
    const guarded: DeliveryStore["Service"] = {
      ...store,
      end: (ends) =>
        Effect.suspend(() => {
          if (!this.isFull) return store.end(ends)
          process.missed += 1
          return Effect.fail(new StorageError({ reason: "full", detail: "the world says so" }))
        })
    }
    const { outbound } = this.endpoints
    const way: Outbound["Service"] = {
      ...outbound,
      resolve: (host) =>
        Effect.suspend(() => {
          this.begun += 1
          return process.step("resolve", outbound.resolve(host))
        }),
      post: (post) =>
        Effect.suspend(() => {
          process.waiting += 1
          const unheard = Effect.sync(() => void this.unheard.add(post.headers["X-Service-Delivery"] ?? ""))
          return Effect.ensuring(
            process.step("post", outbound.post(post), unheard),
            Effect.sync(() => {
              process.waiting -= 1
            })
          )
        })
    }
    const stores = this.#stores.pipe(Context.add(Storage, storage), Context.add(DeliveryStore, guarded))
    const providers = {
      storage: storageProvider(Layer.succeedContext(stores)),
      telephony: telephonyProvider(fakeCarrierLayer),
      outbound: outboundProvider(Layer.succeed(Outbound, way)),
      encryptionKey: "the key of an installation for tests"
    }
    const layer = services(providers, neutralBrand) as Layer.Layer<Services>
    process.context = yield* Layer.buildWithScope(layer, this.#scope)
    const { settle } = Context.get(process.context, Deliverer)
    yield* Effect.forkIn(settle, this.#scope)
    return process
  })

  readonly boot = Effect.map(this.#boot, (process) => void this.processes.push(process))

  /** Runs something in a process that lives; it may die of it or stand still over it, and then nobody hears the answer. */
  run<A, E>(program: Effect.Effect<A, E, Services>, which = 0): Effect.Effect<A | null, E> {
    return Effect.gen({ self: this }, function* (this: DeliveryWorld) {
      const process = this.processes[which % this.processes.length]!
      const silent = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
        while (process.alive && !process.isStill) yield* turn
        return null
      })
      // What stands still goes on later, heard by nobody.
      const running = yield* Effect.forkIn(Effect.provideContext(program, process.context), this.#scope)
      return yield* Effect.raceFirst(Fiber.join(running), silent)
    })
  }

  /** Looks at the storage from outside any process. */
  look<A, E, R extends Stores>(program: Effect.Effect<A, E, R>) {
    return Effect.provideContext(program as Effect.Effect<A, E, Stores>, this.#stores)
  }

  /** Until every living process only waits for endpoints that do not answer, or for ends that cannot be written. */
  readonly settle = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    // Real time bounds it, because what is waited for may need another thread: a cipher, a database.
    for (let calm = 0, until = performance.now() + maxSettleMs; calm < 6; ) {
      yield* turn
      if (performance.now() > until) throw new Error("a process neither ends its work nor waits for an endpoint")
      const busy = this.processes.some((process) => {
        if (!process.alive || process.isStill) return false
        // What went on after a standstill is still on its way to a claim, of which the deliverer has no count yet.
        if (process.busy > 0) return true
        const { held, running } = Context.get(process.context, Deliverer)
        const holds = held() !== process.waiting
        if (!holds) process.missedBefore = process.missed
        // An end that could not be written is written again in a second.
        return running() !== process.waiting || (holds && process.missed === process.missedBefore)
      })
      calm = busy ? 0 : calm + 1
    }
  })

  /** One pass of one process; the dead are replaced. */
  tick(which: number) {
    return Effect.gen({ self: this }, function* (this: DeliveryWorld) {
      const tick = this.run(
        Deliverer.use((deliverer) => deliverer.tick),
        which
      )
      const begun = yield* Effect.orElseSucceed(tick, () => null)
      yield* this.settle
      yield* this.revive
      return begun
    })
  }

  /** Puts a new process in the place of each that is dead. None can start without its storage. */
  readonly revive = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    if (this.isDown) return
    for (const [at, { alive }] of this.processes.entries()) {
      if (alive) continue
      this.deaths += 1
      this.processes[at] = yield* this.#boot
    }
  })

  /** Every process lives, goes on and has its storage. */
  readonly clearFaults = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    this.isDown = false
    this.isFull = false
    yield* this.revive
    for (const process of this.processes) yield* process.clearFaults
    yield* this.settle
    yield* this.revive
  })

  /** Lets time pass, with a pass of every process at least every second. */
  pass(milliseconds: number, ticks = true) {
    return Effect.gen({ self: this }, function* (this: DeliveryWorld) {
      for (let left = milliseconds; left > 0; ) {
        const step = Math.min(left, 1000)
        yield* TestClock.adjust(step)
        yield* this.settle
        left -= step
        for (let i = 0; ticks && i < this.processes.length; i++) yield* this.tick(i)
      }
    })
  }

  subscribe(host: string, given: { readonly events?: ReadonlyArray<string>; readonly botId?: Ids.BotId | null } = {}) {
    return Effect.gen({ self: this }, function* (this: DeliveryWorld) {
      const made = yield* this.run(
        Subscriptions.use((subscriptions) =>
          subscriptions.create(this.tenant, {
            url: `https://${host}/hook`,
            events: given.events ?? [],
            botId: given.botId ?? null
          })
        )
      )
      this.secrets.set(made!.subscription.id, [made!.secret])
      return made!.subscription
    })
  }

  change(
    id: Ids.WebhookId,
    change: Partial<Pick<Subscription, "isActive" | "url" | "retrySchedule" | "pauseAfterDays">>
  ) {
    return this.run(Subscriptions.use((subscriptions) => subscriptions.change(this.tenant, id, change)))
  }

  publish(event: string, data: object = {}, which = 0) {
    return this.run(
      Publishing.use((publishing) => publishing.publish(this.tenant, { event, data })),
      which
    )
  }

  readonly log = (id: Ids.WebhookId) => {
    const log = { tenantId: this.tenant, webhookId: id, status: null, event: null }
    return this.look(
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const storage = yield* Storage
        return yield* storage.read(store.list(log, { limit: 10_000, offset: 0 }))
      })
    )
  }
}

const fakeCarrierLayer = Layer.suspend(() => fakeCarrierOf(new FakeNetwork()))
const fakeCarrierOf = (network: FakeNetwork) => Layer.succeed(Carrier, fakeCarrier(network))

/** A world on a fresh storage, with an account and one process. */
export const makeDeliveryWorld = (storage: StorageLayer) =>
  Effect.gen(function* () {
    // The scope of processes is never closed: a dead process does not clean up after itself.
    const world = new DeliveryWorld(yield* Layer.build(storage), Scope.makeUnsafe())
    yield* world.boot
    const account = yield* world.run(
      Accounts.use((accounts) => accounts.create({ name: "Model", plan: "free", voiceCampaigns: true }))
    )
    world.tenant = account!.id
    return world
  })
