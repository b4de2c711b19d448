/** The simulated network's rules. Verifies: SIMU-1, SIMU-3. */
import { assert, describe, it } from "@effect/vitest"
import { Ids, Instant } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { type NetworkEvent, stateAt, timeline } from "../../src/simulator/Network.ts"
import type { SimulatedCall } from "../../src/simulator/SimulatedCalls.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))
const at = (ms: number) => Instant.plus(start, ms)

const simulated = (change: Partial<SimulatedCall> = {}): SimulatedCall => ({
  callId: Ids.as("01890000-0000-7000-8000-000000000001"),
  providerCallId: "SIM-1",
  to: "+91 98765 43210",
  from: null,
  detectMachine: false,
  acceptedAt: start,
  stoppedAt: null,
  messageAt: null,
  hasAgent: false,
  heldUntil: null,
  hungUpAt: null,
  mediaBy: null,
  closedAt: null,
  ...change
})

const ending = (digits: number): string => `+91 98765 432${String(digits).padStart(2, "0")}`

const word = ({ news }: NetworkEvent): string => {
  if (news._tag === "Detected") return news.answeredBy
  if (news._tag !== "Ended") return news._tag
  return [news.status, news.failure, news.by].filter((part) => part !== null).join(" ")
}

/** Each thing that happens, with the milliseconds since the call was accepted. */
const story = (call: SimulatedCall, speed = 1) => timeline(call, speed).map((it) => [it.at - start, word(it)] as const)

const seconds = (call: SimulatedCall, speed = 1) => {
  const news = timeline(call, speed).at(-1)?.news
  return news?._tag === "Ended" ? news.durationSeconds : undefined
}

const person = [
  [0, "Dialing"],
  [0, "Ringing"],
  [2000, "Answered"],
  [22_000, "completed remote"]
] as const

const stories = {
  person,
  nobody: [
    [0, "Dialing"],
    [0, "Ringing"],
    [30_000, "no_answer"]
  ],
  busy: [
    [0, "Dialing"],
    [1000, "busy"]
  ],
  machine: person,
  invalid: [
    [0, "Dialing"],
    [1000, "failed invalid_number"]
  ],
  broken: [
    [0, "Dialing"],
    [1000, "failed provider_error"]
  ]
} as const

const from = (first: number, last: number, callee: keyof typeof stories) =>
  Array.from({ length: last - first + 1 }, (_, i) => [first + i, callee] as const)

const endings = [
  ...from(0, 59, "person"),
  ...from(60, 69, "nobody"),
  ...from(70, 79, "busy"),
  ...from(80, 89, "machine"),
  ...from(90, 94, "invalid"),
  ...from(95, 99, "broken")
]

describe("a number in the simulated network", () => {
  // Verifies: D-167, D-168, D-169, D-170, D-171, D-172.
  it("of every ending behaves in one of six ways", () => assert.strictEqual(endings.length, 100))

  it.each(endings)("that ends in %i: %s", (digits, callee) => {
    assert.deepStrictEqual<unknown>(story(simulated({ to: ending(digits) })), stories[callee])
  })

  it.each(endings)(
    "that ends in %i (%s), with detection, is reported as a person or a machine once it answers",
    (digits, callee) => {
      const events = story(simulated({ to: ending(digits), detectMachine: true }))
      const who = { person: "human", machine: "machine" }[callee as string]
      assert.deepStrictEqual<unknown>(
        events,
        who === undefined ? stories[callee] : [...person.slice(0, 3), [3000, who], person[3]]
      )
    }
  )

  it.each([
    ["98765-432-70 ext. 12", "busy"],
    ["+44 (0)20 7946 0985", "machine"],
    ["٩٨٧٦٥٤٣٢٩٠", "invalid"],
    ["+91 98765 4321 5", "person"]
  ] as const)("is read as a person wrote it: %s", (to, callee) => {
    assert.deepStrictEqual<unknown>(story(simulated({ to })), stories[callee])
  })

  it.each(["", "70", "nobody", "0000000", "1234567890123456"])("that cannot be dialed is invalid: '%s'", (to) => {
    assert.deepStrictEqual<unknown>(story(simulated({ to })), stories.invalid)
  })

  it("is reported with the seconds between answer and end, and none without an answer", () => {
    assert.strictEqual(seconds(simulated()), 20)
    assert.strictEqual(seconds(simulated({ stoppedAt: at(9499) })), 7)
    assert.strictEqual(seconds(simulated({ stoppedAt: at(9500) })), 8)
    assert.strictEqual(seconds(simulated({ to: ending(65) })), 0)
    assert.strictEqual(seconds(simulated({ stoppedAt: at(1000) })), 0)
  })

  // Verifies: D-143, D-173.
  it("has its times divided by the speed, and its seconds from the clock", () => {
    assert.deepStrictEqual<unknown>(story(simulated({ detectMachine: true, messageAt: at(450) }), 8), [
      [0, "Dialing"],
      [0, "Ringing"],
      [250, "Answered"],
      [375, "human"],
      [1075, "completed local"]
    ])
    assert.strictEqual(seconds(simulated(), 8), 3)
    assert.strictEqual(seconds(simulated(), 0.5), 40)
    assert.deepStrictEqual<unknown>(story(simulated({ to: ending(61) }), 0.5).at(-1), [60_000, "no_answer"])
  })
})

