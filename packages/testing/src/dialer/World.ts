/**
 * One product on one storage and one network: what the dialer's model drives. Its processes may die or stand still at any
 * step, the storage and the carrier may be unreachable, and reports may be lost.
 */
import {
  AccessStore,
  type Account,
  Accounts,
  CallReports,
  CallStore,
  CallSupervisor,
  CampaignContactStore,
  CampaignContacts,
  type CampaignState,
  CampaignStore,
  Campaigns,
  Carrier,
  CreditStore,
  Dialer,
  Ids,
  Instant,
  lock,
  neutralBrand,
  type Services,
  Storage,
  StorageError,
  type StorageLayer,
  type Stores,
  services,
  storageProvider,
  telephonyProvider
} from "@trunkline/core/effect"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { type FakeCarrierOptions, FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"

/** A process: its services, and whether it is still alive. */
interface Process {
  readonly context: Context.Context<Services>
  alive: boolean
  /** What happens to it so many steps over its edge (a transaction, a request to the carrier) from now. */
  fate: Fate | null
  /** Set while the process stands still: everything that it was doing goes on once this is done. */
  standstill: Deferred.Deferred<void> | null
  /** Transactions and looks that the storage has not answered. */
  atStorage: number
}

export interface Fate {
  readonly kind: "dies" | "stands still"
  steps: number
  readonly when: "before" | "after"
}

/** A storage that does not answer for longer is not waited for. */
const maxSettleMs = 20_000

/** Everything that a dead process was doing simply never goes on. */
const forever = Effect.never

const unavailable = new StorageError({ reason: "unavailable", detail: "the world says so" })

export class World {
  readonly network = new FakeNetwork()
  readonly #stores: Context.Context<Stores>
  readonly #carrier: FakeCarrierOptions
  readonly #scope: Scope.Scope
  process!: Process
  deaths = 0
  stalls = 0
  lost = 0
  /** Processes that stand still, or did: each has been replaced. */
  readonly #stalled: Array<Process> = []
  /** Every process that was started, the dead included. */
  readonly #processes: Array<Process> = []
  /** Until when no process reaches the storage. */
  storageDownUntil = Instant.make(0)

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope, carrier: FakeCarrierOptions) {
    this.#stores = stores
    this.#scope = scope
    this.#carrier = carrier
  }

  /** A step over the edge: the process may die or stand still before it, or after it and before anybody hears of it. */
  #step<A, E, R>(process: Process, work: Effect.Effect<A, E, R>, canStall = true): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      if (!process.alive) return forever
      if (process.standstill !== null) {
        return Effect.andThen(Deferred.await(process.standstill), this.#step(process, work, canStall))
      }
      const heard = Effect.flatMap(Effect.exit(work), (exit) => this.#awake(process, exit))
      const { fate } = process
      if (fate === null) return heard
      fate.steps -= 1
      if (fate.steps > 0 || (fate.kind === "stands still" && !canStall)) return heard
      process.fate = null
      const happens = Effect.sync(() => {
        if (fate.kind === "dies") process.alive = false
        else this.#standStill(process)
      })
      return fate.when === "before"
        ? Effect.andThen(happens, this.#step(process, work, canStall))
        : Effect.flatMap(Effect.exit(work), (exit) => Effect.andThen(happens, this.#awake(process, exit)))
    })
  }

  /** What a step has brought, once its process can hear of it. */
  #awake<A, E>(process: Process, exit: Exit.Exit<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      if (!process.alive) return forever
      return process.standstill === null ? exit : Effect.andThen(Deferred.await(process.standstill), exit)
    })
  }

  #standStill(process: Process): void {
    process.standstill = Deferred.makeUnsafe<void>()
    this.#stalled.push(process)
    this.stalls += 1
  }

  /** The process that has stood still the longest goes on, beside the one that replaced it. */
  readonly goOn = Effect.gen({ self: this }, function* (this: World) {
    const process = this.#stalled.shift()
    if (process === undefined) return
    const { standstill } = process
    process.standstill = null
    yield* Deferred.succeed(standstill!, undefined)
    yield* this.settle
  })

  get isStalled(): boolean {
    return this.#stalled.length > 0
  }

  /** Starts a process, as after a restart: what is open is looked up rather than trusted. */
  readonly boot = Effect.gen({ self: this }, function* (this: World) {
    const process: { -readonly [K in keyof Process]: Process[K] } = {
      alive: true,
      fate: null,
      standstill: null,
      atStorage: 0,
      context: Context.empty() as Context.Context<Services>
    }
    const real = Context.get(this.#stores, Storage)
    const counted = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => void process.atStorage++),
        () => work,
        () => Effect.sync(() => void process.atStorage--)
      )
    const reached = <A, E, R>(work: Effect.Effect<A, E | StorageError, R>): Effect.Effect<A, E | StorageError, R> =>
      Effect.flatMap(Instant.now, (at) => (at < this.storageDownUntil ? Effect.fail(unavailable) : counted(work)))
    const storage: Storage["Service"] = {
      ready: real.ready,
      read: (program) => this.#step(process, reached(real.read(program))),
      transact: (program) => this.#step(process, reached(real.transact(program))),
      transactWith: (options) => (program) => this.#step(process, reached(real.transactWith(options)(program)))
    }
    const whole = fakeCarrier(this.network, this.#carrier)
    const carrier: Carrier["Service"] = {
      ...whole,
      // Between the last look at the row and the request lie microseconds: no standstill is put there.
      place: (permit) => this.#step(process, whole.place(permit), false),
      end: (ref, options) => this.#step(process, whole.end(ref, options)),
      find: (ref) => this.#step(process, whole.find(ref)),
      leaveMessage: (ref, message) => this.#step(process, whole.leaveMessage(ref, message))
    }
    const providers = {
      storage: storageProvider(Layer.succeedContext(Context.add(this.#stores, Storage, storage))),
      telephony: telephonyProvider(Layer.succeed(Carrier, carrier)),
      encryptionKey: "a key for the secrets of this test"
    }
    this.process = process
    this.#processes.push(process)
    const layer = services(providers, neutralBrand) as Layer.Layer<Services, StorageError>
    // A process that does not reach the storage when it starts ends, and is started again.
    yield* Layer.buildWithScope(layer, this.#scope).pipe(
      Effect.flatMap((context) => {
        process.context = context
        return this.run(CallSupervisor.use((supervisor) => supervisor.recover))
      }),
      Effect.catch(() =>
        Effect.sync(() => {
          process.alive = false
        })
      )
    )
  })

  /** Runs something in the present process; null when the process dies or stands still meanwhile. */
  run<A, E>(program: Effect.Effect<A, E, Services>): Effect.Effect<A | null, E> {
    return Effect.gen({ self: this }, function* (this: World) {
      const process = this.process
      // In a scope of its own: what a process was doing when it stood still goes on later.
      const running = yield* Effect.forkIn(Effect.provideContext(program, process.context), this.#scope)
      for (;;) {
        const exit = running.pollUnsafe()
        if (exit !== undefined) return yield* exit
        if (!this.isRunning(process)) return null
        yield* turn
      }
    })
  }

  isRunning(process: Process = this.process): boolean {
    return process.alive && process.standstill === null
  }

  /** Lets everything that is under way come to rest: reactions, orders, transactions. */
  readonly settle = Effect.gen({ self: this }, function* (this: World) {
    // Real time bounds it, because a database may be another process.
    for (let calm = 0, until = performance.now() + maxSettleMs; calm < 12 && performance.now() < until; ) {
      yield* turn
      const isBusy = this.#processes.some((process) => this.isRunning(process) && process.atStorage > 0)
      calm = isBusy ? 0 : calm + 1
    }
  })

  readonly tick = Effect.gen({ self: this }, function* (this: World) {
    yield* this.replace
    yield* Effect.ignore(this.run(Dialer.use((dialer) => dialer.tick)))
    yield* this.settle
    yield* Effect.ignore(this.run(CallSupervisor.use((supervisor) => supervisor.tick)))
    yield* this.settle
    yield* this.replace
  })

  /** Another process is started where the present one has died or stands still. */
  readonly replace = Effect.gen({ self: this }, function* (this: World) {
    // A process that does not reach the storage cannot start.
    if (this.isRunning() || (yield* Instant.now) < this.storageDownUntil) return
    if (!this.process.alive) this.deaths += 1
    yield* this.boot
    yield* this.settle
  })

  /** Lets so much time pass, with the workers at work. */
  work(seconds: number, every = 5) {
    return Effect.gen({ self: this }, function* (this: World) {
      for (let passed = 0; passed < seconds; passed += every) {
        yield* TestClock.adjust(every * 1000)
        yield* this.tick
      }
    })
  }

  /** Delivers a report. It is repeated where the test says so, never because it was refused. */
  deliver(index: number, again: boolean) {
    return Effect.gen({ self: this }, function* (this: World) {
      const { pending } = this.network
      if (pending.length === 0) return
      const at = index % pending.length
      const report = pending[at]!
      const heard = yield* this.run(Effect.as(Effect.ignore(CallReports.use((reports) => reports.take(report))), true))
      yield* this.settle
      if (heard === true && !again) pending.splice(pending.indexOf(report), 1)
    })
  }

  /** Looks at the storage from outside any process. */
  look<A, E, R extends Stores>(program: Effect.Effect<A, E, R>) {
    return Effect.provideContext(program as Effect.Effect<A, E, Stores>, this.#stores)
  }

  readonly campaign = (id: Ids.CampaignId) =>
    this.look(
      Effect.gen(function* () {
        const store = yield* CampaignStore
        const storage = yield* Storage
        return (yield* storage.read(store.get(id))) as CampaignState
      })
    )

  readonly contacts = (id: Ids.CampaignId) =>
    this.look(
      Effect.gen(function* () {
        const store = yield* CampaignContactStore
        const storage = yield* Storage
        return yield* storage.read(store.list(id, { limit: 500, offset: 0 }))
      })
    )

  readonly account = (id: Ids.AccountId) =>
    this.look(
      Effect.gen(function* () {
        const store = yield* AccessStore
        const storage = yield* Storage
        return (yield* storage.read(store.findAccount(id))) as Account
      })
    )

  /** Another account that places calls of its own. */
  readonly stranger = Effect.suspend(() =>
    Effect.orDie(
      Effect.map(
        this.run(Accounts.use((accounts) => accounts.create({ name: "Stranger", plan: "free", voiceCampaigns: true }))),
        (made) => made!
      )
    )
  )

  /** Takes credit away until an account has so much, as the ledger tells. */
  readonly leave = (tenantId: Ids.AccountId, amount: bigint) =>
    this.look(
      Effect.gen(function* () {
        const store = yield* CreditStore
        const storage = yield* Storage
        const [id, createdAt] = [yield* Ids.fresh(), yield* Instant.now]
        yield* storage.transact(
          Effect.gen(function* () {
            const surplus = (yield* store.balance(tenantId))!.balance - amount
            yield* store.settle(tenantId, { reserved: 0n, charge: surplus })
            yield* store.log({ id, tenantId, amount: -surplus, kind: "grant", ref: null, createdAt })
          })
        )
      })
    )

  /** Campaign and list at one moment: both change under the campaign's lock alone. */
  readonly together = (id: Ids.CampaignId) =>
    this.look(
      Effect.gen(function* () {
        const campaigns = yield* CampaignStore
        const contacts = yield* CampaignContactStore
        const storage = yield* Storage
        return yield* storage.transact(
          Effect.gen(function* () {
            yield* lock("campaign", id)
            return {
              campaign: (yield* campaigns.get(id)) as CampaignState,
              contacts: yield* contacts.list(id, { limit: 500, offset: 0 })
            }
          })
        )
      })
    )

  readonly calls = (tenantId: Ids.AccountId) =>
    this.look(
      Effect.gen(function* () {
        const store = yield* CallStore
        const storage = yield* Storage
        const filter = { campaignId: null, contactId: null, status: null }
        return yield* storage.read(store.list(tenantId, filter, { limit: 5000, offset: 0 }))
      })
    )
}

/** One turn of the event loop: storages and fibers that wait for it go on. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** A world on a fresh storage. */
export const makeWorld = (storage: StorageLayer, carrier: FakeCarrierOptions = {}) =>
  Effect.gen(function* () {
    // The scope of processes is never closed: a dead process does not clean up after itself.
    const world = new World(yield* Layer.build(storage), Scope.makeUnsafe(), carrier)
    yield* world.boot
    return world
  })

/** An account with the feature, credit and one campaign with a list of numbers. */
export const prepare = (
  world: World,
  given: { readonly phones: ReadonlyArray<string>; readonly fields?: Parameters<Campaigns["Service"]["create"]>[1] }
) =>
  Effect.orDie(
    world.run(
      Effect.gen(function* () {
        const account = yield* Accounts.use((accounts) =>
          accounts.create({ name: "Model", plan: "free", voiceCampaigns: true })
        )
        const campaign = yield* Campaigns.use((campaigns) =>
          campaigns.create(account.id, {
            name: "Model",
            timezone: "UTC",
            quietHoursStart: 0,
            quietHoursEnd: 24,
            ...given.fields
          })
        )
        yield* CampaignContacts.use((contacts) =>
          contacts.add(
            account.id,
            campaign.id,
            given.phones.map((phone) => ({ phone, name: null }))
          )
        )
        yield* Campaigns.use((campaigns) => campaigns.move(account.id, campaign.id, "scheduled"))
        yield* Campaigns.use((campaigns) => campaigns.move(account.id, campaign.id, "running"))
        return { account, campaign }
      })
    )
  ).pipe(Effect.map((made) => made!))
