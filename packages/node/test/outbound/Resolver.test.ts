import { it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { resolver } from "../../src/outbound/Resolver.ts"

const system = resolver()

const coded = (code: string) => Object.assign(new Error(`getaddrinfo ${code} 10.0.0.1`), { code })

describe("looking a name up", () => {
  it.live("finds the addresses that the system knows", () =>
    Effect.map(system("localhost"), (found) => {
      expect(found.length).toBeGreaterThan(0)
      expect(found.filter((address) => address !== "127.0.0.1" && address !== "::1")).toEqual([])
    })
  )

  it.live("returns all addresses, in the order in which they came", () =>
    Effect.gen(function* () {
      const found = [
        { address: "2001:db8::1", family: 6 },
        { address: "192.0.2.1", family: 4 }
      ]
      expect(yield* resolver(async () => found)("a")).toEqual(["2001:db8::1", "192.0.2.1"])
    })
  )

  it.live("is shared while it is under way, and made anew afterwards", () =>
    Effect.gen(function* () {
      let asked = 0
      const answer = Promise.withResolvers<ReadonlyArray<{ address: string; family: number }>>()
      const resolve = resolver(() => {
        asked += 1
        return asked === 1 ? answer.promise : Promise.resolve([{ address: "192.0.2.2", family: 4 }])
      })
      const [one, two] = [yield* Effect.forkChild(resolve("a")), yield* Effect.forkChild(resolve("a"))]
      yield* Effect.sleep(10)
      expect(asked).toBe(1)
      answer.resolve([{ address: "192.0.2.1", family: 4 }])
      expect([yield* Fiber.join(one), yield* Fiber.join(two)]).toEqual([["192.0.2.1"], ["192.0.2.1"]])
      expect(yield* resolve("a")).toEqual(["192.0.2.2"])
    })
  )

  it.live("is made anew after one that failed", () =>
    Effect.gen(function* () {
      let asked = 0
      const resolve = resolver(async () => {
        asked += 1
        if (asked === 1) throw coded("EAI_AGAIN")
        return [{ address: "192.0.2.1", family: 4 }]
      })
      yield* Effect.flip(resolve("a"))
      expect(yield* resolve("a")).toEqual(["192.0.2.1"])
    })
  )

  it.live("can be given up while it hangs", () =>
    Effect.gen(function* () {
      const resolve = resolver(() => new Promise(() => {}))
      const gone = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(Effect.ensuring(resolve("a"), Deferred.succeed(gone, undefined)))
      yield* Effect.sleep(10)
      yield* Fiber.interrupt(waiting)
      yield* Deferred.await(gone)
    })
  )

  it.live.each([
    ["ENOTFOUND", "The host name does not exist."],
    ["ENODATA", "The host name has no address."],
    ["EAI_AGAIN", "The host name could not be looked up for now."],
    ["EAI_FAIL", "The host name could not be looked up."]
  ] as const)("that fails with %s says so without an address", ([code, detail]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(resolver(() => Promise.reject(coded(code)))("a"))
      expect(failure).toMatchObject({ _tag: "OutboundFailed", reason: "name", detail })
    })
  )
})
