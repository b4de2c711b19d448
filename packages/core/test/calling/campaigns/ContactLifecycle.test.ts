import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  afterAttempt,
  ContactStatus,
  type EndedAttempt,
  LastError,
  type Outcome,
  retryDelay
} from "../../../src/calling/campaigns/ContactLifecycle.ts"
import { type HourWindow, Instant, isWithinHours, nextOpening } from "../../../src/platform/kernel/index.ts"

const instant = (iso: string) => Instant.parse(iso)!
const minutes = (from: Instant.Instant, count: number) => Instant.plus(from, count * Instant.minute)

const window: HourWindow = { timezone: "Asia/Kolkata", startHour: 9, endHour: 21 }
const noon = instant("2026-11-21T12:00:00+05:30")
const night = instant("2026-11-21T21:00:00+05:30")
const morning = instant("2026-11-22T09:00:00+05:30")

const after = (outcome: Outcome, more: Partial<EndedAttempt> = {}) =>
  afterAttempt({ outcome, at: noon, before: { attempts: 0, lastError: null }, maxAttempts: 3, window, ...more })

describe("after a first attempt of three", () => {
  const quarter = minutes(noon, 15)

  it.each<[Outcome, string, number, Instant.Instant | null, LastError | null]>([
    [{ _tag: "Answered" }, "done", 1, null, null],
    [{ _tag: "MachineMessageLeft" }, "done", 1, null, null],
    [{ _tag: "MachineHungUp" }, "pending", 1, quarter, "machine"],
    [{ _tag: "Busy" }, "pending", 1, quarter, "busy"],
    [{ _tag: "NoAnswer" }, "pending", 1, quarter, "no_answer"],
    [{ _tag: "ProviderError" }, "pending", 1, quarter, "provider_error"],
    [{ _tag: "InvalidNumber" }, "failed", 1, null, "invalid_number"],
    [{ _tag: "BlockedNumber" }, "failed", 1, null, "blocked_number"],
    [{ _tag: "OutcomeUnknown" }, "failed", 1, null, "outcome_unknown"],
    [{ _tag: "NeverPlaced" }, "pending", 0, noon, null],
    [{ _tag: "UnusableNumber" }, "failed", 0, null, "invalid_number"],
    [{ _tag: "Suppressed", rang: true }, "failed", 1, null, "do_not_call"],
    [{ _tag: "Suppressed", rang: false }, "failed", 0, null, "do_not_call"],
    [{ _tag: "WindowClosed", rang: true }, "pending", 1, noon, "canceled"],
    [{ _tag: "WindowClosed", rang: false }, "pending", 0, noon, "canceled"],
    [{ _tag: "LostRace", rang: true }, "pending", 1, quarter, "canceled"],
    [{ _tag: "LostRace", rang: false }, "pending", 0, noon, "canceled"],
    [{ _tag: "Canceled", rang: true }, "pending", 1, quarter, "canceled"],
    [{ _tag: "Canceled", rang: false }, "pending", 0, quarter, "canceled"]
  ])("%j makes the contact %s", (outcome, status, attempts, nextAttemptAt, lastError) => {
    expect(after(outcome)).toEqual({ status, attempts, nextAttemptAt, lastError })
  })
})

describe("the last attempt", () => {
  const last = { before: { attempts: 2, lastError: "busy" } } as const

  it.each<[Outcome, string, LastError | null]>([
    [{ _tag: "Answered" }, "done", null],
    [{ _tag: "Busy" }, "failed", "busy"],
    [{ _tag: "NoAnswer" }, "failed", "no_answer"],
    [{ _tag: "MachineHungUp" }, "failed", "machine"],
    [{ _tag: "ProviderError" }, "failed", "provider_error"],
    [{ _tag: "LostRace", rang: true }, "failed", "canceled"],
    [{ _tag: "WindowClosed", rang: true }, "failed", "canceled"]
  ])("with %j ends the contact as %s", (outcome, status, lastError) => {
    expect(after(outcome, last)).toEqual({ status, attempts: 3, nextAttemptAt: null, lastError })
  })

  it("is still to come after one that did not count", () => {
    expect(after({ _tag: "WindowClosed", rang: false }, { ...last, at: night })).toEqual({
      status: "pending",
      attempts: 2,
      nextAttemptAt: morning,
      lastError: "canceled"
    })
    expect(after({ _tag: "NeverPlaced" }, last)).toEqual({
      status: "pending",
      attempts: 2,
      nextAttemptAt: noon,
      lastError: "busy"
    })
  })

  it("is over when the limit was lowered meanwhile, and the contact keeps the error it has", () => {
    expect(after({ _tag: "NeverPlaced" }, { ...last, maxAttempts: 2 })).toEqual({
      status: "failed",
      attempts: 2,
      nextAttemptAt: null,
      lastError: "busy"
    })
  })
})

