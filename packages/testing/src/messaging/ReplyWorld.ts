/** One product on one storage, whose processes answer customers of one business number and may die at any step. */
import type { TrunklineOptions } from "@trunkline/core"
import {
  Accounts,
  type Bot,
  Bots,
  ConnectedNumbers,
  Conversations,
  Instant,
  read,
  type Services,
  Storage
} from "@trunkline/core/effect"
import {
  Carrier,
  ChatChannel,
  channelProvider,
  type Ids,
  type JsonObject,
  telephonyProvider,
  type Upstream,
  upstreamProvider
} from "@trunkline/core/provider"
import { type ConnectedNumber, ConnectedNumberStore, ReplyQueueStore, storageProvider } from "@trunkline/core/storage"
import {
  Inbound,
  neutralBrand,
  Outbox,
  ReplyWorker,
  type StorageLayer,
  type Stores,
  services,
  Vault
} from "@trunkline/core/testing"
import { decodeInbound } from "@trunkline/providers/cloud-api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import { type FaultCounts, FaultyProcess, type When } from "../FaultyProcess.ts"
import { FakeChat } from "../inference/FakeChat.ts"
import { FakeChatPlatform } from "./FakeChatPlatform.ts"
import {
  type DeliveredChange,
  inboundBody,
  inboundChange,
  inboundMessages,
  sampleBodies,
  sampleBusinessAccount,
  sampleCustomer,
  sampleNumber
} from "./InboundBodies.ts"
import { StoredReplies } from "./StoredReplies.ts"

const { inbound } = sampleBodies

/** Where a process may die: at a look or a transaction, at a request to the platform, at a run of the model. */
export type Edge = "storage" | "platform" | "model"

class Process extends FaultyProcess<Edge> {
  context: Context.Context<Services> = Context.empty() as Context.Context<Services>
}

export interface ReplyWorldOptions {
  readonly reply?: NonNullable<TrunklineOptions["messaging"]>["reply"]
  readonly checkBusinessAccount?: boolean
  readonly processes?: number
}

/** The token that nobody but the platform may see. */
export const worldToken = "EAAG-the-token-of-the-world"

/** Real time after which processes that never come to rest are not waited for. */
const maxSettleMs = 300_000

/** Looks at one instant: more means that a job is due again and again. */
const maxPasses = 60

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

export class ReplyWorld extends StoredReplies {
  readonly platform = new FakeChatPlatform()
  readonly model = new FakeChat()
  readonly processes: Array<Process> = []
  readonly #stores: Context.Context<Stores>
  readonly #scope: Scope.Scope
  readonly #options: ReplyWorldOptions
  deaths = 0
  readonly seen: FaultCounts = { stalls: 0, lostCommits: 0 }
  /** While true every step to the storage fails. */
  isDown = false
  override tenant!: Ids.AccountId
  bot!: Bot
  override phoneId!: Ids.PhoneId

  constructor(stores: Context.Context<Stores>, scope: Scope.Scope, options: ReplyWorldOptions) {
    super()
    this.#stores = stores
    this.#scope = scope
    this.#options = options
  }

  readonly #isStorageDown = Effect.sync(() => this.isDown)

