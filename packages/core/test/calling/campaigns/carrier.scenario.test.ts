/** What a carrier's answers mean for a campaign: docs/reference/telephony.md#providers, docs/reference/campaigns.md#the-service-cannot-dial. */

import { Instant, Numbers, Storage } from "@trunkline/core/effect"
import { CallRefused } from "@trunkline/core/provider"
import { StartSlotStore } from "@trunkline/core/storage"
import type { OnPlace } from "@trunkline/testing/carrier"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { type Stage, scenario } from "../calls/Scenarios.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]

/** What the carrier does with the first orders; later ones are taken. */
const answering = (...answers: ReadonlyArray<OnPlace>) => ({
  carrier: { onPlace: (_: unknown, nth: number): OnPlace => answers[nth - 1] ?? "accept" }
})

describe("a carrier that throttles", () => {
  scenario(
    "is asked again after 5 s when it does not say when; no attempt is counted and no event is written",
    function* (stage) {
      // Without a pace: nothing but the carrier is waited for.
      const id = yield* stage.running({ dialMode: "parallel" }, [a])
      yield* stage.rest
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 0, lastError: null })
      expect(yield* stage.credits).toMatchObject({ reserved: 0n })
      const [refused] = yield* stage.calls()
      expect(refused).toMatchObject({ status: "canceled", endReason: "failed", credits: 0n, durationSeconds: 0 })
      expect(yield* stage.eventNames(refused!)).toEqual([])
      yield* stage.wait(4_999)
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1)
      expect(stage.dialed).toEqual([a, a])
      yield* stage.completeCall(a, 5)
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 1 })
    },
    answering("throttled")
  )

  const busyFor = (milliseconds: number) => ({
    line: (whole: { place: (permit: never) => Effect.Effect<unknown, unknown> }) => {
      let asked = 0
      return {
        place: (permit: never) => {
          asked += 1
          const refused = new CallRefused({ reason: "throttled", detail: "slow down", retryAfterMs: milliseconds })
          return asked === 1
            ? Effect.andThen(Effect.exit(whole.place(permit)), Effect.fail(refused))
            : whole.place(permit)
        }
      } as never
    }
  })

  scenario(
    "is not asked for the time that it names, by every campaign and by the telephony API",
    function* (stage) {
      const one = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.rest
      yield* stage.running({ paceSeconds: 5 }, [b])
      yield* stage.rest
      expect(stage.dialed).toEqual([a])
      expect((yield* stage.live(one)).waitingFor).toEqual({
        reason: "provider",
        until: Instant.plus(yield* Instant.now, 20_000)
      })
      yield* stage.dial(c)
      yield* stage.wait(19_999)
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1)
      expect(stage.dialed).toContain(c)
      yield* stage.wait(5_000)
      expect([...stage.dialed].sort()).toEqual([a, a, b, c])
    },
    busyFor(20_000)
  )

  scenario(
    "is not asked either when a person approves somebody meanwhile",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "preview" }, [a, b])
      yield* stage.approve(id, a)
      yield* stage.rest
      yield* stage.wait(1_000)
      yield* stage.approve(id, b)
      yield* stage.wait(18_000)
      expect(stage.dialed).toEqual([a])
      yield* stage.wait(1_000)
      expect(stage.dialed).toEqual([a, a])
    },
    busyFor(20_000)
  )
})