describe("the next attempt", () => {
  // Verifies: D-56, D-58.
  it("comes after 15 minutes, doubled each time, four hours at most", () => {
    expect([1, 2, 3, 4, 5, 6, 50].map((n) => retryDelay(n) / Instant.minute)).toEqual([15, 30, 60, 120, 240, 240, 240])
    const waits = [0, 1, 2, 3].map((attempts) => {
      const next = after({ _tag: "Busy" }, { before: { attempts, lastError: "busy" }, maxAttempts: 5 })
      return (next.nextAttemptAt! - noon) / Instant.minute
    })
    expect(waits).toEqual([15, 30, 60, 120])
  })

  it("moves to the next opening when it falls outside the window, and only then", () => {
    const before = instant("2026-11-21T20:44:59.999+05:30")
    expect(after({ _tag: "Busy" }, { at: before }).nextAttemptAt).toBe(minutes(before, 15))
    expect(after({ _tag: "Busy" }, { at: Instant.plus(before, 1) }).nextAttemptAt).toBe(morning)
  })

  it.each([true, false])("of a call that the window cut off is at the next opening (rang: %s)", (rang) => {
    expect(after({ _tag: "WindowClosed", rang }, { at: night }).nextAttemptAt).toBe(morning)
  })
})

const plain = [
  "Answered",
  "MachineMessageLeft",
  "MachineHungUp",
  "Busy",
  "NoAnswer",
  "ProviderError",
  "InvalidNumber",
  "BlockedNumber",
  "OutcomeUnknown",
  "NeverPlaced"
] as const
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom(...plain).map((_tag) => ({ _tag })),
  fc.record({ _tag: fc.constantFrom("Suppressed", "WindowClosed", "LostRace", "Canceled"), rang: fc.boolean() })
)
const anyWindow: fc.Arbitrary<HourWindow> = fc
  .record({
    timezone: fc.constantFrom("Asia/Kolkata", "America/New_York", "Australia/Lord_Howe"),
    startHour: fc.integer({ min: 0, max: 23 }),
    endHour: fc.integer({ min: 1, max: 24 })
  })
  .filter(({ startHour, endHour }) => startHour < endHour)
const anyInstant = fc
  .integer({ min: instant("2026-01-01T00:00:00Z"), max: instant("2027-12-31T00:00:00Z") })
  .map(Instant.make)
const limit = fc.integer({ min: 1, max: 5 })

describe("a contact's life, as a law", () => {
  it("uses up no more attempts than it has, and each retry follows the one before inside the window", () => {
    fc.assert(
      fc.property(
        fc.array(outcome, { minLength: 1, maxLength: 30 }),
        limit,
        anyWindow,
        anyInstant,
        (outcomes, maxAttempts, open, from) => {
          let at = nextOpening(open, from)
          let before: EndedAttempt["before"] = { attempts: 0, lastError: null }
          for (const each of outcomes) {
            const next = afterAttempt({ outcome: each, at, before, maxAttempts, window: open })
            expect(next.attempts).toBeLessThanOrEqual(maxAttempts)
            expect(next.attempts - before.attempts).toBeOneOf([0, 1])
            if (next.status !== "pending") {
              expect(next.nextAttemptAt).toBeNull()
              expect(next.lastError === null).toBe(next.status === "done")
              return
            }
            expect(next.attempts).toBeLessThan(maxAttempts)
            expect(next.nextAttemptAt).toBeGreaterThanOrEqual(at)
            expect(isWithinHours(open, next.nextAttemptAt!)).toBe(true)
            if (next.attempts > before.attempts && each._tag !== "WindowClosed") {
              expect(next.nextAttemptAt! - at).toBeGreaterThanOrEqual(15 * Instant.minute)
            }
            at = next.nextAttemptAt!
            before = { attempts: next.attempts, lastError: next.lastError }
          }
        }
      ),
      { numRuns: 500 }
    )
  })

  it("counts no attempt that never rang or was never placed", () => {
    fc.assert(
      fc.property(outcome, limit, anyWindow, anyInstant, (each, maxAttempts, open, at) => {
        const unheard = each._tag === "NeverPlaced" || ("rang" in each && !each.rang)
        const before = { attempts: maxAttempts - 1, lastError: null }
        const next = afterAttempt({ outcome: each, at, before, maxAttempts, window: open })
        expect(next.attempts).toBe(unheard ? maxAttempts - 1 : maxAttempts)
        if (unheard && each._tag !== "Suppressed") expect(next.status).toBe("pending")
        else expect(next.status).not.toBe("pending")
      })
    )
  })

  it("does not retry sooner what ended later or was tried more often", () => {
    fc.assert(
      fc.property(
        outcome,
        anyWindow,
        anyInstant,
        fc.nat(10 * Instant.day),
        fc.integer({ min: 0, max: 3 }),
        (each, open, at, later, attempts) => {
          const due = (from: Instant.Instant, made: number) =>
            afterAttempt({
              outcome: each,
              at: from,
              before: { attempts: made, lastError: null },
              maxAttempts: 5,
              window: open
            }).nextAttemptAt
          const [first, second, third] = [
            due(at, attempts),
            due(Instant.plus(at, later), attempts),
            due(at, attempts + 1)
          ]
          if (first === null) return
          expect(second).toBeGreaterThanOrEqual(first)
          if (third !== null) expect(third).toBeGreaterThanOrEqual(first)
        }
      )
    )
  })

  // Verifies: C-53, C-103, D-63.
  it("speaks of its statuses and errors in the words of the reference", () => {
    expect(ContactStatus.literals).toEqual(["pending", "approved", "calling", "done", "failed"])
    expect(LastError.literals).toEqual([
      "busy",
      "no_answer",
      "machine",
      "invalid_number",
      "blocked_number",
      "do_not_call",
      "provider_error",
      "outcome_unknown",
      "canceled"
    ])
  })
})
