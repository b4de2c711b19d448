/** Boxes, arrows and words as SVG, on a card of their own that is legible on light and dark pages. A text that does not fit throws. */

export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Tone = "plain" | "good" | "bad" | "outside" | "frame"

export interface Box extends Rect {
  /** The first line is the name; the others explain it. */
  readonly lines: ReadonlyArray<string>
  readonly tone?: Tone
  /** Lines begin at the left edge; without it they stand in the middle. */
  readonly isLeft?: boolean
}

export interface Picture {
  /** What it shows, for those who do not see it. */
  readonly title: string
  readonly width: number
  readonly height: number
  readonly parts: ReadonlyArray<string>
}

const style = `
  text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
  .name { font-weight: 600 } .small { font-size: 12px; fill: #4b535c }
  .card { fill: #ffffff; stroke: #d0d7de } .label { fill: #ffffff }
  .plain { fill: #eaf1fb; stroke: #5b7fb5 } .good { fill: #e8f5e9; stroke: #4f9357 }
  .bad { fill: #fdecea; stroke: #b9655c } .outside { fill: #f7f1e3; stroke: #a98a4b }
  .frame { fill: none; stroke: #8b949e; stroke-dasharray: 2 4 }
  .line { stroke: #57606a; stroke-width: 1.4; fill: none } .dashed { stroke-dasharray: 6 4 } .head { fill: #57606a }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #aab4be }
    .card { fill: #161b22; stroke: #30363d } .label { fill: #161b22 }
    .plain { fill: #1b2a41; stroke: #5b7fb5 } .good { fill: #17301c; stroke: #4f9357 }
    .bad { fill: #3a1d1b; stroke: #b9655c } .outside { fill: #332a16; stroke: #a98a4b }
    .line { stroke: #9aa4af } .head { fill: #9aa4af }
  }`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Upper bound of a text's width: pictures are drawn without a font at hand. */
const widthOf = (text: string, size: "name" | "small" | "plain"): number =>
  text.length * { name: 7.4, plain: 6.8, small: 6.2 }[size]

const at = (value: number): string => String(Math.round(value * 10) / 10)

const kindOf = (nth: number): "name" | "small" => (nth === 0 ? "name" : "small")

const lineHeight = 17
const padding = 8

/** Words that begin at a place, or have it in their middle. */
export const words = (
  text: string,
  { x, y }: Pick<Rect, "x" | "y">,
  {
    anchor = "start",
    kind = "plain"
  }: { readonly anchor?: "start" | "middle"; readonly kind?: "name" | "small" | "plain" } = {}
): string =>
  `<text x="${at(x)}" y="${at(y)}"${anchor === "middle" ? ' text-anchor="middle"' : ""}${kind === "plain" ? "" : ` class="${kind}"`}>${escaped(text)}</text>`

export const box = ({ height, isLeft = false, lines, tone = "plain", width, x, y }: Box): string => {
  const room = width - 2 * padding
  for (const [nth, line] of lines.entries()) {
    const wanted = Math.ceil(widthOf(line, kindOf(nth)))
    if (wanted > room) throw new Error(`"${line}" needs ${wanted} pixels of ${room}`)
  }
  if (lines.length * lineHeight > height - 4) throw new Error(`"${lines[0]}" has too many lines for ${height} pixels`)
  const first = y + (height - lines.length * lineHeight) / 2 + 13
  const texts = lines.map((line, nth) =>
    words(
      line,
      { x: isLeft ? x + padding : x + width / 2, y: first + nth * lineHeight },
      { anchor: isLeft ? "start" : "middle", kind: kindOf(nth) }
    )
  )
  const shape = `<rect class="${tone}" x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" rx="6"/>`
  return [shape, ...texts].join("\n")
}

type Point = readonly [x: number, y: number]

const centre = ({ height, width, x, y }: Rect): Point => [x + width / 2, y + height / 2]

/** Where a straight line from a point inside of a rectangle leaves it. */
const edge = ({ height, width, x, y }: Rect, [fromX, fromY]: Point, [dx, dy]: Point): Point => {
  const reach = (from: number, low: number, size: number, step: number) =>
    step === 0 ? Number.POSITIVE_INFINITY : ((step > 0 ? low + size : low) - from) / step
  const part = Math.min(reach(fromX, x, width, dx), reach(fromY, y, height, dy))
  return [fromX + dx * part, fromY + dy * part]
}

export interface Arrow {
  readonly from: Rect
  readonly to: Rect
  readonly label?: string
  readonly isDashed?: boolean
  /** Pixels to the right of its direction: two arrows between the same boxes stand side by side. */
  readonly shift?: number
  /** Where the label stands, as a part of the way. */
  readonly place?: number
  /** Pixels from the line to the middle of the label, on the side of `shift`: it stands beside the line, not on it. */
  readonly away?: number
}

export const arrow = ({ away = 0, from, isDashed = false, label, place = 0.5, shift = 0, to }: Arrow): string => {
  const [[fromX, fromY], [toX, toY]] = [centre(from), centre(to)]
  const length = Math.hypot(toX - fromX, toY - fromY)
  const side: Point = [-(toY - fromY) / length, (toX - fromX) / length]
  const moved = (rect: Rect): Point => [centre(rect)[0] + side[0] * shift, centre(rect)[1] + side[1] * shift]
  const ends = [edge(from, moved(from), [toX - fromX, toY - fromY]), edge(to, moved(to), [fromX - toX, fromY - toY])]
  return path(ends, { label, isDashed, place, labelShift: [side[0] * away, side[1] * away] })
}

/** An arrow along the given points; the label stands on its longest piece. */
export const path = (
  points: ReadonlyArray<Point>,
  {
    isDashed = false,
    label,
    labelShift = [0, 0],
    place = 0.5
  }: Pick<Arrow, "isDashed" | "place"> & { readonly label?: string | undefined; readonly labelShift?: Point } = {}
): string => {
  const line = `<polyline class="line${isDashed ? " dashed" : ""}" points="${points.map(([x, y]) => `${at(x)},${at(y)}`).join(" ")}" marker-end="url(#head)"/>`
  if (label === undefined) return line
  const pieces = points.slice(1).map((to, nth) => ({ from: points[nth]!, to }))
  const lengthOf = ({ from, to }: (typeof pieces)[number]) => Math.hypot(to[0] - from[0], to[1] - from[1])
  const longest = pieces.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a))
  const along = (axis: 0 | 1) => longest.from[axis] + (longest.to[axis] - longest.from[axis]) * place + labelShift[axis]
  const [x, y] = [along(0), along(1)]
  const width = widthOf(label, "small") + 6
  return [
    line,
    `<rect class="label" x="${at(x - width / 2)}" y="${at(y - 9)}" width="${at(width)}" height="18"/>`,
    words(label, { x, y: y + 4 }, { anchor: "middle", kind: "small" })
  ].join("\n")
}

/** Throws where words that begin at a place reach beyond the card. */
const checkWords = ({ parts, title, width }: Picture): void => {
  for (const [, x, kind, text = ""] of parts
    .join("\n")
    .matchAll(/<text x="([\d.]+)" y="[\d.]+"(?: class="(\w+)")?>(.*?)</g))
    if (Number(x) + widthOf(text, kind === "name" || kind === "small" ? kind : "plain") > width - padding)
      throw new Error(`"${text}" does not fit into "${title}"`)
}

export const svgOf = (picture: Picture): string => {
  checkWords(picture)
  const { height, parts, title, width } = picture
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...parts,
    "</svg>",
    ""
  ].join("\n")
}
