/**
 * One product on one storage, whose processes deliver to endpoints. Each may die or stand still at any step, lose its storage
 * for a while, or never hear that a commit of its own was made.
 */
import {
  Accounts,
  Carrier,
  Deliverer,
  type Ids,
  neutralBrand,
  Outbound,
  Publishing,
  type Services,
  Storage,
  StorageError,
  type StorageLayer,
  type Stores,
  type Subscription,
  services,
  WebhookStore,
  Webhooks
} from "@trunkline/core/effect"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import { Endpoints } from "./Endpoints.ts"

type When = "before" | "after"

interface Process {
  readonly context: Context.Context<Services>
  alive: boolean
  /** It dies at so many steps over its edge from now; null for never. */
  death: { steps: number; readonly when: When } | null
  /** It stands still at so many steps from now, until it goes on: its clock runs, and nothing else of it does. */
  stall: { steps: number; readonly when: When; readonly goesOn: Deferred.Deferred<void> } | null
  /** It has no storage. */
  isCut: boolean
  /** So many commits are made whose answer is lost. */
  unheardCommits: number
  /** It may hold ends that it could not write. */
  mayHold: boolean
  /** Requests of its own that nobody answers. */
  waiting: number
}

type Edge = "storage" | "resolve" | "post"

const down = new StorageError({ reason: "unavailable", detail: "the world says so" })

