/** Random days of template campaigns: what may happen on one, as data. */
import * as fc from "fast-check"
import type { Fault } from "../FaultyProcess.ts"
import type { Edge } from "./ReplyWorld.ts"

/** What the platform makes of a message. The code of a refusal is its own. */
export type Outcome =
  | { readonly does: "accept" | "hold" | "reject unheard" | "accept unheard" | "accept slowly" | "be unreachable" }
  | { readonly does: "refuse" | "refuse slowly"; readonly code: number | null; readonly retryAfter: number | null }

export const reportWords = ["sent", "delivered", "read", "failed"] as const
export type ReportWord = (typeof reportWords)[number]

/** How a report names its message: by the platform's id alone, or by our reference too. */
export interface GivenReport {
  /** Which of the accepted messages; counted from the last one where it is `isRecent`. */
  readonly of: number
  readonly isRecent: boolean
  readonly word: ReportWord
  readonly code: number
  readonly isNamed: boolean
  readonly hasPrice: boolean
  readonly times: number
}

export type Command =
  | { readonly _tag: "Pass"; readonly ms: number }
  | { readonly _tag: "Move"; readonly of: number; readonly to: "running" | "paused" | "cancelled" }
  | { readonly _tag: "Retry"; readonly of: number }
  | { readonly _tag: "Add"; readonly of: number; readonly from: number; readonly people: number }
  | { readonly _tag: "OptOut"; readonly who: number; readonly scope: "marketing" | "all"; readonly isOfNumber: boolean }
  | { readonly _tag: "TakeBackOptOut"; readonly who: number }
  | {
      readonly _tag: "Write"
      readonly who: number
      readonly text: "STOP" | "START" | "Thanks"
      readonly quotes: boolean
    }
  | ({ readonly _tag: "Report" } & GivenReport)
  /** How the next messages are answered. */
  | { readonly _tag: "Outcomes"; readonly outcome: Outcome; readonly times: number }
  /** How the messages are answered from now on. */
  | { readonly _tag: "Mood"; readonly outcome: Outcome }
  | { readonly _tag: "CutStorage"; readonly isCut: boolean }
  | { readonly _tag: "StopStorage"; readonly isDown: boolean }
  | { readonly _tag: "LoseCommits"; readonly commits: number }
  | ({ readonly _tag: "Stall" } & Fault<Edge>)
  | { readonly _tag: "GoOn" }
  | ({ readonly _tag: "Crash" } & Fault<Edge>)

/** A command, and the process that it is given to. */
export type Given = Command & { readonly pick: number }

const tagged = <T extends string>(tag: T) => fc.constant(tag)
const nat = fc.nat({ max: 1000 })
/** Some people are met again and again. */
const who = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 3 }) }, { weight: 2, arbitrary: nat })
const weighed = <A>(...given: ReadonlyArray<readonly [number, A]>): fc.Arbitrary<A> =>
  fc.oneof(...given.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))

const accepts: Outcome = { does: "accept" }
const refuses = (code: number | null, retryAfter: number | null = null): Outcome => ({
  does: "refuse",
  code,
  retryAfter
})

const passing = [131000, 131016, 2] as const
const marketingLimit = 131049
const optedOut = 131050

const outcome: fc.Arbitrary<Outcome> = weighed<Outcome>(
  [2, accepts],
  [2, { does: "hold" }],
  [2, { does: "reject unheard" }],
  [3, { does: "accept unheard" }],
  [4, { does: "accept slowly" }],
  [2, { does: "be unreachable" }],
  [2, refuses(130429)],
  [1, refuses(130429, 2)],
  [3, refuses(passing[0])],
  [2, { does: "refuse slowly", code: passing[1], retryAfter: null }],
  [3, refuses(131056)],
  [2, refuses(marketingLimit)],
  [2, refuses(131026)],
  [1, refuses(optedOut)],
  [1, refuses(132000)],
  [1, refuses(131048)],
  [1, refuses(132015)],
  [1, refuses(190)]
)

