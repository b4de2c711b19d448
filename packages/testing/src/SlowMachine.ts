/** Measures how slow this machine is, so that other work fails no test of a promise about time. */

const rows = Array.from({ length: 1000 }, (_, nth) => ({ nth, text: `row ${nth}` }))

/** What the sample takes on a machine of two cores in a moment without other work, in milliseconds. */
const usualMs = 6

const freshBytes = 8 * 1024 * 1024

/** Work of the processor, and of the memory: either may be what other work takes. */
const sampleMs = (): number => {
  const begun = performance.now()
  for (let times = 0; times < 5; times++) JSON.parse(JSON.stringify(rows))
  new Uint8Array(freshBytes).fill(1)
  return performance.now() - begun
}

/** A machine of half the usual speed is one that does nothing else, a little older. */
const slowFrom = 2

const tooSlowFrom = 5

/** Other work comes and goes: what a sample sees of it is a part of what the test has met. */
const margin = 4

/** The slowest that this machine has been so far: one that was slow during a test may be quick at its end. */
let slowest = 1

/** A sample takes 30 ms, which tests that begin many sessions would spend again and again: one a second is enough. */
const sampleEveryMs = 1000

let sampledAt = Number.NEGATIVE_INFINITY

const sample = (): void => {
  if (performance.now() - sampledAt < sampleEveryMs) return
  const samples = Array.from({ length: 5 }, sampleMs).sort((one, other) => one - other)
  slowest = Math.max(slowest, samples[2]! / usualMs)
  sampledAt = performance.now()
}

// What is not compiled yet takes longer, on every machine.
for (let times = 0; times < 4; times++) sampleMs()
sample()

/**
 * How much faster than the machine's clock that of a test runs: as much less as this machine is slower, so that what takes its time
 * is not late for the product.
 */
export const clockSpeed = (speed: number): number => {
  sample()
  return slowest < slowFrom ? speed : Math.max(1, Math.round(speed / slowest))
}

/** True where this machine is too slow for anything that must happen in real time, such as sound. */
export const isTooSlow = (): boolean => {
  sample()
  return slowest > tooSlowFrom
}

/**
 * The milliseconds that something may take here which takes at most `ms` on a machine that does nothing else: the same, unless samples
 * of work have shown that this machine is slow. A promise about time is then tested by as much less.
 */
export const atMost = (ms: number): number => {
  sample()
  return slowest < slowFrom ? ms : ms * slowest * margin
}
