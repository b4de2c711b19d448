/**
 * A stage for scenarios: the product's real services on one storage, a telephone network that does what the test says,
 * and a clock that jumps to the next instant at which the workers have something to do. Nothing sleeps.
 */
import type { TrunklineOptions } from "@trunkline/core"
import {
  Accounts,
  Calls,
  CampaignContacts,
  Campaigns,
  Instant,
  LiveView,
  type NewCall,
  Numbers,
  type Services,
  Storage,
  Suppression
} from "@trunkline/core/effect"
import {
  type CallNews,
  type CallReport,
  Carrier,
  type CarrierTraits,
  type FinalStatus,
  type Ids,
  type NamedCall,
  telephonyProvider,
  type VoicemailMessage
} from "@trunkline/core/provider"
import {
  CallStore,
  CallSupervisionStore,
  CampaignContactStore,
  CampaignStore,
  CreditStore,
  OutboxStore,
  StorageError,
  storageProvider
} from "@trunkline/core/storage"
import {
  CallPlacer,
  CallReports,
  type CallStatus,
  CallSupervisor,
  type CampaignFields,
  type CampaignStatus,
  Dialer,
  neutralBrand,
  Outbox,
  type StorageLayer,
  type Stores,
  services
} from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import {
  type CarrierCall,
  type CarrierRequest,
  type FakeCarrierOptions,
  FakeNetwork,
  fakeCarrier
} from "../FakeCarrier.ts"
import { listedContacts } from "../ListedContacts.ts"

export interface StageOptions {
  /** What the carrier does with orders, and its traits. */
  readonly carrier?: FakeCarrierOptions
  /** Replaces single requests of the carrier: a time-out, a refusal with a wait. */
  readonly line?: (whole: Carrier["Service"], network: FakeNetwork) => Partial<Carrier["Service"]>
  /** What the host decides. */
  readonly host?: Partial<TrunklineOptions>
  /** Why this scenario is known to fail. Once it is fixed the test fails, and this goes. */
  readonly broken?: string
  /** Where the clock starts. Default: noon in India on a common Saturday. */
  readonly starts?: string
}

/** Something that one of the product's services is asked to do. */
export type Attempt = Effect.Effect<unknown, unknown, Services>

/** A process: its services, and whether it is still alive. */
interface Process {
  readonly context: Context.Context<Services>
  readonly died: Deferred.Deferred<null>
  alive: boolean
  /** It stands still after this number of further steps over the edge, until `goesOn`. */
  stalled: { steps: number; readonly goesOn: Deferred.Deferred<void> } | null
}

/** What a real carrier is like: it sets a start rate, needs a caller number, and proves nothing at once. */
export const realTraits: Partial<CarrierTraits> = {
  needsCaller: true,
  proof: { lookUps: 3, overMs: 2 * Instant.minute }
}

const away = new StorageError({ reason: "unavailable", detail: "the stage says so" })

/** One turn of the event loop: storages and fibers that wait for it go on. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Long enough for an order, the carrier's answer, the reaction to it and the transactions of all three. */
const turnsToRest = 12

/** Passes at one instant: more means that the workers find work which they never get done. */
const passesToRest = 40

