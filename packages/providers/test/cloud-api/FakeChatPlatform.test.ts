/** The chat platform in the process, under the test clock. */
import { assert, describe, it } from "@effect/vitest"
import { ChannelUnreachable } from "@trunkline/core/provider"
import {
  accepts,
  FakeChatPlatform,
  platformLeak,
  refusedWith,
  refuses,
  silent,
  unreachable,
  waits
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { CloudApiFailed } from "../../src/cloud-api/CloudApiRequests.ts"
import { hello, number } from "./Numbers.ts"

const send = (fake: FakeChatPlatform, to = "1", text = "x") =>
  fake.client().send(number, { to, type: "text", text: { body: text } })

const reasonOf = <A, R>(effect: Effect.Effect<A, CloudApiFailed, R>) =>
  Effect.match(effect, {
    onFailure: (failed) => (failed._tag === "PlatformRefused" ? failed.code : failed.isCertain),
    onSuccess: () => "taken"
  })

describe("the platform in the process", () => {
  it.effect("accepts messages under ids in their order, and logs when they came", () =>
    Effect.gen(function* () {
      const fake = new FakeChatPlatform()
      const first = yield* send(fake, "49170", "a")
      yield* TestClock.adjust(1_500)
      const second = yield* send(fake, "49170", "b")
      yield* send(fake, "49171", "c")
      assert.isTrue(first.id < second.id)
      assert.deepStrictEqual(first.contact, { input: "49170", phone: "49170", userRef: null })
      const { contact } = yield* fake.client().send(number, { ...hello, to: undefined, recipient: "U.1" })
      assert.deepStrictEqual(contact, { input: "U.1", phone: null, userRef: "U.1" })
      assert.deepStrictEqual(fake.texts("49170"), ["a", "b"])
      assert.lengthOf(fake.texts(), 4)
      assert.strictEqual(fake.accepted[1]!.at - fake.accepted[0]!.at, 1_500)
      assert.lengthOf(fake.of("send"), 4)
    })
  )

  it.effect("answers as configured: first for the next requests, then for a customer, then for all", () =>
    Effect.gen(function* () {
      const fake = new FakeChatPlatform()
      fake.does(refuses(131000, 500))
      fake.toward("2", refuses(131026))
      fake.next(refuses(131056), 2)
      const all = (...to: ReadonlyArray<string>) => Effect.forEach(to, (one) => reasonOf(send(fake, one)))
      const reasons = yield* all("2", "1", "2", "1")
      assert.deepStrictEqual(reasons, [131056, 131056, 131026, 131000])
      fake.does(accepts)
      fake.toward("2", null)
      assert.deepStrictEqual(yield* all("2", "1"), ["taken", "taken"])
    })
  )

  it.effect("may be silent before and after it has accepted a message, or unreachable", () =>
    Effect.gen(function* () {
      const fake = new FakeChatPlatform()
      const reason = reasonOf(send(fake))
      fake.does(unreachable)
      assert.strictEqual(yield* reason, true)
      fake.does(silent(false))
      assert.strictEqual(yield* reason, false)
      assert.lengthOf(fake.accepted, 0)
      fake.does(silent(true))
      assert.strictEqual(yield* reason, false)
      assert.lengthOf(fake.accepted, 1)
      assert.lengthOf(fake.calls, 3)
    })
  )

  it.effect("keeps a sender waiting until it is let go, or gives up", () =>
    Effect.gen(function* () {
      const fake = new FakeChatPlatform()
      const [first, second] = [waits(), waits()]
      fake.next(first.answering)
      fake.next(second.answering)
      const fiber = yield* Effect.forkChild(send(fake, "1", "a"))
      assert.deepInclude((yield* first.begun).body, { to: "1" })
      yield* TestClock.adjust(60_000)
      assert.lengthOf(fake.accepted, 0)
      yield* first.go()
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(fake.texts(), ["a"])
      const other = yield* Effect.forkChild(send(fake, "1", "b"))
      yield* second.begun
      yield* Fiber.interrupt(other)
      assert.strictEqual(fake.interrupted, 1)
      assert.deepStrictEqual(fake.texts(), ["a"])
    })
  )

  it.effect("keeps files and templates, and fails at any verb", () =>
    Effect.gen(function* () {
      const fake = new FakeChatPlatform()
      const platform = fake.client()
      const id = yield* platform.upload(number, { contentType: "image/png", fileName: "a", bytes: new Uint8Array(3) })
      assert.strictEqual((yield* platform.media(number, id, 3)).size, 3)
      assert.deepInclude(yield* Effect.flip(platform.media(number, id, 2)), { httpStatus: 413 } as never)
      assert.deepInclude(yield* Effect.flip(platform.media(number, "x", 2)), { code: 100 } as never)
      yield* platform.createTemplate(number, { name: "a" })
      assert.deepStrictEqual(yield* platform.templates(number, {}), { data: [{ name: "a" }] })
      yield* platform.subscribe(number)
      const down = new ChannelUnreachable({ isCertain: true, detail: "down" })
      const read = { id: "wamid.1", typing: true }
      fake.fails("markRead", down)
      assert.strictEqual(yield* Effect.flip(platform.markRead(number, read)), down)
      fake.fails("markRead", null)
      yield* platform.markRead(number, read)
      assert.deepStrictEqual(fake.of("markRead")[1]?.body, read)
      fake.maxRequestMs = 7
      assert.strictEqual(platform.maxRequestMs, 7)
      assert.include(refusedWith(4).message, platformLeak)
    })
  )
})
