/** Bounds that an option has for hosts and in files alike. Pure. */
import * as Schema from "effect/Schema"

interface Bounds {
  readonly min: number
  readonly max: number
}

/** Of a time to wait, in milliseconds: ten minutes at most. */
export const timeoutBounds = { min: 1, max: 600_000 } as const

/** A whole number within bounds, or none. */
export const between = ({ max, min }: Bounds) =>
  Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max })))
