/** One product on one storage, whose processes deliver to endpoints and may die at any step. */
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
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import { Endpoints } from "./Endpoints.ts"

interface Process {
  readonly context: Context.Context<Services>
  alive: boolean
  /** It dies at so many steps over its edge from now; null for never. */
  death: { steps: number; readonly when: "before" | "after" } | null
  /** Requests of its own that nobody answers. */
  waiting: number
}

/** What never comes to rest is not waited for longer. */
const patienceMs = 20_000

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export class DeliveryWorld {
  readonly endpoints = new Endpoints()
  readonly #stores: Context.Context<Stores>
  readonly #scope: Scope.Scope
  readonly processes: Array<Process> = []
  deaths = 0
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

  /** A step over the edge: the process may die before it, or after it and before it hears of it. */
  #step<A, E, R>(process: Process, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      if (!process.alive) return Effect.never
      const dies = process.death !== null && --process.death.steps <= 0 ? process.death.when : null
      if (dies === "before") {
        process.alive = false
        return Effect.never
      }
      return Effect.flatMap(Effect.exit(work), (exit) => {
        if (dies === "after") process.alive = false
        return process.alive ? exit : Effect.never
      })
    })
  }

  readonly #boot = Effect.gen({ self: this }, function* (this: DeliveryWorld) {
    const process: { -readonly [K in keyof Process]: Process[K] } = {
      alive: true,
      death: null,
      waiting: 0,
      context: Context.empty() as Context.Context<Services>
    }
    const real = Context.get(this.#stores, Storage)
    const storage: Storage["Service"] = {
      ready: real.ready,
      read: (program) => this.#step(process, real.read(program)),
      transact: (program) => this.#step(process, real.transact(program)),
      transactLightly: (program) => this.#step(process, real.transactLightly(program))
    }
    const store = Context.get(this.#stores, WebhookStore)
    const guarded: WebhookStore["Service"] = {
      ...store,
      end: (ends) =>
        this.isFull ? Effect.fail(new StorageError({ reason: "full", detail: "the world says so" })) : store.end(ends)
    }
    const { outbound } = this.endpoints
    const way: Outbound["Service"] = {
      resolve: (host) => this.#step(process, outbound.resolve(host)),
      post: (post) =>
        Effect.suspend(() => {
          process.waiting += 1
          return Effect.ensuring(
            this.#step(process, outbound.post(post)),
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

  /** Runs something in a process that lives; it may die of it, and then nobody hears the answer. */
  run<A, E>(program: Effect.Effect<A, E, Services>, which = 0): Effect.Effect<A | null, E> {
    return Effect.gen({ self: this }, function* (this: DeliveryWorld) {
      const process = this.processes[which % this.processes.length]!
      const dead = Effect.gen(function* () {
        while (process.alive) yield* turn
        return null
      })
      return yield* Effect.raceFirst(Effect.provideContext(program, process.context), dead)
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
      const busy = this.processes.some(({ alive, context, waiting }) => {
        const { attempting, held } = Context.get(context, Deliverer)
        return alive && (attempting() !== waiting || (held() !== waiting && !this.isFull))
      })
      calm = busy ? 0 : calm + 1
    }
  })

  /** One pass of one process; the dead are replaced. */
  tick(which: number) {
    return Effect.gen({ self: this }, function* (this: DeliveryWorld) {
      const begun = yield* this.run(
        Deliverer.use((deliverer) => deliverer.tick),
        which
      )
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
