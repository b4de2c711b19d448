/** What the product's process and the receiver's agree on. */

/** How long an endpoint that is late takes to answer. */
export const lateMs = 50

/** The same of an endpoint that is slow: it waits, and computes nothing. */
export const slowMs = 200

/** Milliseconds of the machine's monotonic clock, which is the same in every process. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6
