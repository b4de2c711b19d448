/** Months of UTC as bounds of ids: a UUID of version 7 begins with the milliseconds of its creation. */
import { Instant } from "@trunkline/core/storage"

/** When an id was made, where it is of version 7. */
export const instantOf = (id: string): Instant.Instant =>
  Instant.make(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16))

/** The first instant of a month, some months after that of an instant. */
export const monthStart = (at: number, monthsLater = 0): Instant.Instant => {
  const date = new Date(at)
  return Instant.make(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1))
}

/** `2026_12`. */
export const monthName = (start: number): string => new Date(start).toISOString().slice(0, 7).replace("-", "_")

/** Ids of version 7 made by a clock in order; random ids look as if they came from far away. */
const maxInstant = Date.UTC(9000, 0, 1)

export const isPlausible = (at: number): boolean => at < maxInstant
