/** Bars of elapsed time for tests on machines that other work slows down. */

const rows = Array.from({ length: 1000 }, (_, nth) => ({ nth, text: `row ${nth}` }))

/** What the sample takes on a machine that does nothing else, in milliseconds. */
const usualMs = 2.5

const sampleMs = (): number => {
  const begun = performance.now()
  for (let times = 0; times < 5; times++) JSON.parse(JSON.stringify(rows))
  return performance.now() - begun
}

/** A machine of half the usual speed is one that does nothing else, a little older. */
const slowFrom = 2

/** Other work comes and goes: what a sample sees of it is a part of what the test has met. */
const margin = 4

/**
 * The milliseconds that something may take here which takes at most `ms` on a machine that does nothing else: the same, unless a sample
 * of work shows right now that this machine is slow. A promise about time is then tested by as much less.
 */
export const atMost = (ms: number): number => {
  const slower = Math.max(...Array.from({ length: 5 }, sampleMs)) / usualMs
  return slower < slowFrom ? ms : ms * slower * margin
}
