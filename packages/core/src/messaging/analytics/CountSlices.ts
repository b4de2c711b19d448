/** Parts of a period that are counted one after another, so that no count keeps a process busy for long. Pure. */
import { Instant } from "../../platform/kernel/index.ts"
import type { DividedPeriod } from "./AnalyticsPeriods.ts"
import type { StatusCount } from "./DeliveryRows.ts"

/** Longest part of a period that is counted at once. */
const maxSliceMs = Instant.day

/** Intervals one behind the other, which are whole intervals of the period or pieces of one. */
export interface CountSlice {
  /** The first instant of each, and the end of the last one. */
  readonly bounds: ReadonlyArray<Instant.Instant>
  /** The place of each in the period. */
  readonly places: ReadonlyArray<number>
}

interface Piece {
  readonly from: Instant.Instant
  readonly to: Instant.Instant
  readonly place: number
}

/** An interval in pieces of at most a day, but for what comes after `at`: nothing but what a clock that is ahead has written. */
const piecesOf = ({ from, place, to }: Piece, at: Instant.Instant): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let start = from
  for (let cut = Instant.plus(from, maxSliceMs); cut < Instant.earlier(to, at); cut = Instant.plus(cut, maxSliceMs)) {
    pieces.push({ from: start, to: cut, place })
    start = cut
  }
  return [...pieces, { from: start, to, place }]
}

/** The slices of a period, each of at most a day, as it is at an instant. */
export const countSlices = ({ bounds }: DividedPeriod, at: Instant.Instant): ReadonlyArray<CountSlice> => {
  const pieces = bounds.slice(1).flatMap((to, place) => piecesOf({ from: bounds[place]!, to, place }, at))
  const slices: Array<Array<Piece>> = []
  for (const piece of pieces) {
    const slice = slices.at(-1)
    const fits = slice !== undefined && Instant.earlier(piece.to, at) - slice[0]!.from <= maxSliceMs
    if (fits) slice.push(piece)
    else slices.push([piece])
  }
  return slices.map((slice) => ({
    bounds: [...slice.map(({ from }) => from), slice.at(-1)!.to],
    places: slice.map(({ place }) => place)
  }))
}

/** Counts of a slice, by the places of the period. */
export const placed = ({ places }: CountSlice, counts: ReadonlyArray<StatusCount>): ReadonlyArray<StatusCount> =>
  counts.map((count) => ({ ...count, place: places[count.place]! }))
