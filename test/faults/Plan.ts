/** What a run does and when, from its seed alone: the load on the product, and the faults. Pure. */
import type { Neighbour } from "./Moods.ts"
import { between, oneOf, type Random, randomOf, weighted, whole } from "./Random.ts"

export type Storage = "sqlite" | "postgres"
export type AccountName = "main" | "limited" | "other"

export interface PlanOptions {
  readonly seed: number
  readonly kills: number
  readonly storage: Storage
  readonly minutes: number
  /** How much of the usual load. */
  readonly load: number
  /** Whether all faults are drawn, or kills alone. */
  readonly isWide: boolean
}

export type LoadStep = { readonly at: number } & (
  | {
      readonly does: "campaign"
      readonly account: AccountName
      readonly numbers: ReadonlyArray<string>
      readonly lines: number
      readonly maxAttempts: number
      readonly detects: boolean
      /** Numbers that are added to the do-not-call list, each some milliseconds after the start. */
      readonly suppressed: ReadonlyArray<{ readonly number: string; readonly afterMs: number }>
    }
  | {
      readonly does: "call"
      readonly account: AccountName
      readonly to: string
      readonly hangsUpAfterMs: number | null
    }
  /** A template campaign to these numbers. */
  | { readonly does: "template"; readonly subject: string; readonly numbers: ReadonlyArray<string> }
  | { readonly does: "message"; readonly customer: string; readonly subject: string }
  | {
      readonly does: "inference"
      readonly subject: string
      readonly kind: "chat" | "speech"
      /** How often the same request is made again once it was answered. */
      readonly repeats: number
      /** Whether the client gives up soon and asks another process. */
      readonly isImpatient: boolean
    }
  /** Chats without an Idempotency-Key, one after the other at one process: whole, streamed, and left in the middle of a stream. */
  | { readonly does: "chats"; readonly subject: string; readonly count: number }
)

/** After an answer of a neighbour to the process; at the planned instant where that does not come in time. */
export interface After {
  readonly neighbour: Neighbour
  readonly delayMs: number
  /** How long the answer is waited for; 4 s by default. */
  readonly withinMs?: number
}

export type Fault = { readonly at: number } & (
  | {
      readonly does: "kill"
      readonly process: number
      readonly after: After | null
      readonly downMs: number
      /** How long the process has been listening by then; null: it may still be starting. */
      readonly upMs: number | null
    }
  | { readonly does: "end"; readonly process: number }
  | { readonly does: "stall"; readonly process: number; readonly after: After | null; readonly forMs: number }
  | { readonly does: "cut" }
  | { readonly does: "database"; readonly forMs: number; readonly isHard: boolean }
  | { readonly does: "outage"; readonly neighbour: Neighbour; readonly forMs: number }
  | { readonly does: "full"; readonly forMs: number }
)

export interface Plan {
  readonly processes: number
  readonly durationMs: number
  readonly load: ReadonlyArray<LoadStep>
  readonly faults: ReadonlyArray<Fault>
}

export const processesOf = (storage: Storage, seed: number): number => (storage === "sqlite" ? 1 : 2 + (seed % 2))

/** A number that nobody has, different for each `n`. */
export const numberOf = (n: number): string => `+1212${String(2_000_000 + n).padStart(7, "0")}`

const campaignStep = (random: Random, at: number, first: number): LoadStep => {
  const account = weighted<AccountName>(random, [
    ["main", 7],
    ["limited", 2],
    ["other", 1]
  ])
  const numbers = Array.from({ length: whole(random, 4, 14) }, (_, nth) => numberOf(first + nth))
  const suppressed = numbers.filter(() => random() < 0.15)
  return {
    ...{ at, does: "campaign", account, numbers },
    lines: whole(random, 1, 5),
    maxAttempts: whole(random, 1, 3),
    detects: random() < 0.2,
    suppressed: suppressed.map((number) => ({ number, afterMs: between(random, 100, 9000) }))
  }
}

/** Steps of one kind, spread over the run. */
const spread = <A>(durationMs: number, perMinute: number, step: (at: number, nth: number) => A): ReadonlyArray<A> => {
  const count = Math.max(1, Math.round((durationMs / 60_000) * perMinute))
  return Array.from({ length: count }, (_, nth) => step(Math.round((durationMs * (nth + 0.3)) / count), nth))
}

const callStep = (random: Random, at: number, nth: number): LoadStep => ({
  ...{ at, does: "call", account: oneOf<AccountName>(random, ["main", "main", "limited", "other"]) },
  to: numberOf(500_000 + nth),
  hangsUpAfterMs: random() < 0.3 ? between(random, 100, 4000) : null
})

/** People whom nothing else writes to, and who do not write themselves. */
export const templateStep = (at: number, nth: number, people: number): LoadStep => ({
  ...{ at, does: "template", subject: `T-${nth}` },
  numbers: Array.from({ length: people }, (_, place) => `1917555${String(nth * 20 + place).padStart(4, "0")}`)
})

