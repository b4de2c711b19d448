/** The commands of a random day of batches. */
import { Batches, type Errors, Ids, Instant } from "@trunkline/core/effect"
import type { StorageError } from "@trunkline/core/storage"
import { batchIdOf, embeddingRoute, InferenceRoutes, runJson } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { expect } from "vitest"
import { pause } from "../storage/Subject.ts"
import type { Command } from "./BatchDay.ts"
import type { Made, Memory } from "./BatchMemory.ts"
import { type BatchEndpointName, bodies } from "./BatchUpstream.ts"

type Of<T extends Command["_tag"]> = Extract<Command, { readonly _tag: T }>
type RunCommand<T extends Command["_tag"]> = (memory: Memory, given: Of<T>) => Effect.Effect<void, unknown>

/** The rate of a key, small enough for a day to reach it. */
const perMinute = 3

const inputOf = ({ customIds, endpoint, isFaulty }: Pick<Made, "customIds" | "endpoint" | "isFaulty">): string =>
  [
    ...customIds.map((id) =>
      JSON.stringify({ custom_id: id, method: "POST", url: endpoint, body: bodies[endpoint as BatchEndpointName](id) })
    ),
    ...(isFaulty ? ["{"] : [])
  ].join("\n")

type NewBatch = Parameters<Batches["Service"]["create"]>[0]

const newBatch = ({ world }: Memory, { endpoint, inputFileId, key }: Made): NewBatch => ({
  ...{ tenantId: world.tenant, keyId: world.keyId, endpoint, inputFileId, labels: null },
  idempotency: { key, fingerprint: key }
})

/** Asks for a batch by a process; again it is the same one. */
export const make = (memory: Memory, made: Made, pick: number | null): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { world } = memory
    const asked = Batches.use((batches) => batches.create(newBatch(memory, made)))
    const heard = yield* Effect.exit(pick === null ? world.observe(asked) : world.run(asked, pick))
    if (Exit.isFailure(heard) || heard.value === null) return
    const id = batchIdOf((JSON.parse(heard.value.response.body) as { readonly id: string }).id)
    if (made.id !== null) expect(id, "one Idempotency-Key makes one batch").toBe(made.id)
    made.id = id
  })

/** Uploads an input, and asks for a batch of it: by a process that may be faulty, or with null by none. */
const create = (
  memory: Memory,
  { endpoint, isFaulty, lines }: Pick<Of<"Create">, "endpoint" | "isFaulty" | "lines">,
  pick: number | null
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { made, world } = memory
    const key = `batch ${made.length}`
    const customIds = lines.map((_, n) => `${key} line ${n}`)
    for (const [n, plan] of lines.entries()) world.upstream.plans.set(customIds[n]!, plan)
    const inputFileId = yield* world.upload(inputOf({ customIds, endpoint, isFaulty }))
    const one: Made = {
      ...{ key, endpoint, inputFileId, customIds, isFaulty },
      ...{ id: null, cancelledAt: null, mayBeCancelled: false, last: null }
    }
    made.push(one)
    yield* make(memory, one, pick)
  })

const cancel = ({ made, world }: Memory, of: number, pick: number | null): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const one = made[of % Math.max(1, made.length)]
    if (one === undefined || one.id === null) return
    const id = `batch_${one.id.replaceAll("-", "")}`
    const asked = Effect.result(Batches.use((batches) => batches.cancel(world.tenant, id, null)))
    const heard = yield* pick === null ? world.observe(asked) : world.run(asked, pick)
    if (heard === null || (heard._tag === "Failure" && !isRefused(heard.failure))) one.mayBeCancelled = true
    else if (heard._tag === "Success") one.cancelledAt ??= yield* Instant.now
    else {
      const batch = (yield* world.batches).find((batch) => batch.id === one.id)
      expect(batch?.status, "what is refused a cancellation has ended").toMatch(/^(completed|expired|failed)$/)
    }
  })

const isRefused = (error: Errors.InferenceRefused | StorageError): boolean => error._tag === "InferenceRefused"

