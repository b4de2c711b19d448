/**
 * Measures how the time of a function grows with its text: the processor time of this thread, which others who use the machine
 * do not take part in. What they do to its caches only adds to a time, so the least of several counts.
 */

/** A text that is read in less than this stalls nobody, and is too short a time to measure. */
const measurableMs = 1
/** How often both times are measured, at most: what is linear shows it soon, another function never. */
const attempts = 12
/** For what is slow enough, fewer times are certain. */
const longMsOfAll = 200
/** A growth that once is enough to see: what looks at every pair of places seldom seems to grow by less than four times. */
const plainlyLinear = 2.4

/** Characters beyond which a function is not tried: what looks at every pair of places takes a measurable time long before. */
const longest = 8192
/** Parts of the longest text that are tried, the shortest first, so that none is read that takes a function for ever. */
const parts = [1 / 64, 1 / 16, 1 / 4, 1]

export interface Growth {
  /** Characters of the shorter one of the two texts. */
  readonly length: number
  /** By how many times the time grows when the text is doubled. */
  readonly factor: number
  /** Milliseconds for the longer text. */
  readonly ms: number
}

type Read = (text: string) => unknown

const processorMs = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** Milliseconds for a text, read a number of times. */
const timeOf = async (read: Read, text: string, times = 1): Promise<number> => {
  const begun = processorMs()
  for (let time = 0; time < times; time++) {
    try {
      await read(text)
    } catch (error) {
      // A text may be refused. What cannot even be called is no function of the table.
      if (error instanceof TypeError) throw error
    }
  }
  return processorMs() - begun
}

/** The least of a few times, or the first one that is too short to measure. */
const leastTime = async (read: Read, text: string): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && least >= measurableMs; run++) least = Math.min(least, await timeOf(read, text))
  return least
}

/** Least times of a text, and of one that is four times as long. */
const leastTimes = async (read: Read, textOf: (length: number) => string, length: number, enough: number) => {
  const [short, long] = [textOf(length), textOf(4 * length)]
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0, spent = 0; attempt < attempts && (attempt < 3 || spent < longMsOfAll); attempt++) {
    // The longer one first: code that is not compiled yet makes a growth seem larger, never smaller.
    const ms = await timeOf(read, long)
    spent += ms
    longMs = Math.min(longMs, ms)
    // As long as the other text takes: what interrupts a run is as likely in the one as in the other.
    shortMs = Math.min(shortMs, (await timeOf(read, short, 4)) / 4)
    if (Math.sqrt(longMs / shortMs) <= (attempt > 1 ? enough : plainlyLinear)) break
  }
  return { factor: Math.sqrt(longMs / shortMs), ms: longMs }
}

/**
 * How the time grows when the text is doubled, over two doublings, from the shortest text on that takes a measurable time; null where
 * no text up to `most` characters does. Measured until the growth is `enough`, or often enough to be sure that it is not.
 */
export const growthOf = async (
  read: Read,
  textOf: (length: number) => string,
  { enough, most }: { readonly most: number; readonly enough: number }
): Promise<Growth | null> => {
  for (const part of parts) {
    const length = Math.ceil(part * Math.min(most, longest))
    if ((await leastTime(read, textOf(length))) < measurableMs) continue
    const times = await leastTimes(read, textOf, length, enough)
    if (times.factor <= enough || times.ms > 8 * measurableMs) return { length, ...times }
  }
  return null
}
