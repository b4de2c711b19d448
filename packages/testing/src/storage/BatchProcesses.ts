/** Processes that run batches on one database, with an endpoint that the test plays, and that is billed as a real one is. */

import { Batches, Files, Ids, Instant, read, Storage } from "@trunkline/core/effect"
import { type StorageError, UsageLogStore } from "@trunkline/core/storage"
import {
  Authentication,
  type BatchEndpoint,
  BatchEndpoints,
  BatchLines,
  BatchRunner,
  BatchSettings,
  BatchWorker,
  DirectRequests,
  Idempotency,
  Metering,
  type Principal,
  refuse,
  type Stores,
  storedJson,
  type UsageRow
} from "@trunkline/core/testing"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { uploadInput } from "../batches/UploadInput.ts"
import { FaultyProcess } from "../FaultyProcess.ts"
import { billing, credit, payer, used } from "./Metered.ts"
import * as Rows from "./Rows.ts"
import { pause } from "./Subject.ts"

export const endpoint = "/v1/chat/completions"

/** What the endpoint does with a line; its model says which. */
export type Play = "answers" | "fails" | "is full" | "refuses"

export type Edge = "storage" | "upstream"

/** What the endpoint has been asked. */
export class Lines {
  running = 0
  maxRunning = 0
  /** Milliseconds that a line takes. */
  lasts = 100
  /** The plays of each line's tries by its model; the last one is repeated. */
  readonly plays = new Map<string, ReadonlyArray<Play>>()
  readonly tries: Array<string> = []

  next(model: string): Play {
    const plays = this.plays.get(model) ?? ["answers"]
    const before = this.tries.filter((one) => one === model).length
    this.tries.push(model)
    return plays[Math.min(before, plays.length - 1)]!
  }
}

const refusals = {
  fails: () => refuse("upstream_error", { showsRequestId: true }),
  "is full": () => refuse("rate_limit_exceeded", { retryAfterSeconds: 7 }),
  refuses: () => refuse("invalid_request", { message: "No.", param: "messages" })
}

const endpointOf = (lines: Lines, metering: Metering["Service"], faulty: FaultyProcess<Edge>): BatchEndpoint =>
  Effect.fnUntraced(function* (caller, body, _bytes, store) {
    const { model } = body as { readonly model: string }
    const request = {
      id: caller.usageId,
      payer: caller.payer,
      service: "llm",
      maxCost: credit,
      leaseMs: 60_000
    } as const
    const reserved = yield* Effect.exit(metering.reserve(request))
    if (Exit.isFailure(reserved)) return yield* refuse("insufficient_credits")
    const works = Effect.gen(function* () {
      lines.running += 1
      lines.maxRunning = Math.max(lines.maxRunning, lines.running)
      yield* Effect.sleep(lines.lasts)
      return lines.next(model)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          lines.running -= 1
        })
      )
    )
    const play = yield* faulty.step("upstream", works)
    const details = used({ requestId: caller.requestId, traceId: caller.traceId })
    if (play !== "answers") {
      yield* metering.release(request, { ...details, httpStatus: 502 })
      return yield* refusals[play]()
    }
    const usage = {
      ...{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      ...{ prompt_tokens_details: { cached_tokens: 1 }, completion_tokens_details: { reasoning_tokens: 1 } }
    }
    const response = storedJson({ object: "chat.completion", model, usage })
    yield* Effect.uninterruptible(metering.settle(request, credit, details, { store: store(response) }))
    return response
  })

/** The account, and the key that its batches are made with. */
export interface Owner {
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId
  principal: Principal
}

export type Services = Batches | BatchWorker | DirectRequests | Files

interface Settings {
  readonly concurrency?: number
  readonly maxRequests?: number
  readonly windowSeconds?: number
}

/** A process of its own. */
const servicesOf = (owner: Owner, lines: Lines, faulty: FaultyProcess<Edge>, settings: Settings) => {
  const authentication = Layer.succeed(Authentication, {
    identify: () => Effect.succeed(owner.principal),
    remembered: () => null,
    // A process runs whatever batches there are, also those of other tests.
    identifyKey: (id) => Effect.sync(() => owners.get(id)!.principal),
    admit: () => Effect.void
  })
  const endpoints = Layer.effect(
    BatchEndpoints,
    Effect.map(Metering, (metering) => {
      const run = endpointOf(lines, metering, faulty)
      return { find: (name: string) => (name === endpoint ? run : null) }
    })
  )
  const storage = Layer.effect(
    Storage,
    Effect.map(Storage, (real) => faulty.storage("storage", real, Effect.succeed(false)))
  )
  const limits = { maxRequests: 50_000, concurrency: 4, windowSeconds: 86_400, ...settings }
  return Layer.merge(Batches.layer, BatchWorker.layer).pipe(
    Layer.provide(BatchRunner.layer),
    Layer.provide(BatchLines.layer),
    Layer.provideMerge(DirectRequests.layer),
    Layer.provideMerge(Files.layer),
    Layer.provide(Layer.mergeAll(authentication, endpoints, Layer.succeed(BatchSettings, limits))),
    Layer.provide(Idempotency.layer),
    Layer.provide(billing),
    Layer.provide(storage)
  )
}

