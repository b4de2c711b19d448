/** One product on one storage and one network, whose processes may die at any step: what the dialer's model drives. */
import {
  AccessStore,
  type Account,
  Accounts,
  CallCare,
  CallReports,
  CallStore,
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
  type StorageLayer,
  type Stores,
  services
} from "@trunkline/core/effect"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { type FakeCarrierOptions, FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"

/** A process: its services, and whether it is still alive. */
interface Process {
  readonly context: Context.Context<Services>
  alive: boolean
  /** It dies at so many steps over its edge (a transaction, a request to the carrier) from now; null for never. */
  death: { steps: number; readonly when: "before" | "after" } | null
}

/** Everything that a dead process was doing simply never goes on. */
const forever = Effect.never

export class World {
  readonly network = new FakeNetwork()
  readonly #stores: Context.Context<Stores>
  readonly #carrier: FakeCarrierOptions
  readonly #scope: Scope.Scope
  process!: Process
  deaths = 0

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope, carrier: FakeCarrierOptions) {
    this.#stores = stores
    this.#scope = scope
    this.#carrier = carrier
  }

  /** A step over the edge: the process may die before it, or after it and before anybody hears of it. */
  #step<A, E, R>(process: Process, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      if (!process.alive) return forever
      if (process.death === null) return work
      process.death.steps -= 1
      if (process.death.steps <= 0) {
        const { when } = process.death
        process.death = null
        if (when === "before") {
          process.alive = false
          return forever
        }
        return Effect.andThen(
          Effect.exit(work),
          Effect.suspend(() => {
            process.alive = false
            return forever
          })
        )
      }
      return Effect.flatMap(Effect.exit(work), (exit) => (process.alive ? exit : forever))
    })
  }

  /** Starts a process, as after a restart: what is open is looked up rather than trusted. */
  readonly boot = Effect.gen({ self: this }, function* (this: World) {
    const process: { -readonly [K in keyof Process]: Process[K] } = {
      alive: true,
      death: null,
      context: Context.empty() as Context.Context<Services>
    }
    const real = Context.get(this.#stores, Storage)
    const storage: Storage["Service"] = {
      ready: real.ready,
      read: (program) => this.#step(process, real.read(program)),
      transact: (program) => this.#step(process, real.transact(program)),
      transactLightly: (program) => this.#step(process, real.transactLightly(program))
    }
    const whole = fakeCarrier(this.network, this.#carrier)
    const carrier: Carrier["Service"] = {
      ...whole,
      place: (permit) => this.#step(process, whole.place(permit)),
      end: (ref, answered) => this.#step(process, whole.end(ref, answered)),
      find: (ref) => this.#step(process, whole.find(ref)),
      leaveMessage: (ref, message) => this.#step(process, whole.leaveMessage(ref, message))
    }
    const plugs = {
      storage: { kind: "storage" as const, layer: Layer.succeedContext(Context.add(this.#stores, Storage, storage)) },
      telephony: { kind: "telephony" as const, layer: Layer.succeed(Carrier, carrier) },
      encryptionKey: "a key for the secrets of this test"
    }
    process.context = yield* Layer.buildWithScope(services(plugs, neutralBrand) as Layer.Layer<Services>, this.#scope)
    this.process = process
    yield* this.run(CallCare.use((care) => care.recover))
  })

  /** Runs something in the present process; null when the process dies of it. */
  run<A, E>(program: Effect.Effect<A, E, Services>): Effect.Effect<A | null, E> {
    return Effect.gen({ self: this }, function* (this: World) {
      const process = this.process
      const dead = Effect.gen(function* () {
        while (process.alive) yield* turn
        return null
      })
      return yield* Effect.raceFirst(Effect.provideContext(program, process.context), dead)
    })
  }

  /** Lets everything that is under way come to rest: reactions, orders, transactions. */
  readonly settle = Effect.gen(function* () {
    for (let i = 0; i < 12; i++) yield* turn
  })

  readonly tick = Effect.gen({ self: this }, function* (this: World) {
    yield* this.run(Dialer.use((dialer) => dialer.tick))
    yield* this.settle
    yield* this.run(CallCare.use((care) => care.tick))
    yield* this.settle
    if (!this.process.alive) {
      this.deaths += 1
      yield* this.boot
      yield* this.settle
    }
  })

  /** Lets the product hear a report; the network forgets none and may tell one again. */
  deliver(index: number, again: boolean) {
    return Effect.gen({ self: this }, function* (this: World) {
      const { pending } = this.network
      if (pending.length === 0) return
      const at = index % pending.length
      const report = pending[at]!
      const heard = yield* this.run(
        Effect.as(
          CallReports.use((reports) => reports.take(report)),
          true
        )
      )
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
            yield* store.settle(tenantId, 0n, surplus)
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