describe("a carrier that refuses the service itself", () => {
  // Verifies: D-115, D-116, D-118.
  scenario(
    "three times in a row pauses the campaign and is announced with the reason; nobody's attempts are counted",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a, b, c])
      yield* stage.wait(19_999)
      expect(stage.dialed).toHaveLength(2)
      expect((yield* stage.campaign(id)).status).toBe("running")
      yield* stage.wait(60_000)
      expect(stage.dialed).toHaveLength(3)
      expect(yield* stage.campaign(id)).toMatchObject({ status: "paused", refusals: 0 })
      expect(
        (yield* stage.contacts(id)).map(({ attempts, lastError, status }) => [status, attempts, lastError])
      ).toEqual([
        ["pending", 0, null],
        ["pending", 0, null],
        ["pending", 0, null]
      ])
      expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.failed"])
      const failed = (yield* stage.events).find(({ event }) => event === "campaign.failed")!
      expect(failed.data).toEqual({
        campaign_id: id,
        kind: "voice",
        name: "Scenario",
        status: "paused",
        total_contacts: 3,
        completed_contacts: 0,
        failed_contacts: 0,
        dial_mode: "power",
        phone_number_id: null,
        template: null,
        reason: "configuration_refused"
      })
      expect((yield* stage.events).filter(({ event }) => event.startsWith("call."))).toEqual([])
      expect(yield* stage.credits).toMatchObject({ reserved: 0n })
    },
    answering("configuration", "configuration", "configuration", "configuration")
  )

  scenario(
    "twice and then accepts a call has its count of refusals reset",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
      yield* stage.wait(20_000)
      expect(stage.dialed).toHaveLength(3)
      yield* stage.completeCall(a, 1)
      expect((yield* stage.campaign(id)).refusals).toBe(0)
      yield* stage.wait(15_000)
      expect((yield* stage.campaign(id)).status).toBe("running")
      yield* stage.wait(30_000)
      expect((yield* stage.campaign(id)).status).toBe("paused")
    },
    answering("configuration", "configuration", "accept", "configuration", "configuration", "configuration")
  )

  scenario(
    "has three further attempts when a person starts the campaign again",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.wait(60_000)
      yield* stage.move(id, "running")
      yield* stage.wait(60_000)
      expect(stage.dialed).toHaveLength(6)
      expect(yield* stage.eventNames({ id })).toEqual([
        "campaign.started",
        "campaign.failed",
        "campaign.started",
        "campaign.failed"
      ])
    },
    { carrier: { onPlace: () => "configuration" as const } }
  )

  scenario(
    "has three further attempts also when a person has paused the campaign in between",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.wait(15_000)
      expect(stage.dialed).toHaveLength(2)
      yield* stage.move(id, "paused")
      yield* stage.move(id, "running")
      yield* stage.wait(15_000)
      expect(stage.dialed).toHaveLength(4)
      expect((yield* stage.campaign(id)).status).toBe("running")
    },
    { carrier: { onPlace: () => "configuration" as const } }
  )

  scenario(
    "is what the live view shows, with the time of the next attempt",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.rest
      expect((yield* stage.live(id)).waitingFor).toEqual({
        reason: "provider",
        until: Instant.plus(yield* Instant.now, 10_000)
      })
    },
    answering("configuration")
  )

  scenario(
    "uses up no approval: an approved contact is approved again",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "preview" }, [a])
      yield* stage.approve(id, a)
      yield* stage.rest
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "approved", attempts: 0 })
      yield* stage.wait(10_000)
      expect(stage.dialed).toEqual([a, a])
    },
    answering("configuration")
  )
})

describe("the caller number", () => {
  const from = (stage: { network: { calls: Map<unknown, { order: { from: string | null } }> } }) =>
    [...stage.network.calls.values()].map(({ order }) => order.from)

  // Verifies: C-34, D-147.
  scenario(
    "is the campaign's, else the account's first, else the carrier's default",
    function* (stage) {
      yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.rest
      const add = (phone: string) => stage.run(Numbers.use((numbers) => numbers.add(stage.tenant, phone, null)))
      const first = yield* add("+14155550191")
      const second = yield* add("+14155550192")
      yield* stage.running({ paceSeconds: 5 }, [b])
      yield* stage.rest
      yield* stage.running({ paceSeconds: 5, fromNumberId: second.id }, [c])
      yield* stage.rest
      expect(from(stage)).toEqual(["+14155550190", "+14155550191", "+14155550192"])
      expect((yield* stage.calls()).map(({ fromNumberId }) => fromNumberId)).toEqual([null, first.id, second.id])
      expect((yield* stage.calls()).map(({ from }) => from)).toEqual(from(stage))
    },
    { carrier: { needsCaller: true, defaultFrom: "+14155550190" } }
  )

  scenario("may be missing where the carrier needs none", function* (stage) {
    yield* stage.running({}, [a])
    yield* stage.rest
    expect(from(stage)).toEqual([null])
  })

  // Verifies: D-148.
  scenario(
    "that is missing where the carrier needs one counts as refused: three times pause the campaign",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.wait(60_000)
      expect(stage.dialed).toEqual([])
      expect(yield* stage.calls()).toEqual([])
      expect(yield* stage.campaign(id)).toMatchObject({ status: "paused" })
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 0, lastError: null })
      expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.failed"])
      expect((yield* stage.events)[1]!.data).toMatchObject({ reason: "caller_number_missing", status: "paused" })
    },
    { carrier: { needsCaller: true } }
  )

  scenario(
    "that is missing and is added in time is used",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a])
      yield* stage.wait(12_000)
      yield* stage.run(Numbers.use((numbers) => numbers.add(stage.tenant, "+14155550191", null)))
      yield* stage.wait(8_000)
      expect(from(stage)).toEqual(["+14155550191"])
      yield* stage.end(a, "busy")
      expect(yield* stage.campaign(id)).toMatchObject({ status: "running", refusals: 0 })
    },
    { carrier: { needsCaller: true } }
  )
})

