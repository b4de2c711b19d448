/** Splits a long text into messages where a reader would. Pure. Source: docs/reference/messaging.md#splitting. */

import { afterPoints, isLonger } from "../../platform/kernel/index.ts"
import { isBoundary } from "./Graphemes.ts"
import { type Cut, countBefore, cutAt, fenceAround, gapAround, type Layout, layOut, zones } from "./TextLayout.ts"

// Words of scripts without spaces come out of a dictionary, whichever language is named.
const words = new Intl.Segmenter("en", { granularity: "word" })
const sentences = new Intl.Segmenter("en", { granularity: "sentence" })

/** The longest text of one message, in code points. */
export const maxTextLength = 4096

/**
 * The parts of a text, in order: each of 1 to `limit` code points, well-formed and not blank. A text that fits is its own
 * only part, a blank one has none. Joined, the parts are the text, up to white space where it was broken and the marks of
 * code fences that were closed and opened again. Throws a `RangeError` for a limit below 1.
 * Source: docs/reference/messaging.md#splitting.
 *
 * @example splitText("One. Two.", 5) // ["One.", "Two."]
 */
export const splitText = (given: string, limit: number = maxTextLength): ReadonlyArray<string> => {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError("A part must have room for one character")
  const text = given.toWellFormed()
  if (text.trim() === "") return []
  if (!isLonger(text, limit)) return [text]
  const layout = layOut(text, limit)
  const parts: Array<string> = []
  for (let from = gapAround(layout, 0)?.to ?? 0; from < layout.end; ) {
    const opening = fenceAround(layout, from)?.open ?? ""
    // Marks of fences are ASCII: they have as many code points as units.
    const room = limit - opening.length
    const isLast = afterPoints(text, from, room) >= layout.end
    const { at, next } = isLast ? { at: layout.end, next: layout.end } : cutAfter(layout, from, room)
    const closing = isLast ? "" : (fenceAround(layout, at)?.close ?? "")
    // A grapheme too large for a part may hold white space, and be cut at it.
    if (text.slice(from, at).trim() !== "") parts.push(opening + text.slice(from, at) + closing)
    from = next
  }
  return parts
}

const kinds = ["paragraph", "line", "sentence", "space", "word"] as const
type Kind = (typeof kinds)[number]

/** Where to look for a cut, best first; there, the better kind wins, and of one kind the latest place. */
const preferences: ReadonlyArray<{
  readonly share: number
  readonly zone: number
  readonly kinds: ReadonlyArray<Kind>
}> = [
  { share: 1 / 2, zone: zones.open, kinds },
  { share: 1 / 2, zone: zones.fenced, kinds: ["paragraph", "line"] },
  { share: 0, zone: zones.open, kinds },
  { share: 1 / 2, zone: zones.run, kinds },
  { share: 1 / 2, zone: zones.fenced, kinds: ["space", "word"] }
]

/** The best cut within this number of code points. */
const cutAfter = (layout: Layout, from: number, room: number): Cut => {
  /** How far a part goes that ends with this number of characters of marks. */
  const reachWith = (marks: number): number => afterPoints(layout.text, from, room - marks)
  const reach = reachWith(0)
  const torn = fenceAround(layout, reach)
  const inTorn = torn === undefined ? reach : reachWith(torn.close.length)
  const fits = ({ at }: Cut): boolean => at <= (torn !== undefined && at > torn.at ? inTorn : reach)

  const known = new Map<Kind, ReadonlyArray<Cut>>()
  const cutsOf = (kind: Kind): ReadonlyArray<Cut> => {
    const cuts = known.get(kind) ?? allCuts[kind](layout, from, reach, kind).filter(fits)
    known.set(kind, cuts)
    return cuts
  }
  for (const { kinds, share, zone } of preferences) {
    for (const kind of kinds) {
      const cut = cutsOf(kind).findLast(({ at }) => layout.zone[at] === zone && at > from + (reach - from) * share)
      if (cut !== undefined) return cut
    }
  }
  const whole = latest(layout, reachWith, (place) => layout.graphemes.containing(place)?.index ?? place)
  return cutAt(layout, whole > from ? whole : latest(layout, reachWith, (place) => pointAt(layout.text, place)))
}

/** Where the character begins that a place is in. */
const pointAt = (text: string, place: number): number => {
  const isInside = /[\udc00-\udfff]/.test(text.charAt(place)) && /[\ud800-\udbff]/.test(text.charAt(place - 1))
  return isInside ? place - 1 : place
}

/** The latest place that may be cut, which `down` finds at or before a given one. */
const latest = (layout: Layout, reachWith: (marks: number) => number, down: (place: number) => number): number => {
  const place = down(reachWith(0))
  const fence = fenceAround(layout, place)
  if (fence === undefined) return place
  const inside = down(Math.min(reachWith(fence.close.length), fence.last - 1))
  return inside > fence.first ? inside : fence.at
}

type Cuts = (layout: Layout, from: number, reach: number, kind: Kind) => ReadonlyArray<Cut>

const gapsWithin: Cuts = ({ gaps }, from, reach, wanted) =>
  gaps.slice(countBefore(gaps, from), countBefore(gaps, reach + 1)).filter(({ kind }) => kind === wanted)

/** Ends of segments. A few units more than needed are read, because what follows decides whether one ends. */
const ends = ({ text }: Layout, segmenter: Intl.Segmenter, from: number, reach: number): ReadonlyArray<number> =>
  [...segmenter.segment(text.slice(from, reach + 64))].map(({ index, segment }) => from + index + segment.length)

/** An initial, a title, a short abbreviation or the number of an item: `Intl.Segmenter` ends a sentence at its point. */
const unfinished = /(?:^|[\s("'])(?:\p{L}|\p{Lu}\p{Ll}{1,2}|\d+)\.$/u

const sentencesWithin: Cuts = (layout, from, reach) =>
  ends(layout, sentences, from, reach)
    .map((end) => cutAt(layout, end))
    .filter(({ at }) => isBoundary(layout.graphemes, at))
    .filter(({ at }) => !unfinished.test(layout.text.slice(Math.max(from, at - 8), at)))

/** Between words without space: not after a sign that opens, nor before any other. */
const wordsWithin: Cuts = (layout, from, reach) =>
  ends(layout, words, from, reach)
    .filter((end) => gapAround(layout, end) === undefined)
    .filter((end) => !/^(?![\p{Ps}\p{Pi}])[\p{P}\p{S}]/u.test(layout.text.slice(end, end + 2)))
    .filter((end) => !/[\p{Ps}\p{Pi}\p{Sc}#@]$/u.test(layout.text.slice(end - 2, end)))
    .filter((end) => isBoundary(layout.graphemes, end))
    .map((end) => ({ at: end, next: end }))

const allCuts: Readonly<Record<Kind, Cuts>> = {
  paragraph: gapsWithin,
  line: gapsWithin,
  space: gapsWithin,
  sentence: sentencesWithin,
  word: wordsWithin
}
