/** Code fences of a text: where they are, and how a part closes one and the next part opens it again. Pure. Source: docs/reference/messaging.md#splitting. */
import { isBoundary } from "./Graphemes.ts"

export interface Fence {
  readonly at: number
  readonly to: number
  /** What opens it again, its language included, and what closes it. */
  readonly open: string
  readonly close: string
  /** The first thing inside that can be seen, and the end of the last: no block is empty after a cut. */
  readonly first: number
  readonly last: number
}

/**
 * From three or more backticks to the next that are as many. A fence that is never closed is text, and so is one with marks that
 * would take more than half of a part.
 */
export const fencesOf = (text: string, limit: number, segments: Intl.Segments): ReadonlyArray<Fence> => {
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

/** What may stand in front of a fence that names a language. Indentation that is longer does not count. */
const lineStart = /(?:^|[\n\r])[ \t]*$/
const maxIndentation = 64

/** `length`: of the backticks that open it. */
const fenceOf = (text: string, at: number, closing: number, length: number): Fence => {
  const ticks = text.slice(at, at + length)
  const startsLine = lineStart.test(text.slice(Math.max(0, at - maxIndentation), at))
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
