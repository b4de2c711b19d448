/** Whether a business account has a number, as the platform lists them page by page: docs/reference/messaging.md#proof. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { clientOf, failureOf, fakePlatform, number, token } from "./Numbers.ts"

const ids = (count: number) => Array.from({ length: count }, (_, nth) => String(9000 + nth))

describe("the numbers of a business account", () => {
  it.live("are read to the last page, and no further than the number", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { hasNumber } = yield* clientOf(fake)
      fake.owns(number.accountId, [...ids(60), number.id, ...ids(60)])
      assert.isTrue(yield* hasNumber(number))
      assert.deepStrictEqual(
        fake.of("numbers").map(({ id, path, query, token: sent }) => [id, path, query, sent]),
        [{}, { after: "25" }, { after: "50" }].map((query) => [
          number.accountId,
          `/${number.accountId}/phone_numbers`,
          query,
          token
        ])
      )
      assert.isFalse(yield* hasNumber({ ...number, id: "106540352242" }))
      fake.owns(number.accountId, [])
      assert.isFalse(yield* hasNumber(number))
    })
  )

  it.live("are not read without an end", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { hasNumber } = yield* clientOf(fake)
      fake.owns(number.accountId, ids(100 * 25 + 1))
      const failed = yield* failureOf(hasNumber(number))
      assert.deepInclude(failed, { _tag: "ChannelUnreachable", isCertain: false } as never)
      assert.lengthOf(fake.of("numbers"), 100)
    })
  )

  it.live("are unknown where the platform answers something else, or refuses", () =>
    Effect.gen(function* () {
      const fake = yield* fakePlatform()
      const { hasNumber } = yield* clientOf(fake)
      for (const body of [{}, { data: null }, { data: "none" }, [], "OK"]) {
        fake.next({ does: "answer", status: 200, body }, 1, "numbers")
        assert.deepInclude(yield* failureOf(hasNumber(number)), { _tag: "ChannelUnreachable" } as never)
      }
      for (const data of [[null], ["x"], [{}], [{ id: null }], [{ id: [number.id] }], [{ id: `${number.id} ` }]]) {
        fake.next({ does: "answer", status: 200, body: { data } }, 1, "numbers")
        assert.isFalse(yield* hasNumber(number))
      }
      fake.next({ does: "answer", status: 200, body: { data: [{ id: Number(number.id) }] } }, 1, "numbers")
      assert.isTrue(yield* hasNumber(number))
      fake.next({ does: "refuse", code: 190 }, 1, "numbers")
      assert.deepInclude(yield* failureOf(hasNumber(number)), { _tag: "PlatformRefused", code: 190 } as never)
      assert.deepInclude(yield* failureOf(hasNumber({ ...number, accountId: "unknown" })), { code: 100 } as never)
      fake.next({ does: "reset" }, 2, "numbers")
      assert.deepInclude(yield* failureOf(hasNumber(number)), { _tag: "ChannelUnreachable" } as never)
      assert.isEmpty(fake.subscribed)
    })
  )
})
