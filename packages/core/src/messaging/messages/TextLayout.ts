/** Where a text may be split: its white space, its code fences, and the parts that are kept whole. Pure. Source: docs/reference/messaging.md#splitting. */
import { codePoints } from "../../platform/kernel/index.ts"
import { type Fence, fencesOf } from "./CodeFences.ts"
import { graphemes, isBoundary } from "./Graphemes.ts"

/** A part ends at one place, and the next begins at another: white space in between goes. */
export interface Cut {
  readonly at: number
  readonly next: number
}

/** White space, as far as no grapheme needs it: a space that carries an accent is none. */
export interface Gap extends Cut {
  readonly to: number
  readonly kind: "paragraph" | "line" | "space"
}

/** What a place lies in. A `run` is a URL, inline code or emphasis; within the `marks` of a fence nothing is cut. */
export const zones = { open: 0, run: 1, fenced: 2, marks: 3 } as const

export interface Layout {
  readonly text: string
  readonly limit: number
  /** Where the white space begins in which the text ends. */
  readonly end: number
  readonly gaps: ReadonlyArray<Gap>
  readonly fences: ReadonlyArray<Fence>
  /** The zone of each place between two units. */
  readonly zone: Uint8Array
  readonly graphemes: Intl.Segments
}

export const layOut = (text: string, limit: number): Layout => {
  const segments = graphemes.segment(text)
  const fences = fencesOf(text, limit, segments)
  const gaps = [...gapsOf(text, limit, segments)]
  const last = gaps.at(-1)
  const end = last?.to === text.length ? last.at : text.length
  return { text, limit, end, gaps, fences, zone: zonesOf(text, fences), graphemes: segments }
}

const newline = /\r\n|[\n\r\v\f\u2028\u2029]/g

/** Indentation is kept where neither it nor the grapheme that it leads to is longer than a quarter of a part. */
function* gapsOf(text: string, limit: number, segments: Intl.Segments): Generator<Gap> {
  for (const { 0: white, index } of text.matchAll(/\s+/g)) {
    const [at, to] = edgesOf(text, index, index + white.length)
    if (at >= to) continue
    const lines = [...text.slice(at, to).matchAll(newline)]
    const last = lines.at(-1)
    const line = last === undefined ? to : at + last.index + last[0].length
    const kind = lines.length > 1 ? "paragraph" : lines.length === 1 ? "line" : "space"
    const isKept = line < to && Math.max(to - line, codePoints(segments.containing(to)?.segment ?? "")) <= limit / 4
    yield { at, to, next: isKept ? line : to, kind }
  }
}

/** No character before this one joins another, and asking costs more than all the rest. */
const firstJoining = 0x300

/** The edges of white space without what belongs to the grapheme before or after it. */
const edgesOf = (text: string, at: number, to: number): readonly [at: number, to: number] => {
  const joins = (unit: number, place: number): boolean =>
    text.charCodeAt(unit) >= firstJoining &&
    !isBoundary(graphemes.segment(text.slice(Math.max(0, place - 2), place + 2)), Math.min(2, place))
  return [joins(at - 1, at) ? at + 1 : at, joins(to, to) ? to - 1 : to]
}

/** Each reads a character at most once, so that no text makes them slow. */
const runs = [
  /(?:https?:\/\/|www\.)[!-~\u00a1-\u024f]+/gi,
  /(?<![\w.+-])[\w.+-]+@[\w.-]+/g,
  /\[[^[\]\n]*\]\([^()\s]*\)/g,
  /`{1,2}[^`\n]+`{1,2}/g,
  /\*{1,3}(?![\s*])[^*\n]+\*{1,3}/g,
  /~{1,2}(?![\s~])[^~\n]+~{1,2}/g,
  /(?<![\p{L}\p{N}_])_{1,3}(?![\s_])[^_\n]+_{1,3}(?![\p{L}\p{N}_])/gu
]

const zonesOf = (text: string, fences: ReadonlyArray<Fence>): Uint8Array => {
  const zone = new Uint8Array(text.length + 1)
  for (const run of runs)
    for (const { 0: found, index } of text.matchAll(run)) zone.fill(zones.run, index + 1, index + found.length)
  for (const { at, first, last, to } of fences) {
    zone.fill(zones.marks, at + 1, to)
    zone.fill(zones.fenced, first + 1, last)
  }
  return zone
}

/** How many of these lie before a place. They are in order, and do not overlap. */
export const countBefore = (sorted: ReadonlyArray<{ readonly at: number }>, place: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.at < place) low = middle + 1
    else high = middle
  }
  return low
}

/** The fence that a place is inside of. */
export const fenceAround = ({ fences }: Layout, place: number): Fence | undefined => {
  const fence = fences[countBefore(fences, place) - 1]
  return fence !== undefined && place < fence.to ? fence : undefined
}

/** The white space that a place touches. */
export const gapAround = ({ gaps }: Layout, place: number): Gap | undefined => {
  const gap = gaps[countBefore(gaps, place + 1) - 1]
  return gap !== undefined && place <= gap.to ? gap : undefined
}

/** A cut at a place, or around the white space that it touches. */
export const cutAt = (layout: Layout, place: number): Cut => gapAround(layout, place) ?? { at: place, next: place }