/** What never comes to rest is not waited for longer. */
const patienceMs = 20_000

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export class DeliveryWorld {
  readonly endpoints = new Endpoints()
  readonly #stores: Context.Context<Stores>
  readonly #scope: Scope.Scope
  readonly processes: Array<Process> = []
  deaths = 0
  stalls = 0
  /** Commits whose answer was lost. */
  lost = 0
  /** Deliveries of which a POST was made whose answer its process did not hear. */
  readonly unheard = new Set<string>()
  /** While true no process has its storage. */
  isDown = false
  /** While true no end can be written. */
  isFull = false
  /** The account whose events they are. */
  tenant!: Ids.AccountId
  /** Every secret that was ever told, newest first, by subscription. */
  readonly secrets = new Map<Ids.WebhookId, Array<string>>()

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope) {
    this.#stores = stores
    this.#scope = scope
  }

  /** True of a process that stands still. */
  isStill({ stall }: Process): boolean {
    return stall !== null && stall.steps <= 0
  }

  /**
   * A step over the edge: the process may die or stand still before it, or after it and before it hears of it. Between its last
   * look at the clock and the POST it does not stand still: nobody can tell that moment from a slow network.
   */
  #step<A, E, R>(
    process: Process,
    edge: Edge,
    work: Effect.Effect<A, E, R>,
    unheard: Effect.Effect<void> = Effect.void
  ): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      if (!process.alive) return Effect.never
      const { death, stall } = process
      const dies = death !== null && --death.steps <= 0 ? death.when : null
      const stands = stall !== null && --stall.steps === 0
      if (stands) this.stalls += 1
      if (dies === "before") {
        process.alive = false
        return Effect.never
      }
      const still = Effect.suspend(() =>
        process.stall !== null && process.stall.steps <= 0 ? Deferred.await(process.stall.goesOn) : Effect.void
      )
      const before = edge === "post" || (stands && stall.when === "after") ? Effect.void : still
      return Effect.andThen(
        before,
        Effect.flatMap(Effect.exit(work), (exit) => {
          if (dies === "after") process.alive = false
          const isHeard = process.alive && !this.isStill(process)
          return Effect.andThen(
            isHeard ? Effect.void : Effect.andThen(unheard, still),
            Effect.suspend(() => (process.alive ? exit : Effect.never))
          )
        })
      )
    })
  }

  #stored<A, E, R>(
    process: Process,
    work: Effect.Effect<A, E, R>,
    isCommit: boolean
  ): Effect.Effect<A, E | StorageError, R> {
    const cut = Effect.suspend((): Effect.Effect<A, E | StorageError, R> => {
      if (this.isDown || process.isCut) {
        process.mayHold = true
        return Effect.fail(down)
      }
      return Effect.flatMap(Effect.exit(work), (exit): Effect.Effect<A, E | StorageError> => {
        if (!isCommit || process.unheardCommits === 0 || Exit.isFailure(exit)) return exit
        process.unheardCommits -= 1
        process.mayHold = true
        this.lost += 1
        return Effect.fail(down)
      })
    })
    return this.#step(process, "storage", cut)
  }

  readonly #boot = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    const process: { -readonly [K in keyof Process]: Process[K] } = {
      alive: true,
      death: null,
      stall: null,
      isCut: false,
      unheardCommits: 0,
      mayHold: false,
      waiting: 0,
      context: Context.empty() as Context.Context<Services>
    }
    const real = Context.get(this.#stores, Storage)
    const storage: Storage["Service"] = {
      ready: real.ready,
      read: (program) => this.#stored(process, real.read(program), false),
      transact: (program) => this.#stored(process, real.transact(program), true),
      transactLightly: (program) => this.#stored(process, real.transactLightly(program), true)
    }
    const store = Context.get(this.#stores, WebhookStore)
    const guarded: WebhookStore["Service"] = {
      ...store,
      end: (ends) =>
        this.isFull ? Effect.fail(new StorageError({ reason: "full", detail: "the world says so" })) : store.end(ends)
    }
    const { outbound } = this.endpoints
    const way: Outbound["Service"] = {
      resolve: (host) => this.#step(process, "resolve", outbound.resolve(host)),
      post: (post) =>
        Effect.suspend(() => {
          process.waiting += 1
          const unheard = Effect.sync(() => void this.unheard.add(post.headers["X-Service-Delivery"] ?? ""))
          return Effect.ensuring(
            this.#step(process, "post", outbound.post(post), unheard),
            Effect.sync(() => {
              process.waiting -= 1
            })
          )
        })
    }
    const stores = this.#stores.pipe(Context.add(Storage, storage), Context.add(WebhookStore, guarded))
    const plugs = {
      storage: { kind: "storage" as const, layer: Layer.succeedContext(stores) },
      telephony: { kind: "telephony" as const, layer: fakeCarrierLayer },
      outbound: { kind: "outbound" as const, layer: Layer.succeed(Outbound, way) },
      encryptionKey: "the key of an installation for tests"
    }
    const layer = services(plugs, neutralBrand) as Layer.Layer<Services>
    process.context = yield* Layer.buildWithScope(layer, this.#scope)
    const { writing } = Context.get(process.context, Deliverer)
    yield* Effect.forkIn(writing, this.#scope)
    return process
  })

  readonly boot = Effect.map(this.#boot, (process) => void this.processes.push(process))

  /** Runs something in a process that lives; it may die of it or stand still over it, and then nobody hears the answer. */
  run<A, E>(program: Effect.Effect<A, E, Services>, which = 0): Effect.Effect<A | null, E> {
    return Effect.gen({ self: this }, function* (this: DeliveryWorld) {
      const process = this.processes[which % this.processes.length]!
      const silent = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
        while (process.alive && !this.isStill(process)) yield* turn
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
    for (let calm = 0, until = performance.now() + patienceMs; calm < 6 && performance.now() < until; ) {
      yield* turn
      const busy = this.processes.some((process) => {
        if (!process.alive || this.isStill(process)) return false
        const { attempting, held } = Context.get(process.context, Deliverer)
        if (held() === process.waiting) process.mayHold = false
        return attempting() !== process.waiting || (held() !== process.waiting && !this.isFull && !process.mayHold)
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

  /** Puts a new process in the place of each that is dead. */
  readonly revive = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    for (const [at, { alive }] of this.processes.entries()) {
      if (alive) continue
      this.deaths += 1
      this.processes[at] = yield* this.#boot
    }
  })

  /** The process stands still so many steps from now. */
  readonly stall = (which: number, steps: number, when: When): Effect.Effect<void> =>
    Effect.map(Deferred.make<void>(), (goesOn) => {
      const process = this.processes[which % this.processes.length]!
      if (process.stall === null) process.stall = { steps, when, goesOn }
    })

  /** A process that stands still goes on. */
  readonly resume = (process: Process): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { stall } = process
      process.stall = null
      return stall === null ? Effect.void : Effect.asVoid(Deferred.succeed(stall.goesOn, undefined))
    })

  /** Every process lives, goes on and has its storage. */
  readonly mend = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    this.isDown = false
    this.isFull = false
    yield* this.revive
    for (const process of this.processes) {
      process.death = null
      process.isCut = false
      process.unheardCommits = 0
      yield* this.resume(process)
    }
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
        Webhooks.use((webhooks) =>
          webhooks.create(this.tenant, {
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
    return this.run(Webhooks.use((webhooks) => webhooks.change(this.tenant, "platform", id, change)))
  }

  publish(event: string, data: object = {}, which = 0) {
    return this.run(
      Publishing.use((publishing) => publishing.publish(this.tenant, { event, data })),
      which
    )
  }

  readonly log = (id: Ids.WebhookId) =>
    this.look(
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const storage = yield* Storage
        return yield* storage.read(store.log(id, { limit: 10_000, offset: 0 }))
      })
    )
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