describe("our own side", () => {
  const ringing = person.slice(0, 2)
  const answered = person.slice(0, 3)

  it.each([
    ["as it is accepted", 0, [...ringing, [0, "canceled"]]],
    ["while it rings", 1999, [...ringing, [1999, "canceled"]]],
    ["as it is answered", 2000, [...answered, [2000, "completed local"]]],
    ["during the conversation", 21_999, [...answered, [21_999, "completed local"]]],
    ["as it ends", 22_000, person],
    ["after its end", 90_000, person]
  ] as const)("ends a call %s", (_, stoppedAt, expected) => {
    assert.deepStrictEqual<unknown>(story(simulated({ stoppedAt: at(stoppedAt) })), expected)
  })

  it("ends at once what another clock has accepted a little later", () => {
    assert.deepStrictEqual<unknown>(story(simulated({ stoppedAt: at(-300) })).at(-1), [0, "canceled"])
  })

  it.each([
    ["before the answer", 1999, person],
    ["at the answer", 2000, [...answered, [7000, "completed local"]]],
    ["late, and is heard to its end", 21_999, [...answered, [26_999, "completed local"]]],
    ["after the end", 22_000, person]
  ] as const)("leaves a message %s", (_, messageAt, expected) => {
    assert.deepStrictEqual<unknown>(story(simulated({ to: ending(84), messageAt: at(messageAt) })), expected)
  })

  it("leaves no message where nobody answers", () => {
    assert.deepStrictEqual<unknown>(story(simulated({ to: ending(60), messageAt: at(5000) })), stories.nobody)
  })

  it("cuts a message short", () => {
    const call = simulated({ to: ending(84), detectMachine: true, messageAt: at(3000), stoppedAt: at(4000) })
    assert.deepStrictEqual<unknown>(story(call), [...answered, [3000, "machine"], [4000, "completed local"]])
  })
})

describe("the laws of every call", () => {
  const instant = fc.option(fc.integer({ min: -5000, max: 70_000 }).map(at), { nil: null })
  const call = fc
    .record({ ending: fc.nat(99), detectMachine: fc.boolean(), stoppedAt: instant, messageAt: instant })
    .map(({ ending: digits, ...change }) => simulated({ ...change, to: ending(digits) }))
  const speed = fc.oneof(fc.constantFrom(0.5, 1, 3, 10, 1000, 100_000), fc.double({ min: 0.25, max: 50, noNaN: true }))
  const law = (holds: (call: SimulatedCall, speed: number) => void) => fc.assert(fc.property(call, speed, holds))
  const end = (call: SimulatedCall, speed: number) => timeline(call, speed).at(-1)!.at

  it("what happens ascends in time, from the acceptance on, and never twice", () =>
    law((call, speed) => {
      const events = timeline(call, speed)
      const instants = events.map(({ at }) => at)
      assert.deepStrictEqual(
        instants,
        instants.toSorted((a, b) => a - b)
      )
      assert.strictEqual(instants[0], start)
      assert.strictEqual(new Set(events.map(({ news }) => news._tag)).size, events.length)
    }))

  it("it begins with dialing, and its one end is the last", () =>
    law((call, speed) => {
      const tags = timeline(call, speed).map(({ news }) => news._tag)
      assert.strictEqual(tags[0], "Dialing")
      assert.strictEqual(tags.indexOf("Ended"), tags.length - 1)
    }))

  it("a stop never lengthens it, and ends what goes on at its own instant", () =>
    law((call, speed) => {
      const free = end({ ...call, stoppedAt: null }, speed)
      const expected = call.stoppedAt === null ? free : Math.min(free, Math.max(start, call.stoppedAt))
      assert.strictEqual(end(call, speed), expected)
    }))

  it("a stop or a message changes nothing of what had happened by then", () =>
    law((call, speed) => {
      const known = [call.stoppedAt, call.messageAt].filter((it) => it !== null)
      const by = Math.min(...known, Number.MAX_SAFE_INTEGER)
      const free = timeline({ ...call, stoppedAt: null, messageAt: null }, speed).filter(({ at }) => at <= by)
      assert.deepStrictEqual(timeline(call, speed).slice(0, free.length), free)
    }))

  it("it is answered before it is completed, and in no other end", () =>
    law((call, speed) => {
      const events = timeline(call, speed)
      const last = events.at(-1)!.news
      const answered = events.some(({ news }) => news._tag === "Answered")
      assert.strictEqual(last._tag === "Ended" && last.status === "completed", answered)
    }))

  it("its state is always the last thing that has happened", () =>
    fc.assert(
      fc.property(call, speed, fc.integer({ min: -1000, max: 70_000 }), (call, speed, offset) => {
        const past = timeline(call, speed).filter(({ at: when }) => when <= at(offset))
        assert.deepStrictEqual(stateAt(call, speed, at(offset)), past.at(-1) ?? null)
      })
    ))
})
