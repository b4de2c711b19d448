/** Power mode: docs/reference/campaigns.md#power. */
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { scenario } from "../calls/Scenarios.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]

describe("power mode", () => {
  // Verifies: C-30, C-49, D-11, D-68.
  scenario("starts calls the pace apart, counted from the last start", function* (stage) {
    const id = yield* stage.running({ dialMode: "power", paceSeconds: 30 }, [a, b, c])
    const statuses = Effect.map(stage.contacts(id), (contacts) => contacts.map(({ status }) => status))
    expect(yield* statuses).toEqual(["pending", "pending", "pending"])
    yield* stage.rest
    expect(stage.dialed).toEqual([a])
    expect(yield* statuses).toEqual(["calling", "pending", "pending"])
    yield* stage.completeCall(a, 10)
    yield* stage.wait(19_999)
    expect(stage.dialed).toEqual([a])
    expect(yield* statuses).toEqual(["done", "pending", "pending"])
    yield* stage.wait(1)
    expect(stage.dialed).toEqual([a, b])
    expect(yield* statuses).toEqual(["done", "calling", "pending"])
    yield* stage.completeCall(b, 10)
    yield* stage.wait(60_000)
    expect(stage.dialedAt).toEqual(["2026-11-21T06:30:00.000Z", "2026-11-21T06:30:30.000Z", "2026-11-21T06:31:00.000Z"])
  })

  // Verifies: C-48, D-68.
  scenario("never has two calls at once: one that outlasts the pace is followed at its end", function* (stage) {
    yield* stage.running({ dialMode: "power", paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.wait(47_000)
    expect(stage.dialed).toEqual([a])
    yield* stage.end(a)
    expect(stage.dialedAt).toEqual(["2026-11-21T06:30:00.000Z", "2026-11-21T06:30:47.000Z"])
  })

  scenario("keeps the pace across a pause and a restart of the server", function* (stage) {
    const id = yield* stage.running({ dialMode: "power", paceSeconds: 60 }, [a, b])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.move(id, "paused")
    yield* stage.restart
    yield* stage.move(id, "running")
    yield* stage.wait(59_999)
    expect(stage.dialed).toEqual([a])
    yield* stage.wait(1)
    expect(stage.dialed).toEqual([a, b])
  })

  scenario("dials retries that are due before those whom nobody has called yet", function* (stage) {
    yield* stage.running({ dialMode: "power", paceSeconds: 5 }, [a, b, c])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.wait(5_000)
    // The second call lasts until the first one's retry is due: both it and the third contact could be next.
    yield* stage.answer(b)
    yield* stage.wait(16 * 60_000)
    yield* stage.end(b)
    expect(stage.dialed).toEqual([a, b, a])
  })

  // Verifies: C-133.
  scenario(
    "dials in the order of the list, and the same number once for each time that it was added",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "power", paceSeconds: 5 }, [b, a, b])
      for (const phone of [b, a, b]) {
        yield* stage.wait(5_000)
        yield* stage.end(phone, "failed")
      }
      expect(stage.dialed).toEqual([b, a, b])
      expect((yield* stage.contacts(id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
    }
  )

  // Verifies: D-7.
  scenario("uses a new pace from the next call on", function* (stage) {
    const id = yield* stage.running({ dialMode: "power", paceSeconds: 3600 }, [a, b])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.wait(20_000)
    yield* stage.change(id, { paceSeconds: 30 })
    yield* stage.wait(9_999)
    expect(stage.dialed).toEqual([a])
    yield* stage.wait(1)
    expect(stage.dialed).toEqual([a, b])
  })

  // Verifies: D-70, D-73.
  scenario("places calls without a parallel dial and a winner", function* (stage) {
    yield* stage.running({ dialMode: "power" }, [a])
    yield* stage.rest
    yield* stage.completeCall(a, 10)
    expect(yield* stage.call(a)).toMatchObject({ burstId: null, isWinner: false, abandoned: false, attempt: 1 })
  })
})
