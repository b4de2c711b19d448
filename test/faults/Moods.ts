/** How a neighbour treats its nth request, and what becomes of its nth callback: from the seed alone. */
import { between, randomOf, weighted } from "./Random.ts"

export const neighbours = ["carrier", "chat", "models", "receivers"] as const
export type Neighbour = (typeof neighbours)[number]

export type Mood =
  /** Does what it is asked, after a while. */
  | { readonly does: "serve"; readonly afterMs: number }
  /** Answers this status and does nothing. */
  | { readonly does: "refuse"; readonly status: number }
  /** Closes the connection and does nothing. */
  | { readonly does: "break" }
  /** Does it, and closes the connection. */
  | { readonly does: "lose" }
  /** Does it, and answers this status all the same. */
  | { readonly does: "fail"; readonly status: number }
  /** Does it, and never answers. */
  | { readonly does: "hang" }

type Does = Mood["does"] | "slow"

const rates: Readonly<Record<Neighbour, ReadonlyArray<readonly [Does, number]>>> = {
  carrier: [
    ["serve", 86],
    ["slow", 5],
    ["refuse", 2],
    ["break", 2],
    ["lose", 2],
    ["fail", 2],
    ["hang", 1]
  ],
  chat: [
    ["serve", 88],
    ["slow", 5],
    ["refuse", 3],
    ["break", 1],
    ["lose", 1],
    ["fail", 1],
    ["hang", 1]
  ],
  models: [
    ["serve", 86],
    ["slow", 8],
    ["refuse", 3],
    ["break", 2],
    ["lose", 1]
  ],
  receivers: [
    ["serve", 80],
    ["slow", 8],
    ["refuse", 6],
    ["break", 2],
    ["lose", 2],
    ["fail", 2]
  ]
}

/** `trouble` scales how often anything but good order is chosen; 0 is a neighbour in good order. */
export const moodOf = (seed: number, neighbour: Neighbour, nth: number, trouble: number): Mood => {
  const random = randomOf(seed, neighbour, nth)
  const scaled = rates[neighbour].map(([does, rate]) => [does, does === "serve" ? rate : rate * trouble] as const)
  const does = weighted(random, scaled)
  if (does === "serve") return { does, afterMs: between(random, 0, 60) }
  if (does === "slow") return { does: "serve", afterMs: between(random, 500, 4000) }
  if (does === "refuse" || does === "fail") return { does, status: weighted(random, statuses) }
  return { does }
}

const statuses = [
  [500, 1],
  [502, 1],
  [503, 2]
] as const

/** Waits in milliseconds after which a callback is sent: none where it is lost, several where it is repeated. */
export const callbackWaits = (seed: number, call: number, event: string, trouble: number): ReadonlyArray<number> => {
  const random = randomOf(seed, "callback", call, event)
  const fate = weighted(random, [
    ["sent", 80],
    ["lost", 8 * trouble],
    ["late", 7 * trouble],
    ["repeated", 5 * trouble]
  ] as const)
  const soon = between(random, 0, 80)
  if (fate === "lost") return []
  if (fate === "late") return [between(random, 1000, 20_000)]
  return fate === "repeated" ? [soon, soon + between(random, 5, 9000)] : [soon]
}

export interface Phone {
  readonly does: "answer" | "machine" | "busy" | "ring-out" | "fail"
  readonly queueMs: number
  readonly ringMs: number
  readonly talkMs: number
}

/** One phone in five answers soon, all others ring for long: somebody wins while they ring. */
const longRings = (call: number): Phone => ({
  ...{ does: "answer", queueMs: 50, ringMs: call % 5 === 0 ? 3000 : 25_000, talkMs: 1000 }
})

/** What becomes of the carrier's nth call. */
export const phoneOf = (seed: number, call: number, ringsLong = false): Phone => {
  if (ringsLong) return longRings(call)
  const random = randomOf(seed, "phone", call)
  return {
    does: weighted(random, [
      ["answer", 62],
      ["machine", 8],
      ["busy", 10],
      ["ring-out", 12],
      ["fail", 8]
    ] as const),
    queueMs: between(random, 20, 300),
    ringMs: between(random, 100, 2500),
    // A few talk into their second minute.
    talkMs: random() < 0.03 ? between(random, 62_000, 70_000) : between(random, 300, 6000)
  }
}
