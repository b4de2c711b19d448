/**
 * One product on one storage and one network: what the dialer's model drives. Its processes may die or stand still at any
 * step, the storage and the carrier may be unreachable, and reports may be lost.
 */

import {
  type Account,
  Accounts,
  CampaignContacts,
  Campaigns,
  Instant,
  lock,
  type Services,
  Storage
} from "@trunkline/core/effect"
import { Carrier, Ids, telephonyProvider } from "@trunkline/core/provider"
import {
  AccessStore,
  CallStore,
  type CampaignState,
  CampaignStore,
  CreditStore,
  type StorageError,
  storageProvider
} from "@trunkline/core/storage"
import {
  CallReports,
  CallSupervisor,
  Dialer,
  neutralBrand,
  type StorageLayer,
  type Stores,
  services
} from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { type FakeCarrierOptions, FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import { type FaultCounts, FaultyProcess } from "../FaultyProcess.ts"
import { listedContacts } from "../ListedContacts.ts"

type Edge = "storage" | "place" | "carrier"

class Process extends FaultyProcess<Edge> {
  context: Context.Context<Services> = Context.empty() as Context.Context<Services>
}

/** A storage that does not answer for longer is not waited for. */
const maxSettleMs = 300_000

export class DialerWorld {
  readonly network = new FakeNetwork()
  readonly #stores: Context.Context<Stores>
  readonly #carrier: FakeCarrierOptions
  readonly #scope: Scope.Scope
  process!: Process
  deaths = 0
  readonly seen: FaultCounts = { stalls: 0, lostCommits: 0 }
  /** Reports that were lost. */
  lost = 0
  /** Every process that was started, the dead included. */
  readonly #processes: Array<Process> = []
  /** Until when no process reaches the storage. */
  storageDownUntil = Instant.make(0)

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope, carrier: FakeCarrierOptions) {
    this.#stores = stores
    this.#scope = scope
    this.#carrier = carrier
  }

  /** A process stands still, or did: another one has replaced it. */
  get isStalled(): boolean {
    return this.#stalled !== undefined
  }

  get #stalled(): Process | undefined {
    return this.#processes.find(({ alive, isStill }) => alive && isStill)
  }

  /** The process that has stood still the longest goes on, beside the one that replaced it. */
  readonly goOn = Effect.gen({ self: this }, function* (this: DialerWorld) {
    const process = this.#stalled
    if (process === undefined) return
    yield* process.resume
    yield* this.settle
  })

  readonly #isStorageDown = Effect.map(Instant.now, (at) => at < this.storageDownUntil)

  #carrierOf(process: Process): Carrier["Service"] {
    const whole = fakeCarrier(this.network, this.#carrier)
    return {
      ...whole,
      place: (permit) => process.step("place", whole.place(permit)),
      end: (ref, options) => process.step("carrier", whole.end(ref, options)),
      find: (ref) => process.step("carrier", whole.find(ref)),
      leaveMessage: (ref, message) => process.step("carrier", whole.leaveMessage(ref, message))
    }
  }

  /** Starts a process, as after a restart: what is open is looked up rather than trusted. */
  readonly boot = Effect.gen({ self: this }, function* (this: DialerWorld) {
    // Between the last look at the row and the request lie microseconds: it does not stand still there.
    const process = new Process(["place"], this.seen)
    const storage = process.storage("storage", Context.get(this.#stores, Storage), this.#isStorageDown)
    const providers = {
      storage: storageProvider(Layer.succeedContext(Context.add(this.#stores, Storage, storage))),
      telephony: telephonyProvider(Layer.succeed(Carrier, this.#carrierOf(process))),
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
    return Effect.gen({ self: this }, function* (this: DialerWorld) {
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
    return process.alive && !process.isStill
  }

  /** Lets everything that is under way come to rest: reactions, orders, transactions. */
  readonly settle = Effect.gen({ self: this }, function* (this: DialerWorld) {
    // Real time bounds it, because a database may be another process.
    for (let calm = 0, until = performance.now() + maxSettleMs; calm < 12; ) {
      yield* turn
      if (performance.now() > until) throw new Error("a process does not end its work")
      // Of processes that stand still too: the storage goes on.
      const isBusy = this.#processes.some(({ busy }) => busy > 0)
      calm = isBusy ? 0 : calm + 1
    }
  })

  readonly tick = Effect.gen({ self: this }, function* (this: DialerWorld) {
    yield* this.replace
    yield* Effect.ignore(this.run(Dialer.use((dialer) => dialer.tick)))
    yield* this.settle
    yield* Effect.ignore(this.run(CallSupervisor.use((supervisor) => supervisor.tick)))
    yield* this.settle
    yield* this.replace
  })

  /** Another process is started where the present one has died or stands still. */
  readonly replace = Effect.gen({ self: this }, function* (this: DialerWorld) {
    // A process that does not reach the storage cannot start.
    if (this.isRunning() || (yield* Instant.now) < this.storageDownUntil) return
    if (!this.process.alive) this.deaths += 1
    yield* this.boot
    yield* this.settle
  })

  /** Lets time pass, with the workers at work. */
  work(seconds: number, every = 5) {
    return Effect.gen({ self: this }, function* (this: DialerWorld) {
      for (let passed = 0; passed < seconds; passed += every) {
        yield* TestClock.adjust(every * 1000)
        yield* this.tick
      }
    })
  }

  /** Delivers a report. It is repeated where the test says so, never because it was refused. */
  deliver(index: number, again: boolean) {
    return Effect.gen({ self: this }, function* (this: DialerWorld) {
      const { pending } = this.network
      if (pending.length === 0) return
      const at = index % pending.length
      const report = pending[at]!
      const heard = yield* this.run(Effect.as(Effect.ignore(CallReports.use((reports) => reports.apply(report))), true))
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
        return (yield* storage.read(store.findInAnyAccount(id))) as CampaignState
      })
    )

  readonly contacts = (id: Ids.CampaignId) =>
    this.look(
      Effect.gen(function* () {
        const storage = yield* Storage
        return yield* storage.read(listedContacts(id, { limit: 500, offset: 0 }))
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

  /** Deducts credit, with an entry in the ledger, until an account has this amount. */
  readonly spendDownTo = (tenantId: Ids.AccountId, amount: bigint) =>
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

  /** Credit and ledger at one moment. */
  readonly credit = (tenantId: Ids.AccountId) =>
    this.look(
      Effect.gen(function* () {
        const store = yield* CreditStore
        const storage = yield* Storage
        return yield* storage.transact(
          Effect.gen(function* () {
            yield* lock("account", tenantId)
            return { ...(yield* store.balance(tenantId))!, ledger: yield* store.ledgerSum(tenantId) }
          })
        )
      })
    )

  /** Campaign and list at one moment: both change under the campaign's lock alone. */
  readonly snapshotOf = (id: Ids.CampaignId) =>
    this.look(
      Effect.gen(function* () {
        const campaigns = yield* CampaignStore
        const storage = yield* Storage
        return yield* storage.transact(
          Effect.gen(function* () {
            yield* lock("campaign", id)
            return {
              campaign: (yield* campaigns.findInAnyAccount(id)) as CampaignState,
              contacts: yield* listedContacts(id, { limit: 500, offset: 0 })
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
    const world = new DialerWorld(yield* Layer.build(storage), Scope.makeUnsafe(), carrier)
    yield* world.boot
    return world
  })

/** An account with the feature, credit and one campaign with a list of numbers. */
export const prepare = (
  world: DialerWorld,
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
        yield* Campaigns.use((campaigns) =>
          campaigns.move(account.id, campaign.id, "scheduled", { id: "user:anna", name: "Anna" })
        )
        yield* Campaigns.use((campaigns) =>
          campaigns.move(account.id, campaign.id, "running", { id: "user:anna", name: "Anna" })
        )
        return { account, campaign }
      })
    )
  ).pipe(Effect.map((made) => made!))