/** Without faults until it gets some. */
export const quiet = (): FaultyProcess<Edge> => new FaultyProcess<Edge>([], { stalls: 0, lostCommits: 0 })

export interface Process {
  readonly context: Context.Context<Services>
  readonly faulty: FaultyProcess<Edge>
}

export const start = (owner: Owner, lines: Lines, faulty: FaultyProcess<Edge> = quiet(), settings: Settings = {}) =>
  Effect.map(
    // Not closed: one that has died would not end.
    Layer.buildWithScope(Layer.fresh(servicesOf(owner, lines, faulty, settings)), Scope.makeUnsafe()),
    (context): Process => ({ context, faulty })
  )

const owners = new Map<string, Owner>()

/** An account with credit for a number of lines. */
export const owner = (affords: bigint): Effect.Effect<Owner, unknown, Stores> =>
  Effect.map(payer(affords * credit), ({ tenantId }) => {
    const account = { ...Rows.account(), id: tenantId, plan: "pro" as const }
    const key = Rows.apiKey(tenantId, { permissions: ["llm"] })
    const made: Owner = { tenantId, keyId: key.id, principal: { tenantId, account, caller: { _tag: "Key", key } } }
    owners.set(key.id, made)
    return made
  })

export const line = (customId: string, model = customId): string =>
  JSON.stringify({ custom_id: customId, method: "POST", url: endpoint, body: { model, messages: [] } })

export const on = <A, E>({ context }: Process, program: Effect.Effect<A, E, Services>): Effect.Effect<A, E> =>
  Effect.provideContext(program, context)

/** Makes a batch of an input; returns its id in its public form. */
export const create = (of: Owner, text: string) =>
  Effect.gen(function* () {
    const { keyId, tenantId } = of
    const given = { tenantId, keyId, endpoint, labels: null, idempotency: null }
    const { response } = yield* Batches.use((batches) =>
      Effect.flatMap(uploadInput(of, text), (inputFileId) => batches.create({ ...given, inputFileId }))
    )
    return (JSON.parse(response.body) as { readonly id: string }).id
  })

/** Cancels a batch; returns it as it was answered. */
export const cancel = ({ tenantId }: Owner, id: string) =>
  Effect.andThen(
    Batches.use((batches) => batches.cancel(tenantId, id, null)),
    Batches.use((batches) => batches.get(tenantId, id))
  )

export const batchOf = ({ tenantId }: Owner, id: string) => Batches.use((batches) => batches.get(tenantId, id))

/** Real time in which fibers go on to their next step. */
const turnMs = 3
const quietTurns = 3

/** Waits until no process is at the storage: a database takes its time, which the test's clock does not know. */
const settled = (processes: ReadonlyArray<Process>) =>
  Effect.gen(function* () {
    for (let quiet = 0; quiet < quietTurns; ) {
      yield* pause(turnMs)
      quiet = processes.every(({ faulty }) => faulty.busy === 0) ? quiet + 1 : 0
    }
  })

/** Lets the processes work while time passes on the test's clock. */
export const pass = (processes: ReadonlyArray<Process>, milliseconds: number, stepMs = 250) =>
  Effect.gen(function* () {
    for (let at = 0; at < milliseconds; at += stepMs) {
      for (const process of processes) {
        yield* Effect.forkDetach(on(process, Effect.ignore(BatchWorker.use(({ tick }) => tick))))
      }
      yield* settled(processes)
      yield* TestClock.adjust(stepMs)
      yield* settled(processes)
    }
  })

/** A line of the results. */
export interface ResultLine {
  readonly id: string
  readonly custom_id: string
  readonly response: {
    readonly status_code: number
    readonly request_id: string
    readonly body: Readonly<Record<string, unknown>>
  } | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** The lines of a file of results; none where there is no file. */
export const resultsOf = ({ tenantId }: Owner, id: Ids.FileId | null) =>
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

/** Rows of the usage log that were paid for. */
export const billed = ({ tenantId }: Owner): Effect.Effect<ReadonlyArray<UsageRow>, StorageError, Stores> =>
  Effect.map(
    read(
      UsageLogStore.use((log) =>
        log.list(
          {
            ...{ tenantId, service: null, model: null, keyId: null, sessionId: null, traceId: null },
            ...{ since: Rows.at(0), before: { createdAt: Instant.never, id: Ids.as(lastId) } }
          },
          { limit: 1000, offset: 0 }
        )
      )
    ),
    (rows) => rows.filter(({ credits }) => credits > 0n)
  )

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"