/** What lasts: nothing that pauses a campaign. */
const mood: fc.Arbitrary<Outcome> = weighed<Outcome>(
  [5, accepts],
  [1, { does: "hold" }],
  [2, { does: "accept slowly" }],
  [1, refuses(130429)],
  [1, refuses(passing[2])],
  [1, { does: "accept unheard" }]
)

const fault = {
  steps: fc.integer({ min: 1, max: 20 }),
  when: fc.constantFrom("before" as const, "after" as const),
  at: weighed<Edge | null>([3, "storage"], [2, "platform"], [2, null])
}

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      _tag: tagged("Pass"),
      ms: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 700 }) },
        { weight: 4, arbitrary: fc.integer({ min: 700, max: 5000 }) },
        { weight: 2, arbitrary: fc.integer({ min: 5000, max: 180_000 }) }
      )
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: tagged("Move"),
      of: nat,
      to: weighed<"running" | "paused" | "cancelled">([6, "running"], [5, "paused"], [1, "cancelled"])
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Retry"), of: nat }) },
  {
    weight: 2,
    arbitrary: fc.record({
      _tag: tagged("Add"),
      of: nat,
      from: fc.nat({ max: 30 }),
      people: fc.integer({ min: 1, max: 6 })
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: tagged("OptOut"),
      who,
      scope: weighed<"marketing" | "all">([1, "marketing"], [2, "all"]),
      isOfNumber: fc.boolean()
    })
  },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("TakeBackOptOut"), who }) },
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: tagged("Write"),
      who,
      text: weighed<"STOP" | "START" | "Thanks">([3, "STOP"], [1, "START"], [4, "Thanks"]),
      quotes: fc.boolean()
    })
  },
  {
    weight: 9,
    arbitrary: fc.record({
      _tag: tagged("Report"),
      of: nat,
      isRecent: fc.boolean(),
      word: weighed<ReportWord>([2, "sent"], [3, "delivered"], [2, "read"], [4, "failed"]),
      code: weighed([3, marketingLimit], [2, 131026], [2, passing[0]], [1, optedOut], [1, 130472], [1, 131048]),
      isNamed: weighed([3, true], [1, false]),
      hasPrice: fc.boolean(),
      times: weighed([3, 1], [1, 2])
    })
  },
  { weight: 7, arbitrary: fc.record({ _tag: tagged("Outcomes"), outcome, times: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Mood"), outcome: mood }) },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("CutStorage"), isCut: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ _tag: tagged("StopStorage"), isDown: weighed([1, true], [2, false]) }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("LoseCommits"), commits: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("Stall"), ...fault }) },
  { weight: 2, arbitrary: fc.record({ _tag: tagged("GoOn") }) },
  { weight: 9, arbitrary: fc.record({ _tag: tagged("Crash"), ...fault }) }
)

const given: fc.Arbitrary<Given> = fc.tuple(command, nat).map(([one, pick]) => ({ ...one, pick }))

/** A campaign as it begins: whom it writes to, and how. */
const plan = fc.record({
  /** The first of its people, so that two campaigns share some. */
  from: fc.nat({ max: 15 }),
  people: fc.integer({ min: 6, max: 18 }),
  maxPerSecond: weighed<number | null>([2, 3], [3, 8], [1, null]),
  maxPerDay: weighed<number | null>([5, null], [1, 5]),
  maxFailurePercent: weighed([3, 100], [1, 30]),
  retryMarketingLimit: fc.boolean(),
  /** After how many seconds it starts by itself; null where it starts at once. */
  startsAfter: weighed<number | null>([3, null], [1, 2])
})
export type Plan = typeof plan extends fc.Arbitrary<infer A> ? A : never

export const day = fc.record({
  campaigns: fc.array(plan, { minLength: 1, maxLength: 2 }),
  category: fc.constantFrom("UTILITY", "MARKETING"),
  processes: fc.integer({ min: 1, max: 3 }),
  /** Whether campaigns that are paused go on in the end. */
  goesOn: weighed([3, true], [1, false]),
  commands: fc.array(given, { minLength: 12, maxLength: 40, size: "max" })
})
export type Day = typeof day extends fc.Arbitrary<infer A> ? A : never
