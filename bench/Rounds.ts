/** Variants of one piece of work, measured in turns, so that whatever disturbs the machine disturbs them all. */

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface Plan {
  /** Rounds that count. */
  readonly rounds: number
  /** Rounds before them, which do not. */
  readonly warmUp: number
}

export type Times<Name extends string> = Record<Name, ReadonlyArray<number>>

/**
 * Milliseconds, or whatever else a variant answers with, of each variant in each round that counts. No collection is forced between
 * rounds: V8 throws compiled code away in it, which costs a long program more than a short one, and no process in production does it.
 */
export const interleaved = async <Name extends string>(
  { rounds, warmUp }: Plan,
  variants: Readonly<Record<Name, (round: number) => number | Promise<number>>>
): Promise<Times<Name>> => {
  const names = Object.keys(variants) as Array<Name>
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Array<number>>
  for (let round = -warmUp; round < rounds; round++) {
    // Each is first, and each is last, equally often.
    const from = (round + warmUp) % names.length
    for (const name of [...names.slice(from), ...names.slice(0, from)]) {
      const measured = await variants[name](round)
      if (round >= 0) times[name].push(measured)
    }
  }
  return times
}

/** The median over the rounds of what one variant took in terms of another, within the same round. */
export const ratio = <Name extends string>(times: Times<Name>, of: Name, to: Name): number =>
  median(times[of].map((time, round) => time / times[to][round]!))

/** How long some work takes, in milliseconds. */
export const timed = async (work: () => unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The same for work that is over when it returns: no turn of the event loop is measured along. */
export const timedSync = (work: () => void): number => {
  const began = performance.now()
  work()
  return performance.now() - began
}