  readonly #boot = Effect.gen({ self: this }, function* (this: ReplyWorld) {
    const process = new Process(["platform"], this.seen)
    const storage = process.storage("storage", Context.get(this.#stores, Storage), this.#isStorageDown)
    const platform = ChatChannel.use((whole) =>
      Effect.succeed(
        ChatChannel.of({
          ...whole,
          send: (...asked) => process.step("platform", whole.send(...asked)),
          markRead: (...asked) => process.step("platform", whole.markRead(...asked)),
          files: { ...whole.files, download: (...asked) => process.step("platform", whole.files.download(...asked)) }
        })
      )
    )
    const make = (name: string): Upstream => {
      // The fake's own provider makes one of these.
      const upstream = (this.model.provider.make as (name: string) => Upstream)(name)
      return {
        ...upstream,
        get maxMs() {
          return upstream.maxMs
        },
        capabilities: { chat: (work) => process.step("model", upstream.capabilities.chat!(work)) }
      }
    }
    const stores = this.#stores.pipe(Context.add(Storage, storage))
    const providers: TrunklineOptions = {
      storage: storageProvider(Layer.succeedContext(stores)),
      telephony: telephonyProvider(Layer.succeed(Carrier, fakeCarrier(new FakeNetwork()))),
      encryptionKey: "a key for the secrets of this test",
      messaging: {
        platform: channelProvider(Layer.provide(Layer.effect(ChatChannel, platform), this.platform.layer)),
        ...(this.#options.checkBusinessAccount === undefined
          ? {}
          : { checkBusinessAccount: this.#options.checkBusinessAccount }),
        ...(this.#options.reply === undefined ? {} : { reply: this.#options.reply })
      },
      models: { upstreams: { fake: upstreamProvider(make) }, routes: { "*": { upstream: "fake" } } }
    }
    const layer = services(providers, neutralBrand) as Layer.Layer<Services>
    process.context = yield* Layer.buildWithScope(layer, this.#scope)
    yield* this.#decryptTokens(process)
    return process
  })

  /** Decrypting takes real time, which `settle` knows nothing of: every process has the numbers' tokens decrypted beforehand. */
  #decryptTokens(process: Process): Effect.Effect<void> {
    const { decrypt } = Context.get(process.context, Vault)
    const stored = read(ConnectedNumberStore.use((store) => store.tokens(null, 1000, "")))
    return this.look(
      Effect.flatMap(stored, (rows) =>
        Effect.forEach(rows, ({ token }) => (token === "" ? Effect.void : decrypt(token)), { discard: true })
      )
    )
  }

  readonly boot = Effect.map(this.#boot, (process) => void this.processes.push(process))

  /** Runs something in a process that lives; it may die of it or stand still over it, and then nobody hears the answer: null. */
  run<A, E>(program: Effect.Effect<A, E, Services>, which = 0): Effect.Effect<A | null, E> {
    return Effect.gen({ self: this }, function* (this: ReplyWorld) {
      const process = this.processes[which % this.processes.length]!
      const silent = Effect.gen(function* () {
        while (process.alive && !process.isStill) yield* turn
        return null
      })
      // What must not be interrupted never ends in a process that is dead, and nobody waits for it.
      const running = yield* Effect.forkIn(Effect.provideContext(program, process.context), this.#scope)
      return yield* Effect.raceFirst(Fiber.join(running), silent)
    })
  }

  /** Looks at the storage from outside any process. */
  override look<A, E, R extends Stores>(program: Effect.Effect<A, E, R>) {
    return Effect.orDie(Effect.provideContext(program as Effect.Effect<A, E, Stores>, this.#stores))
  }

  /** The process will die after this number of steps. */
  crashAfter(steps: number, when: When, at: Edge | null = null, which = 0): void {
    this.processes[which % this.processes.length]!.death = { steps, when, at }
  }

  /** Puts a new process in the place of each that is dead. None can start without its storage. */
  readonly revive = Effect.gen({ self: this }, function* (this: ReplyWorld) {
    if (this.isDown) return
    for (const [at, { alive }] of this.processes.entries()) {
      if (alive) continue
      this.deaths += 1
      this.processes[at] = yield* this.#boot
    }
  })

  /** Every process lives, goes on and has its storage. */
  readonly clearFaults = Effect.gen({ self: this }, function* (this: ReplyWorld) {
    this.isDown = false
    yield* this.revive
    for (const process of this.processes) yield* process.clearFaults
    yield* this.settle
    yield* this.revive
  })

  /** Until nothing goes on but what waits for the clock, for a model or for the platform. */
  readonly settle = Effect.gen({ self: this }, function* (this: ReplyWorld) {
    // Real time bounds it, because a database may be another process.
    for (let calm = 0, until = performance.now() + maxSettleMs; calm < 8; ) {
      yield* turn
      if (performance.now() > until) throw new Error("a process does not end its work")
      calm = this.processes.some(({ alive, busy, isStill }) => alive && !isStill && busy > 0) ? 0 : calm + 1
    }
  })

  /** One tick of one process's reply worker; returns how many jobs it began. */
  tick(which = 0): Effect.Effect<number> {
    return Effect.gen({ self: this }, function* (this: ReplyWorld) {
      const begun = yield* Effect.orElseSucceed(
        this.run(
          ReplyWorker.use((replies) => replies.tick),
          which
        ),
        () => 0
      )
      yield* this.settle
      return begun ?? 0
    })
  }

  readonly #nextDue = Effect.suspend(() => this.read(ReplyQueueStore.use((queue) => queue.nextDue())))

  /** Lets the processes do all that is to be done at this instant, side by side. */
  readonly rest: Effect.Effect<void> = Effect.gen({ self: this }, function* (this: ReplyWorld) {
    yield* this.settle
    for (let passes = 0; passes < maxPasses; passes++) {
      const due = yield* this.#nextDue
      if (due === null || due > (yield* Instant.now)) return
      const alive = [...this.processes.keys()].filter((which) => {
        const { alive, isStill } = this.processes[which]!
        return alive && !isStill
      })
      const begun = yield* Effect.all(
        alive.map((which) => this.tick(which)),
        { concurrency: "unbounded" }
      )
      if (begun.every((jobs) => jobs === 0)) return
    }
    throw new Error("the reply queue finds no rest: a job is due again and again")
  })

  /** A living process with a job in progress. */
  readonly working = (): Process | undefined =>
    this.processes.find(
      ({ alive, context, isStill }) => alive && !isStill && Context.get(context, ReplyWorker).running() > 0
    )

  /** Lets time pass, with every process at work: they tick when a job is due, and every so often while they are working. */
  pass(milliseconds: number, step = 500): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* (this: ReplyWorld) {
      const until = (yield* Instant.now) + milliseconds
      yield* this.rest
      for (;;) {
        const at = yield* Instant.now
        if (at >= until) return
        const due = yield* this.#nextDue
        // What sleeps in a process wakes in its order only in small steps.
        const soon = this.working() === undefined ? until : at + step
        yield* TestClock.adjust(Math.max(1, Math.min(until, soon, due !== null && due > at ? due : until) - at))
        yield* this.rest
      }
    })
  }

  /** Time passes and nobody does anything. */
  readonly jump = (milliseconds: number) => TestClock.adjust(milliseconds)

  /** A delivery; null when the process died of it. */
  deliver(body: unknown, which = 0) {
    return this.run(
      Inbound.use((inbox) =>
        inbox.receive({ channel: "cloud-api", batches: decodeInbound(JSON.parse(JSON.stringify(body))) })
      ),
      which
    ).pipe(Effect.tap(() => this.settle))
  }

  /** Messages of the sample customer's, in one delivery. */
  writes(...texts: ReadonlyArray<string>) {
    return this.deliver(inboundMessages(...texts.map((text) => this.text(text))))
  }

  /** A text of a customer's, as the platform delivers it, now. */
  text(body: string, more: JsonObject = {}) {
    return inbound.text(body, { timestamp: this.second, ...more })
  }

  delivers(...changes: ReadonlyArray<DeliveredChange>) {
    return this.deliver(inboundBody(changes.map(inboundChange)))
  }

  /** The present second, as the platform writes it. */
  get second(): string {
    return String(Math.floor(this.#now() / 1000))
  }

  #now: () => number = () => 0

  /** Has the clock at hand for what is made in code. */
  readonly watch = Effect.clockWith((clock) =>
    Effect.sync(() => {
      this.#now = () => clock.currentTimeMillisUnsafe()
    })
  )

  readonly found = Effect.gen({ self: this }, function* (this: ReplyWorld) {
    const account = yield* this.run(
      Accounts.use((accounts) => accounts.create({ name: "World", plan: "enterprise", voiceCampaigns: false }))
    )
    this.tenant = account!.id
    const bot = yield* this.run(
      Bots.use((bots) =>
        bots.create(this.tenant, {
          name: "Agent",
          type: "messaging",
          systemPrompt: "You sell tea.",
          isActive: true,
          config: {}
        })
      )
    )
    this.bot = bot!
    this.phoneId = yield* this.connect(sampleNumber)
    yield* this.link(this.bot.id)
  })

  /** Connects a number, which no agent answers. */
  connect(number: Pick<ConnectedNumber, "phoneNumberId" | "displayPhoneNumber">) {
    const token = Redacted.make(worldToken)
    const inboundPath = "/api/v1/messaging/inbound"
    this.platform.owns(sampleBusinessAccount, number.phoneNumberId)
    const connection = { ...number, businessAccountId: sampleBusinessAccount, token, inboundPath }
    return this.run(ConnectedNumbers.use((numbers) => numbers.connect(this.tenant, connection))).pipe(
      Effect.tap(() => Effect.forEach(this.processes, (process) => this.#decryptTokens(process), { discard: true })),
      Effect.map((connected) => connected!.number.id)
    )
  }

  link(botId: Ids.BotId | null) {
    return this.run(ConnectedNumbers.use((numbers) => numbers.linkBot(this.tenant, this.phoneId, botId)))
  }

  switchNumber(aiAutoreplyEnabled: boolean) {
    return this.run(
      ConnectedNumbers.use((numbers) => numbers.change(this.tenant, this.phoneId, { aiAutoreplyEnabled }))
    )
  }

  changeBot(change: Partial<Pick<Bot, "systemPrompt" | "isActive" | "config">>) {
    return this.run(Bots.use((bots) => bots.change(this.tenant, this.bot.id, change)))
  }

  /** A person takes a customer's conversation over, or hands it back. */
  setTakeover(isOver = true, phone: string = sampleCustomer.phone) {
    return Effect.gen({ self: this }, function* (this: ReplyWorld) {
      const { conversationId } = yield* this.customer(phone)
      return yield* this.run(
        Conversations.use((conversations) =>
          conversations.change(this.tenant, conversationId, { aiAutoreplyEnabled: !isOver }, "operator")
        )
      )
    })
  }

  /** Names of all events, oldest first. */
  readonly events = Effect.suspend(() =>
    Effect.map(Effect.orDie(this.run(Outbox.use((outbox) => outbox.read(null, 10_000)))), (all) => all ?? [])
  )

  /** What went out to a customer, in the platform's order. */
  texts(to: string = sampleCustomer.phone): ReadonlyArray<string> {
    return this.platform.texts(to)
  }

  /** What the customer's side of each run of the model was. */
  get asked(): ReadonlyArray<ReadonlyArray<string>> {
    return this.model.works.map(({ messages }) =>
      messages.flatMap((message) => (message.role === "user" ? [message.text] : []))
    )
  }
}

/** A world on a fresh storage, with an account, an agent, a number that is linked to it, and its processes. */
export const makeReplyWorld = (storage: StorageLayer, options: ReplyWorldOptions = {}) =>
  Effect.gen(function* () {
    // The scope of processes is never closed: a dead process does not clean up after itself.
    const world = new ReplyWorld(yield* Layer.build(storage), Scope.makeUnsafe(), options)
    yield* world.watch
    yield* world.boot
    yield* world.found
    while (world.processes.length < (options.processes ?? 1)) yield* world.boot
    return world
  })
