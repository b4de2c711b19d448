/** Splits a long text into messages where a reader would. Pure. Source: docs/messaging.md#splitting. */

import { afterPoints, codePoints, isLonger } from "../kernel/index.ts"

/** What the platform takes as the text of one message, in code points. */
export const longestText = 4096

/**
 * The parts of a text, in order: each of 1 to `limit` code points, well-formed and not blank. A text that fits is its own
 * only part, a blank one has none. Joined, the parts are the text, up to white space where it was broken and the marks of
 * code fences that were closed and opened again. Throws a `RangeError` for a limit below 1.
 * Source: docs/messaging.md#splitting.
 *
 * @example splitText("One. Two.", 5) // ["One.", "Two."]
 */
export const splitText = (given: string, limit: number = longestText): ReadonlyArray<string> => {
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

/** A part ends at one place, and the next begins at another: white space in between goes. */
interface Cut {
  readonly at: number
  readonly next: number
}

/** White space, as far as no grapheme needs it: a space that carries an accent is none. */
interface Gap extends Cut {
  readonly to: number
  readonly kind: "paragraph" | "line" | "space"
}

interface Fence {
  readonly at: number
  readonly to: number
  /** What opens it again, its language included, and what closes it. */
  readonly open: string
  readonly close: string
  /** The first thing inside that can be seen, and the end of the last: no block is empty after a cut. */
  readonly first: number
  readonly last: number
}

/** What a place lies in. A `run` is a URL, inline code or emphasis; within the `marks` of a fence nothing is cut. */
const zones = { open: 0, run: 1, fenced: 2, marks: 3 } as const

interface Layout {
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

// With a language, because the default is the machine's, and one text is split in one way everywhere. Words of scripts
// without spaces come out of a dictionary whichever language is named.
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
const words = new Intl.Segmenter("en", { granularity: "word" })
const sentences = new Intl.Segmenter("en", { granularity: "sentence" })

const layOut = (text: string, limit: number): Layout => {
  const segments = graphemes.segment(text)
  const fences = fencesOf(text, limit, segments)
  const gaps = [...gapsOf(text, limit, segments)]
  const last = gaps.at(-1)
  const end = last?.to === text.length ? last.at : text.length
  return { text, limit, end, gaps, fences, zone: zonesOf(text, fences), graphemes: segments }
}

/** True where a grapheme begins. */
const isBoundary = (segments: Intl.Segments, at: number): boolean => (segments.containing(at)?.index ?? at) === at

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

/** Leaves to a neighbour's grapheme the white space that it has taken in. */
const edgesOf = (text: string, at: number, to: number): readonly [at: number, to: number] => {
  const joins = (unit: number, place: number): boolean =>
    text.charCodeAt(unit) >= firstJoining &&
    !isBoundary(graphemes.segment(text.slice(Math.max(0, place - 2), place + 2)), Math.min(2, place))
  return [joins(at - 1, at) ? at + 1 : at, joins(to, to) ? to - 1 : to]
}

/**
 * From three or more backticks to the next that are as many. What is never closed is text, and so is what has marks that
 * would take more than half of a part.
 */
const fencesOf = (text: string, limit: number, segments: Intl.Segments): ReadonlyArray<Fence> => {
  const ticks = [...text.matchAll(/`{3,}/g)]
  const fences: Array<Fence> = []
  for (let i = 0; i < ticks.length; i++) {
    const [opening, length] = [ticks[i]!, ticks[i]![0].length]
    let j = i + 1
    while (j < ticks.length && ticks[j]![0].length < length) j += 1
    const closing = ticks[j]
    if (closing === undefined) continue
    const fence = fenceOf(text, opening.index, closing.index, length)
    const { at, close, first, last, open, to } = fence
    const marks = Math.max(open.length, first - at) + Math.max(close.length, to - last)
    const isWhole = isBoundary(segments, at) && isBoundary(segments, to)
    if (isWhole && first < last && marks <= limit / 2) fences.push(fence)
    i = j
  }
  return fences
}

/** What may stand in front of a fence that names a language. A longer indentation is none. */
const lineStart = /(?:^|[\n\r])[ \t]*$/
const longestIndentation = 64

/** `length`: of the backticks that open it. */
const fenceOf = (text: string, at: number, closing: number, length: number): Fence => {
  const ticks = text.slice(at, at + length)
  const startsLine = lineStart.test(text.slice(Math.max(0, at - longestIndentation), at))
  const [language = ""] = startsLine ? (/^[\w+#.-]*[ \t]*\r?\n/.exec(text.slice(at + length, closing)) ?? []) : []
  const from = at + length + language.length
  const inside = text.slice(from, closing)
  const isBlock = language !== "" || inside.includes("\n")
  return {
    at,
    to: closing + (/^`+/.exec(text.slice(closing))?.[0].length ?? 0),
    open: isBlock ? ticks + (language || "\n") : ticks,
    close: isBlock ? `\n${ticks}` : ticks,
    first: closing - inside.trimStart().length,
    last: from + inside.trimEnd().length
  }
}

/** Each takes one look at a character at most, so that no text makes them slow. */
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

/** How many of them lie before a place. They are in order, and do not overlap. */
const before = (sorted: ReadonlyArray<{ readonly at: number }>, place: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.at < place) low = middle + 1
    else high = middle
  }
  return low
}

/** The fence that a place is inside of. */
const fenceAround = ({ fences }: Layout, place: number): Fence | undefined => {
  const fence = fences[before(fences, place) - 1]
  return fence !== undefined && place < fence.to ? fence : undefined
}

/** The white space that a place touches. */
const gapAround = ({ gaps }: Layout, place: number): Gap | undefined => {
  const gap = gaps[before(gaps, place + 1) - 1]
  return gap !== undefined && place <= gap.to ? gap : undefined
}

const cutAt = (layout: Layout, place: number): Cut => gapAround(layout, place) ?? { at: place, next: place }

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

/** The best cut within so many code points. */
const cutAfter = (layout: Layout, from: number, room: number): Cut => {
  /** How far a part goes that ends with so many characters of marks. */
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
  gaps.slice(before(gaps, from), before(gaps, reach + 1)).filter(({ kind }) => kind === wanted)

/** Ends of segments. A few units more than needed are looked at, because what follows decides whether one ends. */
const ends = ({ text }: Layout, segmenter: Intl.Segmenter, from: number, reach: number): ReadonlyArray<number> =>
  [...segmenter.segment(text.slice(from, reach + 64))].map(({ index, segment }) => from + index + segment.length)

/** An initial, a short abbreviation or the number of an item: its point ends no sentence. */
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