export class Stage {
  readonly network = new FakeNetwork()
  readonly #stores: Context.Context<Stores>
  readonly #options: StageOptions
  readonly #scope: Scope.Scope
  #process!: Process
  readonly #others: Array<Process> = []
  /** The account whose campaigns are on stage. */
  tenant!: Ids.AccountId
  /** While true the network's reports are kept back. */
  muted = false
  /** Numbers whose calls the carrier does not end when it is asked to: the callee was faster, or it is slow. */
  readonly stubborn = new Set<string>()
  /** While true no event can be written: the storage refuses it. */
  breakEvents = false
  /** Campaigns whose list fails when it is read, as a defect in one row would make it. */
  readonly broken = new Set<Ids.CampaignId>()
  /** While true no process reaches the storage. */
  isDown = false
  /** While true a message takes its time: the call goes on until somebody ends it. */
  slowMessages = false
  /** The process dies at the next commit: the work is done, and nobody hears of it. */
  #diesAtCommit = false

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope, options: StageOptions) {
    this.#stores = stores
    this.#scope = scope
    this.#options = options
  }

  // --- processes -----------------------------------------------------------------------------------------------------

  /** A step over the process's edge is not taken, or not heard of, by a process that is dead. */
  #edge<A, E, R>(process: Process, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const step = Effect.suspend(() =>
      process.alive ? Effect.flatMap(Effect.exit(work), (exit) => (process.alive ? exit : Effect.never)) : Effect.never
    )
    return Effect.suspend(() =>
      process.stalled === null || process.stalled.steps-- > 0
        ? step
        : Effect.andThen(Deferred.await(process.stalled.goesOn), step)
    )
  }

  /** The storage over the process's edge. */
  #storageOf(process: Process): Storage["Service"] {
    const real = Context.get(this.#stores, Storage)
    const committed = Effect.suspend(() => {
      if (!this.#diesAtCommit) return Effect.void
      this.#diesAtCommit = false
      return this.kill
    })
    const reached = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      this.#edge(
        process,
        Effect.suspend((): Effect.Effect<A, E | StorageError, R> => (this.isDown ? Effect.fail(away) : work))
      )
    return {
      ready: reached(real.ready),
      durable: reached(real.durable),
      read: (program) => reached(real.read(program)),
      transact: (program) => reached(Effect.tap(real.transact(program), committed)),
      transactWith: (options) => (program) => reached(Effect.tap(real.transactWith(options)(program), committed))
    }
  }

  /** The stores as a process reaches them, with the faults that the test has set. */
  #storesOf(process: Process): Context.Context<Stores> {
    const outbox = Context.get(this.#stores, OutboxStore)
    const events: OutboxStore["Service"] = {
      ...outbox,
      append: (added) =>
        this.breakEvents
          ? Effect.fail(new StorageError({ reason: "full", detail: "the stage says so" }))
          : outbox.append(added)
    }
    const lists = Context.get(this.#stores, CampaignContactStore)
    const contacts: CampaignContactStore["Service"] = {
      ...lists,
      due: (id, at, limit) =>
        this.broken.has(id) ? Effect.die(new Error(`the stage breaks ${id}`)) : lists.due(id, at, limit)
    }
    return this.#stores.pipe(
      Context.add(Storage, this.#storageOf(process)),
      Context.add(OutboxStore, events),
      Context.add(CampaignContactStore, contacts)
    )
  }

  /** The carrier as a process reaches it, with the faults that the test has set. */
  #carrierOf(process: Process): Carrier["Service"] {
    const fake = fakeCarrier(this.network, this.#options.carrier)
    const whole = { ...fake, ...this.#options.line?.(fake, this.network) }
    return {
      ...whole,
      place: (permit) => this.#edge(process, whole.place(permit)),
      end: (ref, options) =>
        this.#edge(process, this.stubborn.has(ref.to) ? this.#unheeded("end", ref) : whole.end(ref, options)),
      find: (ref) => this.#edge(process, whole.find(ref)),
      leaveMessage: (ref, message) =>
        this.#edge(process, this.slowMessages ? this.#playing(ref, message) : whole.leaveMessage(ref, message))
    }
  }

  /** Starts a process, as after a restart: what is open is looked up rather than trusted. */
  readonly start: Effect.Effect<void> = Effect.gen({ self: this }, function* (this: Stage) {
    const process: { -readonly [K in keyof Process]: Process[K] } = {
      alive: true,
      stalled: null,
      died: yield* Deferred.make<null>(),
      context: Context.empty() as Context.Context<Services>
    }
    const options: TrunklineOptions = {
      encryptionKey: "a key for the secrets of this test",
      ...this.#options.host,
      storage: storageProvider(Layer.succeedContext(this.#storesOf(process))),
      telephony: telephonyProvider(Layer.succeed(Carrier, this.#carrierOf(process)))
    }
    const layer = services(options, neutralBrand) as Layer.Layer<Services>
    process.context = yield* Layer.buildWithScope(layer, this.#scope)
    this.#process = process
    yield* this.run(CallSupervisor.use((supervisor) => supervisor.recover))
  }).pipe(Effect.orDie)

  /** The carrier hears the request, and nothing comes of it yet. */
  #unheeded(kind: CarrierRequest["kind"], ref: NamedCall): Effect.Effect<CallReport | null> {
    return Effect.map(Instant.now, (at) => {
      this.network.log.push({ kind, at, callId: ref.callId, to: ref.to })
      const call = this.network.named(ref.providerCallId)
      return call === undefined ? null : this.network.record(call)
    })
  }

  #playing(ref: NamedCall, message: VoicemailMessage): Effect.Effect<void> {
    return Effect.map(this.#unheeded("message", ref), () => {
      this.network.calls.get(ref.callId)!.message = message
    })
  }

  /** The process is gone: whatever it was doing never goes on, and it cleans up nothing. */
  readonly kill: Effect.Effect<void> = Effect.suspend(() => {
    this.#process.alive = false
    return Deferred.succeed(this.#process.died, null)
  })

  /** The process will die right after its next commit. */
  readonly killAtNextCommit: Effect.Effect<void> = Effect.sync(() => {
    this.#diesAtCommit = true
  })

  /** The process stands still after this number of further steps, as one that gets no processor time; its answer lets it go on. */
  readonly stall = (steps = 0): Effect.Effect<Effect.Effect<void>> =>
    Effect.gen({ self: this }, function* (this: Stage) {
      const [process, goesOn] = [this.#process, yield* Deferred.make<void>()]
      process.stalled = { steps, goesOn }
      return Effect.suspend(() => {
        process.stalled = null
        return Effect.asVoid(Deferred.succeed(goesOn, undefined))
      })
    })

  get isAlive(): boolean {
    return this.#process.alive
  }

  /** Another process beside this one, on the same storage and network. Whatever the test does is done by this one. */
  readonly second: Effect.Effect<void> = Effect.gen({ self: this }, function* (this: Stage) {
    const first = this.#process
    yield* this.start
    this.#others.push(this.#process)
    this.#process = first
  })

  /** Runs something in the other process. */
  elsewhere<A, E>(program: Effect.Effect<A, E, Services>): Effect.Effect<A, E> {
    return Effect.suspend(() => Effect.provideContext(program, this.#others[0]!.context))
  }

  readonly restart: Effect.Effect<void> = Effect.suspend(() => Effect.andThen(this.kill, this.start))

  /** Runs something in the present process. */
  run<A, E>(program: Effect.Effect<A, E, Services>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const { context, died } = this.#process
      const dead = Effect.andThen(Deferred.await(died), Effect.die(new Error("the process died of it")))
      return Effect.raceFirst(Effect.provideContext(program, context), dead)
    })
  }

  /** Runs something that must fail, and answers with the failure. */
  fails<A, E>(program: Effect.Effect<A, E, Services>): Effect.Effect<E> {
    return Effect.catch(Effect.flip(this.run(program)), (value) =>
      Effect.die(new Error(`it succeeded: ${JSON.stringify(value)}`))
    )
  }

  /** Looks at the storage from outside any process. */
  look<A, E>(program: Effect.Effect<A, E, Stores>): Effect.Effect<A, E> {
    return Effect.provideContext(program, this.#stores)
  }

  // --- time ----------------------------------------------------------------------------------------------------------

  readonly #settle = Effect.gen(function* () {
    for (let i = 0; i < turnsToRest; i++) yield* turn
  })

  /** Delivers what the network has to tell, in the order in which it happened. */
  readonly deliver: Effect.Effect<void> = Effect.gen({ self: this }, function* (this: Stage) {
    while (this.network.pending.length > 0 && this.isAlive) {
      const report = this.network.pending.shift()!
      yield* Effect.orDie(this.run(CallReports.use((reports) => reports.apply(report))))
      yield* this.#settle
    }
  })

  readonly #nextDue: Effect.Effect<number | null> = Effect.suspend(() =>
    Effect.orDie(
      this.look(
        Effect.gen(function* () {
          const storage = yield* Storage
          const campaigns = yield* CampaignStore
          const calls = yield* CallSupervisionStore
          const due = [yield* storage.read(campaigns.nextDue), yield* storage.read(calls.nextCheck)].filter(
            (at) => at !== null
          )
          return due.length === 0 ? null : Math.min(...due)
        })
      )
    )
  )

  /** One pass of each worker, as `Workers` makes them. */
  readonly pass: Effect.Effect<void> = Effect.gen({ self: this }, function* (this: Stage) {
    if (!this.isAlive) return
    const tickEverywhere = (tick: Effect.Effect<unknown, unknown, Services>) => {
      const others = this.#others.map(({ context }) => Effect.provideContext(tick, context))
      const all = Effect.orDie(Effect.all([this.run(tick), ...others], { concurrency: "unbounded", discard: true }))
      return Effect.catchDefect(all, (defect) => (this.isAlive ? Effect.die(defect) : Effect.void))
    }
    yield* tickEverywhere(Dialer.use((dialer) => dialer.tick))
    yield* this.#settle
    yield* tickEverywhere(CallSupervisor.use((supervisor) => supervisor.tick))
    yield* this.#settle
    if (!this.muted) yield* this.deliver
  })

  /** Lets the workers do all that is to be done at this instant. */
  readonly rest: Effect.Effect<void> = Effect.gen({ self: this }, function* (this: Stage) {
    for (let passes = 0; passes < passesToRest; passes++) {
      yield* this.pass
      if (!this.isAlive) return
      const due = yield* this.#nextDue
      if ((due === null || due > (yield* Instant.now)) && (this.muted || this.network.pending.length === 0)) return
    }
    throw new Error("the workers find no rest: something is due again and again")
  })

  /** Lets time pass, with the workers at work: they wake when something is due. */
  readonly wait = (milliseconds: number): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* (this: Stage) {
      const until = (yield* Instant.now) + milliseconds
      yield* this.rest
      for (;;) {
        const at = yield* Instant.now
        if (at >= until) return
        // An order that waits for its start slot wakes by itself; the database does not say when.
        const soon = (yield* this.#ordersUnderWay) ? at + 50 : until
        const next = this.isAlive ? Math.min(until, soon, (yield* this.#nextDue) ?? until) : until
        yield* TestClock.adjust(Math.max(next - at, 1))
        yield* this.rest
      }
    })

  readonly waitUntil = (iso: string): Effect.Effect<void> =>
    Effect.flatMap(Instant.now, (at) => this.wait(instant(iso) - at))

  /** Lets time pass in small steps and does nothing: for processes whose own workers run. */
  readonly elapse = (milliseconds: number, step = 100): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* (this: Stage) {
      for (let passed = 0; passed < milliseconds; passed += step) {
        yield* TestClock.adjust(Math.min(step, milliseconds - passed))
        yield* this.#settle
      }
    })

  readonly #ordersUnderWay: Effect.Effect<boolean> = Effect.gen({ self: this }, function* (this: Stage) {
    if (!this.isAlive) return false
    const calls = yield* this.calls()
    const placer = Context.get(this.#process.context, CallPlacer)
    return calls.some(({ endedAt, id }) => endedAt === null && placer.isUnderWay(id))
  })

  // --- the account's side ----------------------------------------------------------------------------------------------

  /** A draft with a list. Its window is always open unless the fields say otherwise. */
  readonly draft = (fields: CampaignFields, phones: ReadonlyArray<string>): Effect.Effect<Ids.CampaignId> =>
    Effect.gen({ self: this }, function* (this: Stage) {
      const { id } = yield* this.run(
        Campaigns.use((campaigns) =>
          campaigns.create(this.tenant, {
            name: "Scenario",
            timezone: "UTC",
            quietHoursStart: 0,
            quietHoursEnd: 24,
            ...fields
          })
        )
      )
      yield* this.add(id, phones)
      return id
    }).pipe(Effect.orDie)

  /** A running campaign; nothing has been dialed yet. */
  readonly running = (fields: CampaignFields, phones: ReadonlyArray<string>): Effect.Effect<Ids.CampaignId> =>
    Effect.gen({ self: this }, function* (this: Stage) {
      const id = yield* this.draft(fields, phones)
      yield* this.move(id, "scheduled")
      yield* this.move(id, "running")
      return id
    })

  readonly add = (id: Ids.CampaignId, phones: ReadonlyArray<string>) =>
    Effect.orDie(
      this.run(
        CampaignContacts.use((contacts) =>
          contacts.add(
            this.tenant,
            id,
            phones.map((phone) => ({ phone, name: null }))
          )
        )
      )
    )

  readonly move = (id: Ids.CampaignId, to: CampaignStatus) =>
    Effect.orDie(
      this.run(Campaigns.use((campaigns) => campaigns.move(this.tenant, id, to, { id: "user:anna", name: "Anna" })))
    )

  readonly change = (id: Ids.CampaignId, fields: CampaignFields) =>
    Effect.orDie(this.run(Campaigns.use((campaigns) => campaigns.change(this.tenant, id, fields))))

  readonly approve = (id: Ids.CampaignId, phone: string) =>
    Effect.gen({ self: this }, function* (this: Stage) {
      const contact = yield* this.contact(id, phone)
      return yield* this.run(
        CampaignContacts.use((contacts) =>
          contacts.approve(this.tenant, id, contact.id, { id: "user:anna", name: "Anna" })
        )
      )
    })

  readonly suppress = (...phones: ReadonlyArray<string>) =>
    Effect.orDie(
      this.run(
        Suppression.use((list) =>
          list.add(
            this.tenant,
            phones.map((phone) => ({ phone, reason: null }))
          )
        )
      )
    )

  /** A person hangs up, through the telephony API. */
  readonly hangUp = (phone: string) =>
    Effect.gen({ self: this }, function* (this: Stage) {
      const { id } = yield* this.call(phone)
      const call = yield* Effect.orDie(this.run(Calls.use((calls) => calls.hangUp(this.tenant, id))))
      yield* this.rest
      return call
    })

  /** Places a call through the telephony API. */
  readonly dial = (to: string, more: Partial<Omit<NewCall, "to">> = {}) =>
    this.run(Calls.use((calls) => calls.create(this.tenant, { to, fromNumberId: null, botId: null, ...more })))

  /** Leaves the account so much free credit, in nano-credits. */
  readonly leaveCredit = (free: bigint) =>
    Effect.orDie(
      this.look(
        Effect.gen({ self: this }, function* (this: Stage) {
          const store = yield* CreditStore
          const storage = yield* Storage
          yield* storage.transact(
            Effect.gen({ self: this }, function* (this: Stage) {
              const { balance, reserved } = (yield* store.balance(this.tenant))!
              const more = free - (balance - reserved)
              yield* more < 0n
                ? store.settle(this.tenant, { reserved: 0n, charge: -more })
                : store.add(this.tenant, more)
            })
          )
        })
      )
    )

  readonly template = (text: string) =>
    Effect.orDie(
      this.run(Numbers.use((numbers) => numbers.addTemplate(this.tenant, { name: "Template", text, audioUrl: null })))
    )

  readonly live = (id: Ids.CampaignId) => Effect.orDie(this.run(LiveView.use((view) => view.of(this.tenant, id))))

  // --- what is there -----------------------------------------------------------------------------------------------------

  readonly campaign = (id: Ids.CampaignId) =>
    Effect.orDie(
      this.look(
        Effect.gen(function* () {
          const store = yield* CampaignStore
          return (yield* (yield* Storage).read(store.findInAnyAccount(id)))!
        })
      )
    )

  readonly contacts = (id: Ids.CampaignId) =>
    Effect.orDie(
      this.look(
        Effect.gen(function* () {
          return yield* (yield* Storage).read(listedContacts(id, { limit: 500, offset: 0 }))
        })
      )
    )

  readonly contact = (id: Ids.CampaignId, phone: string) =>
    Effect.map(this.contacts(id), (all) => {
      const found = all.find((contact) => contact.phone === phone)
      if (found === undefined) throw new Error(`${phone} is not on the list`)
      return found
    })

  /** Every call of the account, oldest first. */
  readonly calls = (status: CallStatus | null = null) =>
    Effect.orDie(
      this.look(
        Effect.gen({ self: this }, function* (this: Stage) {
          const store = yield* CallStore
          const filter = { campaignId: null, contactId: null, status }
          const found = yield* (yield* Storage).read(store.list(this.tenant, filter, { limit: 500, offset: 0 }))
          return [...found].reverse()
        })
      )
    )

  /** The latest call to a number. */
  readonly call = (phone: string) =>
    Effect.map(this.calls(), (all) => {
      const found = all.findLast(({ to }) => to === phone)
      if (found === undefined) throw new Error(`${phone} was never called`)
      return found
    })

  readonly credits = Effect.suspend(() =>
    Effect.orDie(
      this.look(
        Effect.gen({ self: this }, function* (this: Stage) {
          const store = yield* CreditStore
          return (yield* (yield* Storage).read(store.balance(this.tenant)))!
        })
      )
    )
  )

  /** Every committed event, oldest first. */
  readonly events = Effect.suspend(() => Effect.orDie(this.run(Outbox.use((outbox) => outbox.read(null, 1000)))))

  /** The names of the events about a campaign or a call, oldest first. */
  readonly eventNames = (about: { readonly id: string }) =>
    Effect.map(this.events, (all) =>
      all
        .filter(({ data }) => (data.campaign_id === about.id && data.id === undefined) || data.id === about.id)
        .map(({ event }) => event)
    )

  /** The numbers that the carrier was asked to call, in order. */
  get dialed(): ReadonlyArray<string> {
    return this.network.log.filter(({ kind }) => kind === "place").map(({ to }) => to)
  }

  /** When the carrier was asked to call, as the ISO form of the instant. */
  get dialedAt(): ReadonlyArray<string> {
    return this.network.log.filter(({ kind }) => kind === "place").map(({ at }) => Instant.toIso(at))
  }

  // --- the network's side --------------------------------------------------------------------------------------------

  /** The latest call to a number at the network. */
  line(phone: string): CarrierCall {
    const found = [...this.network.calls.values()].findLast(({ order }) => order.to === phone)
    if (found === undefined) throw new Error(`the network knows no call to ${phone}`)
    return found
  }

  #happens(act: (at: Instant.Instant) => void): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* (this: Stage) {
      act(yield* Instant.now)
      yield* this.rest
    })
  }

  readonly ring = (phone: string) => this.#happens((at) => this.network.ring(this.line(phone), at))

  readonly answer = (phone: string, by: "human" | "machine" | "unknown" = "human") =>
    this.#happens((at) => this.network.answer(this.line(phone), by, at))

  #report(phone: string, news: CallNews, at: Instant.Instant): void {
    const { order, providerCallId } = this.line(phone)
    this.network.pending.push({ callId: order.callId, providerCallId, at, news })
  }

  /** The network reports something of a call by itself, whatever the call is really like. */
  readonly report = (phone: string, news: CallNews) => this.#happens((at) => this.#report(phone, news, at))

  /** The same, and the process dies when it has written the news down. */
  readonly reportAndDie = (phone: string, news: CallNews) =>
    Effect.gen({ self: this }, function* (this: Stage) {
      this.#report(phone, news, yield* Instant.now)
      yield* this.killAtNextCommit
      yield* Effect.exit(this.deliver)
    })

  /** Somebody picks up, and detection has not spoken yet. */
  readonly answerUndetected = (phone: string) =>
    Effect.gen({ self: this }, function* (this: Stage) {
      const line = this.line(phone)
      line.rang = true
      line.status = "in_progress"
      line.answeredAt = yield* Instant.now
      yield* this.report(phone, { _tag: "Answered" })
    })

  readonly detect = (phone: string, answeredBy: "human" | "machine" | "unknown") =>
    this.report(phone, { _tag: "Detected", answeredBy })

  /** The reports of what happens meanwhile never arrive. */
  readonly losing = (happening: Effect.Effect<void>) =>
    Effect.gen({ self: this }, function* (this: Stage) {
      this.muted = true
      yield* happening
      this.network.pending.length = 0
      this.muted = false
    })

  /** The network ends the call; the callee hangs up where it was answered. */
  readonly end = (phone: string, status: FinalStatus = "completed") =>
    this.#happens((at) => this.network.end(this.line(phone), status, "remote", at))

  /** Rings, is answered, lasts for `seconds`, and the callee hangs up. */
  readonly completeCall = (phone: string, seconds: number) =>
    Effect.gen({ self: this }, function* (this: Stage) {
      yield* this.answer(phone)
      yield* this.wait(seconds * Instant.second)
      yield* this.end(phone)
    })
}

export const instant = (iso: string): Instant.Instant => {
  const at = Instant.parse(iso)
  if (at === undefined) throw new Error(`${iso} is no instant`)
  return at
}

/** A stage on a fresh storage, with an account that has the feature and its first credit. */
export const makeStage = (storage: StorageLayer, options: StageOptions = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(instant(options.starts ?? "2026-11-21T12:00:00+05:30"))
    // The scope of processes is never closed: a dead process does not clean up after itself.
    const stage = new Stage(yield* Layer.build(storage), Scope.makeUnsafe(), options)
    yield* stage.start
    const account = yield* stage.run(
      Accounts.use((accounts) => accounts.create({ name: "Stage", plan: "free", voiceCampaigns: true }))
    )
    stage.tenant = account.id
    return stage
  })