const commands: { readonly [T in Command["_tag"]]: RunCommand<T> } = {
  Create: (memory, given) => create(memory, given, given.pick),
  Cancel: (memory, { of, pick }) => cancel(memory, of, pick),
  Direct: (memory) => direct(memory),
  Pass: ({ world }, { ms }) => world.pass(ms),
  Die: ({ world }, { at, pick, steps, when }) =>
    Effect.sync(() => {
      world.processAt(pick).death = { steps, when, at }
    }),
  Stall: ({ world }, { at, pick, steps, when }) => Effect.sync(() => world.processAt(pick).stall({ steps, when, at })),
  GoOn: ({ world }, { pick }) =>
    Effect.gen(function* () {
      yield* world.noteFaults
      yield* world.processAt(pick).resume
      yield* world.settle
    }),
  Overtake: ({ world }, { at, pick, steps, when }) =>
    Effect.gen(function* () {
      world.processAt(pick).stall({ steps, when, at })
      yield* world.pass(35_000)
      yield* world.noteFaults
      yield* world.processAt(pick).resume
      yield* world.settle
      yield* world.pass(2000)
    }),
  Meanwhile: (memory, { at, cancels, ms, pick, steps, when }) =>
    Effect.gen(function* () {
      const { world } = memory
      world.processAt(pick).stall({ steps, when, at })
      yield* world.pass(ms)
      const lines = [{ plays: ["answers" as const], lasts: 400 }]
      yield* cancels
        ? Effect.forEach(memory.made, (_, of) => cancel(memory, of, null))
        : create(memory, { endpoint: "/v1/embeddings", isFaulty: false, lines }, null)
      yield* world.noteFaults
      yield* world.processAt(pick).resume
      yield* world.settle
    }),
  Stop: ({ world }, { pick }) => world.stop(pick),
  Down: ({ world }, { isDown }) =>
    Effect.andThen(
      world.noteFaults,
      Effect.sync(() => {
        world.isDown = isDown
      })
    ),
  Cut: ({ world }, { isCut, pick }) =>
    Effect.andThen(
      world.noteFaults,
      Effect.sync(() => {
        world.processAt(pick).isCut = isCut
      })
    ),
  Lose: ({ world }, { commits, pick }) =>
    Effect.sync(() => {
      world.processAt(pick).commitsToLose = commits
    })
}

export const runCommand = (memory: Memory, given: Command): Effect.Effect<void, unknown> =>
  // A command and its handler have one tag, which the compiler cannot follow through the table.
  (commands[given._tag] as RunCommand<Command["_tag"]>)(memory, given)

/** A direct request of the same key: only direct requests before it count, and it is answered while the clock stands. */
const direct = ({ direct: before, seen, world }: Memory) =>
  Effect.gen(function* () {
    const at = yield* Instant.now
    const id = yield* Ids.fresh<"Usage">()
    const got = yield* Effect.exit(world.acquire({ id, perMinute, concurrency: 1 }))
    const inWindow = before.filter((one) => one > at - Instant.minute).length
    expect(Exit.isSuccess(got), `a direct request after ${inWindow} in this minute`).toBe(inWindow < perMinute)
    if (Exit.isFailure(got)) return
    before.push(at)
    seen.direct += 1
    const asked = InferenceRoutes.use((routes) =>
      runJson(
        routes,
        embeddingRoute,
        {
          payer: { tenantId: world.tenant, plan: "pro", monthlyBudget: null, key: null },
          key: null,
          slot: { id, tenantId: world.tenant, keyId: world.keyId, isReleased: false },
          usageId: id,
          startedAt: at,
          requestId: id,
          sessionId: null,
          traceId: null
        },
        { json: { body: bodies["/v1/embeddings"]("direct"), bytes: 60 }, idempotencyKey: null }
      )
    )
    const answered = yield* Effect.raceFirst(
      Effect.exit(world.observe(asked)),
      Effect.as(pause(maxDirectMs), "still waiting" as const)
    )
    expect(answered, "a direct request is answered at once").not.toBe("still waiting")
    if (answered === "still waiting" || Exit.isSuccess(answered)) return
    expect(String(answered.cause), "why a direct request is refused").toMatch(/insufficient_credits|credit/i)
    // As its route does.
    yield* world.release(id)
  })

/** Real time, which a database may need. */
const maxDirectMs = 10_000
