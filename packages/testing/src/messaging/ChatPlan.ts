/** Two processes with the last conversation of a plan: docs/reference/plans.md#conversations. */

import { Accounts, Instant, transact } from "@trunkline/core/effect"
import { operator } from "@trunkline/core/provider"
import { ConversationQuota, type StorageLayer } from "@trunkline/core/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import { pause, type Traits } from "../storage/Subject.ts"
import { inboundMessages } from "./InboundBodies.ts"
import { makeReplyWorld, type ReplyWorld } from "./ReplyWorld.ts"

const { minute } = Instant

/** Leaves the account of a world this number of conversations in the month. */
export const leaveConversations = (world: ReplyWorld, left: number) =>
  world.run(
    Effect.gen(function* () {
      yield* Accounts.use((accounts) => accounts.change(world.tenant, { plan: "free" }, operator))
      const at = yield* Instant.now
      const quota = yield* ConversationQuota
      const one = transact(quota.count({ tenantId: world.tenant, plan: "free", at }))
      yield* Effect.forEach(Array.from({ length: 50 - left }), () => one)
    })
  )

const customers = Array.from({ length: 8 }, (_, nth) => `49170123456${10 + nth}`)

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Replies of the model to all customers, which are about to be committed once it answers. */
const replying = Effect.fnUntraced(function* (storage: StorageLayer) {
  yield* TestClock.setTime(Date.UTC(2026, 10, 21))
  const world = yield* makeReplyWorld(storage, { processes: 2 })
  yield* leaveConversations(world, 1)
  const run = world.model.waits()
  for (const from of customers) {
    yield* world.deliver(inboundMessages(world.text("Hi", { from, from_user_id: undefined })))
  }
  const lines: Array<string> = []
  const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
  yield* Effect.provide(world.pass(1500), log)
  yield* run.begun
  expect(world.model.works).toHaveLength(customers.length)
  return { world, lines, answer: Effect.andThen(run.answer("hello"), world.pass(minute)) }
})

/** Nothing waits, and of all customers as many as `replies` have one. */
const checkReplies = Effect.fnUntraced(function* (world: ReplyWorld, lines: ReadonlyArray<string>, replies: number) {
  expect(customers.flatMap((one) => world.texts(one))).toHaveLength(replies)
  expect(yield* world.countedConversations).toBe(50)
  expect((yield* world.conversations).filter(({ isCounted }) => isCounted)).toHaveLength(replies)
  expect(lines.filter((line) => line.includes("quota_exceeded"))).toHaveLength(customers.length - replies)
  for (const one of customers) {
    expect(yield* world.job(one)).toMatchObject({ dueAt: null, waitingSince: null, claim: null })
  }
})

/** Every reply is made while the plan has room for one of them. */
const race = Effect.fnUntraced(function* (storage: StorageLayer) {
  const { answer, lines, world } = yield* replying(storage)
  yield* answer
  yield* checkReplies(world, lines, 1)
})

/** Every reply has seen room, when another transaction takes the last place. */
const outrun = Effect.fnUntraced(function* (storage: StorageLayer) {
  const { answer, lines, world } = yield* replying(storage)
  const [counted, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const last = ConversationQuota.use((quota) =>
    transact(
      Effect.gen(function* () {
        yield* quota.count({ tenantId: world.tenant, plan: "free", at: yield* Instant.now })
        yield* Deferred.succeed(counted, undefined)
        yield* Deferred.await(done)
      })
    )
  )
  const taking = yield* Effect.forkChild(world.look(Effect.provide(last, ConversationQuota.layer)))
  yield* Deferred.await(counted)
  const answering = yield* Effect.forkChild(answer)
  // Each commit has begun, and comes to wait for the counter's row.
  const begun = () => world.processes.reduce((sum, { busy }) => sum + busy, 0)
  while (begun() < customers.length) yield* turn
  yield* pause(500)
  yield* Deferred.succeed(done, undefined)
  yield* Fiber.join(taking)
  yield* Fiber.join(answering)
  yield* checkReplies(world, lines, 0)
})

const run = (test: Effect.Effect<void, unknown, Scope.Scope>) => () =>
  Effect.runPromise(Effect.scoped(test).pipe(Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([])))))

/** Declares the tests on a storage. */
export const chatPlanSuite = (name: string, storage: () => StorageLayer, { sideBySide }: Traits): void => {
  // Verifies: H-802, H-807.
  it(
    `of chats whose replies are committed at once on ${name} as many get one as the plan has room for`,
    run(Effect.suspend(() => race(storage())))
  )
  it.runIf(sideBySide)(
    `a chat gets no reply on ${name} where another transaction takes the plan's last conversation before the commit`,
    run(Effect.suspend(() => outrun(storage())))
  )
}