const loadOf = ({ load, seed }: PlanOptions, durationMs: number): ReadonlyArray<LoadStep> => {
  const random = randomOf(seed, "load")
  return [
    ...spread(durationMs, 5 * load, (at, nth) => campaignStep(random, at, nth * 20)),
    ...spread(durationMs, 8 * load, (at, nth) => callStep(random, at, nth)),
    ...spread(durationMs, 3 * load, (at, nth) => templateStep(at, nth, 16)),
    ...spread(durationMs, 30 * load, (at, nth): LoadStep => {
      const customer = `1650555${String(1000 + Math.floor(nth / 24) * 4 + whole(random, 0, 3)).padStart(4, "0")}`
      return { at, does: "message", customer, subject: `Q-${nth}${random() < 0.1 ? "L" : ""}` }
    }),
    ...spread(
      durationMs,
      30 * load,
      (at, nth): LoadStep => ({
        ...{ at, does: "inference", subject: `I-${nth}`, kind: random() < 0.75 ? "chat" : "speech" },
        ...{ repeats: whole(random, 0, 2), isImpatient: random() < 0.25 }
      })
    ),
    ...spread(
      durationMs,
      60 * load,
      (at, nth): LoadStep => ({ at, does: "chats", subject: `P-${nth}`, count: whole(random, 3, 9) })
    )
  ].sort((a, b) => a.at - b.at)
}

const afterOf = (random: Random): After => ({
  neighbour: weighted<Neighbour>(random, [
    ["carrier", 4],
    ["chat", 2],
    ["models", 3],
    ["receivers", 2]
  ]),
  delayMs: weighted(random, [
    [0, 3],
    [between(random, 0, 4), 3],
    [between(random, 4, 40), 2]
  ])
})

const killsOf = ({ kills, seed }: PlanOptions, processes: number, durationMs: number): ReadonlyArray<Fault> => {
  const random = randomOf(seed, "kills")
  return Array.from({ length: kills }, (_, nth): Fault => {
    const at = Math.round((durationMs * (nth + random())) / kills)
    const after = random() < 0.6 ? afterOf(random) : null
    const upMs = random() < 0.15 ? null : between(random, 200, 3000)
    return { at, does: "kill", process: whole(random, 0, processes - 1), after, downMs: between(random, 0, 600), upMs }
  })
}

/** What there is beside kills: of each kind a few for every minute. */
const othersOf = (options: PlanOptions, processes: number, durationMs: number): ReadonlyArray<Fault> => {
  const random = randomOf(options.seed, "faults")
  const isPostgres = options.storage === "postgres"
  const process = () => whole(random, 0, processes - 1)
  const of = (perMinute: number, step: (at: number) => Fault) =>
    Array.from({ length: Math.round((durationMs / 60_000) * perMinute) }, () => step(between(random, 0, durationMs)))
  return [
    ...of(1, (at) => ({ at, does: "end", process: process() })),
    ...of(0.8, (at) => ({
      ...{ at, does: "stall", process: process(), after: random() < 0.5 ? afterOf(random) : null },
      forMs: random() < 0.2 ? between(random, 40_000, 90_000) : between(random, 2000, 15_000)
    })),
    ...of(1, (at) => ({
      ...{ at, does: "outage", neighbour: oneOf<Neighbour>(random, ["carrier", "chat", "models", "receivers"]) },
      forMs: between(random, 1000, 12_000)
    })),
    ...(isPostgres
      ? [
          ...of(1, (at): Fault => ({ at, does: "cut" })),
          ...of(0.4, (at): Fault => {
            return { at, does: "database", forMs: between(random, 500, 12_000), isHard: random() < 0.4 }
          })
        ]
      : of(0.5, (at): Fault => ({ at, does: "full", forMs: between(random, 1000, 8000) })))
  ]
}

export const planOf = (options: PlanOptions): Plan => {
  const processes = processesOf(options.storage, options.seed)
  const durationMs = options.minutes * 60_000
  const faults = [
    ...killsOf(options, processes, durationMs),
    ...(options.isWide ? othersOf(options, processes, durationMs) : [])
  ]
  return { processes, durationMs, load: loadOf(options, durationMs), faults: faults.sort((a, b) => a.at - b.at) }
}

const hours = (random: Random): number => Math.round(between(random, -7_200_000, 7_200_000))

/** How far the clock of a process is off, at its nth start. In one run of four that of the second process is off by hours. */
export const skewOf = (seed: number, process: number, start: number): number => {
  const far = randomOf(seed, "far clock")
  if (process === 1 && far() < 0.25) return hours(far)
  const random = randomOf(seed, "skew", process, start)
  return random() < 0.5 ? 0 : Math.round(between(random, -1300, 1300))
}

/** How far the clock of the database server is off: hours, so that comparing it with a process's shows at once. */
export const databaseSkewOf = (seed: number): number => {
  const random = randomOf(seed, "database skew")
  return random() < 0.3 ? 0 : hours(random)
}
