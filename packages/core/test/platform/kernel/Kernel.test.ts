/** Verifies: KERN-1, KERN-2, KERN-3. */
import { Ids, Instant } from "@trunkline/core/domain"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LruCache } from "../../../src/platform/kernel/index.ts"

describe("ids", () => {
  it("ascend whatever the clock does: stands still, steps back or jumps", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 }), { minLength: 2, maxLength: 200 }),
        (clock) => {
          const source = Ids.ascending()
          const made = clock.map((at) => source.next(Instant.make(at)))
          expect([...made].sort()).toEqual(made)
          expect(new Set(made).size).toBe(made.length)
        }
      )
    )
  })

  // Verifies: D-176.
  it("are lower-case UUIDs of version 7", () => {
    const id = Ids.ascending().next(Instant.make(Date.UTC(2026, 10, 21)))
    expect(Ids.isUuid(id)).toBe(true)
    expect(id[14]).toBe("7")
  })
})

describe("an instant", () => {
  it.each([
    ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30:00", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30:00.123456Z", "2026-11-21T09:30:00.123Z"],
    ["2026-11-21T15:00:00+05:30", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T15:00:00+0530", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21t01:30:00-08:00", "2026-11-21T09:30:00.000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"]
  ])("%s is %s", (text, iso) => {
    expect(Instant.toIso(Instant.parse(text)!)).toBe(iso)
  })

  it.each([
    "2026-11-21",
    "",
    "yesterday",
    "2026-02-30T00:00:00Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21T09:60:00Z",
    "1795253400000"
  ])("is refused: %j", (text) => {
    expect(Instant.parse(text)).toBeUndefined()
  })

  it("survives its own text", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 0) }), (at) => {
        expect(Instant.parse(Instant.toIso(Instant.make(at)))).toBe(at)
      })
    )
  })

  it("is written as Date writes it", () => {
    fc.assert(
      fc.property(fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }), (at) => {
        expect(Instant.toIso(Instant.make(at))).toBe(new Date(at).toISOString())
      })
    )
    for (const at of [0, -1, 86_399_999, 86_400_000, Instant.never]) {
      expect(Instant.toIso(Instant.make(at))).toBe(new Date(at).toISOString())
    }
  })
})

describe("a cache", () => {
  it("makes a value once, and removes the key that was read longest ago first", () => {
    const cache = new LruCache<string, string>(2)
    const made: Array<string> = []
    const of = (key: string) => cache.of(key, () => made[made.push(key) - 1]!)
    for (const key of ["a", "b", "a", "c", "a", "b"]) expect(of(key)).toBe(key)
    expect(made).toEqual(["a", "b", "c", "b"])
    expect(cache.keys()).toEqual(["a", "b"])
    cache.delete("a")
    expect([cache.has("a"), cache.get("a"), cache.has("b")]).toEqual([false, undefined, true])
  })

  it("stays bounded, whatever is read", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.integer({ min: 0, max: 20 })), (maxSize, keys) => {
        const cache = new LruCache<number, number>(maxSize)
        for (const key of keys) expect(cache.of(key, () => key)).toBe(key)
        const last = [...new Set(keys.toReversed())].slice(0, maxSize).reverse()
        expect(cache.keys()).toEqual(last)
      })
    )
  })
})