describe("the carrier's start rate", () => {
  // Verifies: D-125.
  scenario(
    "is kept over all campaigns and the telephony API, to the millisecond",
    function* (stage) {
      yield* stage.running({ dialMode: "parallel", parallelLines: 3 }, [a, b, c])
      yield* stage.running({}, ["+14155550104"])
      yield* stage.dial("+14155550105")
      yield* stage.wait(10_000)
      const at = stage.network.log.filter(({ kind }) => kind === "place").map((entry) => entry.at)
      const gaps = at.slice(1).map((instant, i) => instant - at[i]!)
      expect(at).toHaveLength(5)
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(400)
    },
    { carrier: { startsPerSecond: 2.5 } }
  )

  scenario(
    "does not delay a call whose turn has come; its start is the instant at which the carrier is asked",
    function* (stage) {
      yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
      yield* stage.wait(2_000)
      const asked = stage.network.log.filter(({ kind }) => kind === "place").map(({ at }) => at)
      expect((yield* stage.calls()).map(({ startedAt }) => startedAt)).toEqual(asked)
      expect(asked[1]! - asked[0]!).toBe(1000)
    },
    { carrier: { startsPerSecond: 1 } }
  )

  /** Stores a slot as a process does whose clock is two hours ahead of this one's. */
  const storedAhead = (stage: Stage, untilStartMs: number) =>
    stage.look(
      Effect.gen(function* () {
        const [slots, storage] = [yield* StartSlotStore, yield* Storage]
        const storedAt = Instant.plus(yield* Instant.now, 2 * Instant.hour)
        yield* storage.transact(slots.save("fake", { nextStartAt: Instant.plus(storedAt, untilStartMs), storedAt }))
      })
    )

  // Verifies: D-268.
  scenario(
    "is kept beside a process whose clock is hours ahead: calls wait for its slots as long as that process would",
    function* (stage) {
      yield* storedAhead(stage, 1_000)
      const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
      yield* stage.wait(999)
      expect(stage.dialed).toEqual([])
      yield* stage.wait(2_001)
      expect([...stage.dialed].sort()).toEqual([a, b])
      yield* storedAhead(stage, 60_000)
      expect((yield* stage.live(id)).waitingFor).toEqual({
        reason: "provider",
        until: Instant.plus(yield* Instant.now, 60_000)
      })
      yield* stage.dial(c)
      yield* stage.wait(59_999)
      expect(stage.dialed).not.toContain(c)
      yield* stage.wait(1)
      expect(stage.dialed).toContain(c)
    },
    { carrier: { startsPerSecond: 1 } }
  )

  // Verifies: D-268.
  scenario("is kept beside a pause that a process has stored whose clock is hours ahead", function* (stage) {
    yield* storedAhead(stage, 20_000)
    yield* stage.running({}, [a])
    yield* stage.wait(19_999)
    expect(stage.dialed).toEqual([])
    yield* stage.wait(1)
    expect(stage.dialed).toEqual([a])
  })
})
