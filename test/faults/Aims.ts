/** Schedules that aim at faults of docs/reference/reliability.md#found, each with a seed's numbers. */
import type { Aimed } from "./NeighbourMessages.ts"
import { type Fault, type LoadStep, numberOf, type Plan, templateStep } from "./Plan.ts"

export interface Aim {
  /** What the neighbours do by their own plan: 0 for good order. */
  readonly trouble: number
  readonly neighbours?: Aimed
  /** Whether there is a second account with many credits; default true. */
  readonly hasOther?: boolean
  readonly plan: (seed: number) => Plan
}

const minute = 60_000

/** Requests whose process stands still past its lease right after the upstream's answer, asked again at the other. */
const stalledKey: Aim = {
  trouble: 0,
  plan: (seed) => {
    const load = Array.from(
      { length: 12 },
      (_, nth): LoadStep => ({
        ...{ at: 1000 + nth * 150, does: "inference", subject: `I-${seed * 100 + nth}`, kind: "speech" },
        ...{ repeats: 1, isImpatient: true }
      })
    )
    const faults: ReadonlyArray<Fault> = [
      {
        ...{ at: 500, does: "stall", process: 0, forMs: 160_000 },
        after: { neighbour: "models", delayMs: 0, withinMs: 60_000 }
      }
    ]
    return { processes: 2, durationMs: 3 * minute, load, faults }
  }
}

/** Orders whose answer is lost, and then no process of ours for longer than the carrier's proof lasts. */
const longOutage: Aim = {
  trouble: 0,
  neighbours: { orders: { does: "break" } },
  plan: () => ({
    processes: 1,
    durationMs: 4 * minute,
    load: Array.from({ length: 8 }, (_, nth): LoadStep => {
      return { at: 500 + nth * 100, does: "call", account: "main", to: numberOf(nth), hangsUpAfterMs: null }
    }),
    // Right after an answer about the calls: the proof has begun.
    faults: [
      {
        ...{ at: 20_000, does: "kill", process: 0, downMs: 200_000, upMs: 0 },
        after: { neighbour: "carrier", delayMs: 20, withinMs: 100_000 }
      }
    ]
  })
}

/** Two accounts call the same numbers; half of the orders never reach the carrier. */
const sharedNumbers: Aim = {
  trouble: 3,
  plan: (seed) => ({
    processes: 1,
    durationMs: 2 * minute,
    load: Array.from({ length: 80 }, (_, nth): LoadStep => {
      const account = nth % 2 === 0 ? "main" : "other"
      return {
        at: 500 + nth * 700,
        does: "call",
        account,
        to: numberOf(seed * 100 + Math.floor(nth / 2)),
        hangsUpAfterMs: null
      }
    }),
    faults: []
  })
}

const campaigns = (count: number, lines: number): ReadonlyArray<LoadStep> =>
  Array.from({ length: count }, (_, nth) => ({
    ...{
      at: 500 + nth * 500,
      does: "campaign",
      account: "main",
      lines,
      maxAttempts: 1,
      detects: false,
      suppressed: []
    },
    numbers: Array.from({ length: 8 }, (_, place) => numberOf(nth * 20 + place))
  }))

/** The carrier never reports an end: of calls that the callee ends, and of those that our side ends. */
const lostEnds: Aim = {
  trouble: 0,
  neighbours: { losesCallbacks: "completed" },
  plan: () => ({
    processes: 1,
    durationMs: minute,
    load: [
      ...campaigns(4, 4),
      ...Array.from({ length: 8 }, (_, nth): LoadStep => {
        const hangsUpAfterMs = nth % 2 === 0 ? 200 : null
        return { at: 4000 + nth * 500, does: "call", account: "main", to: numberOf(500 + nth), hangsUpAfterMs }
      })
    ],
    faults: []
  })
}

/** The carrier never reports that a phone rings, and calls lose the race while theirs does. */
const lostRings: Aim = {
  trouble: 0,
  neighbours: { losesCallbacks: "ringing", ringsLong: true },
  plan: () => ({ processes: 1, durationMs: minute, load: campaigns(8, 5), faults: [] })
}

export const aims: Readonly<Record<string, Aim>> = {
  "lost-ends": lostEnds,
  "shared-numbers": sharedNumbers,
  "stalled-key": stalledKey,
  "long-outage": longOutage,
  "lost-rings": lostRings
}

const shortLoad = (): ReadonlyArray<LoadStep> => [
  {
    ...{ at: 0, does: "campaign", account: "main", numbers: [0, 1, 2, 3].map(numberOf) },
    ...{ lines: 2, maxAttempts: 1, detects: false, suppressed: [{ number: numberOf(3), afterMs: 0 }] }
  },
  { at: 50, does: "call", account: "limited", to: numberOf(10), hangsUpAfterMs: null },
  { at: 4000, does: "call", account: "main", to: numberOf(11), hangsUpAfterMs: 300 },
  templateStep(100, 0, 16),
  ...Array.from({ length: 10 }, (_, nth): LoadStep => {
    return { at: nth * 800, does: "message", customer: `1650555100${nth}`, subject: `Q-${nth}` }
  }),
  ...Array.from(
    { length: 6 },
    (_, nth): LoadStep => ({
      ...{ at: nth * 900, does: "inference", subject: `I-${nth}`, kind: nth % 3 === 0 ? "speech" : "chat" },
      ...{ repeats: 1, isImpatient: false }
    })
  ),
  ...Array.from({ length: 6 }, (_, nth): LoadStep => ({ at: nth * 1300, does: "chats", subject: `P-${nth}`, count: 6 }))
]

/** A little of everything in some seconds: for the tests of every day. */
export const shortRun: Aim = {
  trouble: 0.3,
  hasOther: false,
  plan: () => ({
    processes: 1,
    durationMs: minute,
    load: shortLoad(),
    faults: [
      { at: 500, does: "kill", process: 0, after: { neighbour: "carrier", delayMs: 0 }, downMs: 0, upMs: 0 },
      { at: 600, does: "kill", process: 0, after: { neighbour: "models", delayMs: 1 }, downMs: 0, upMs: 200 },
      { at: 700, does: "kill", process: 0, after: { neighbour: "receivers", delayMs: 0 }, downMs: 0, upMs: 200 }
    ]
  })
}
