/** Curves as pictures: an SVG file for each, written by hand, readable on light and dark pages. */
import { mkdirSync, writeFileSync } from "node:fs"

export interface Series {
  readonly name: string
  readonly points: ReadonlyArray<readonly [x: number, y: number]>
}

export interface Curve {
  /** The name of the file. */
  readonly name: string
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  /** The x axis goes in powers of ten, and not from 0. */
  readonly isLogarithmic: boolean
  readonly series: ReadonlyArray<Series>
}

const size = { width: 640, height: 360 }
/** The name of the last value reaches beyond the grid on the right. */
const frame = { left: 76, right: 40, top: 44, bottom: 84 }
const colors = ["#1f6feb", "#d1541b", "#2a8a3e", "#8250df"]

/** 1, 2 or 5 times a power of ten: at least a fifth of the maximum. */
const stepOf = (max: number): number => {
  const raw = max / 5
  const power = 10 ** Math.floor(Math.log10(raw))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10)
}

const shown = (value: number): string => Number(value.toPrecision(6)).toLocaleString("en")

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const text = (x: number, y: number, content: string, attributes = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(content)}</text>`

/** Where values are in the picture, and the values that axes name. */
const scales = ({ isLogarithmic, series }: Curve) => {
  const all = series.flatMap(({ points }) => points)
  const xs = [...new Set(all.map(([x]) => x))].sort((a, b) => a - b)
  const of = (x: number) => (isLogarithmic ? Math.log10(x) : x)
  const from = isLogarithmic ? of(xs[0]!) : 0
  const to = of(xs.at(-1)!)
  const step = stepOf(Math.max(...all.map(([, y]) => y)))
  const steps = Math.ceil(Math.max(...all.map(([, y]) => y)) / step)
  const width = size.width - frame.left - frame.right
  const height = size.height - frame.top - frame.bottom
  return {
    xs,
    ys: Array.from({ length: steps + 1 }, (_, n) => n * step),
    x: (value: number) => frame.left + ((of(value) - from) / (to - from || 1)) * width,
    y: (value: number) => frame.top + height - (value / (steps * step)) * height
  }
}

const lineOf = ({ points }: Series, n: number, { x, y }: ReturnType<typeof scales>): string => {
  const color = colors[n % colors.length]!
  const path = points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ")
  const dots = points.map(
    ([a, b]) => `<circle cx="${x(a).toFixed(1)}" cy="${y(b).toFixed(1)}" r="3.5" fill="${color}"/>`
  )
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}`
}

export const svgOf = (curve: Curve): string => {
  const at = scales(curve)
  const [right, bottom] = [size.width - frame.right, size.height - frame.bottom]
  const grid = at.ys.flatMap((value) => [
    `<line x1="${frame.left}" x2="${right}" y1="${at.y(value).toFixed(1)}" y2="${at.y(value).toFixed(1)}" stroke="#d0d7de"/>`,
    text(frame.left - 8, at.y(value) + 4, shown(value), 'text-anchor="end"')
  ])
  const marks = at.xs.map((value) => text(at.x(value), bottom + 18, shown(value), 'text-anchor="middle"'))
  const legend = curve.series.flatMap(({ name }, n) => {
    const x = frame.left + (n * (right - frame.left)) / curve.series.length
    const y = size.height - 14
    return [
      `<rect x="${x.toFixed(1)}" y="${y - 10}" width="12" height="12" fill="${colors[n % colors.length]}"/>`,
      text(x + 18, y, name)
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12" fill="#24292f">`,
    `<title>${escaped(curve.title)}</title>`,
    `<rect width="${size.width}" height="${size.height}" fill="#ffffff"/>`,
    text(frame.left, 22, curve.title, 'font-size="15" font-weight="bold"'),
    ...grid,
    ...marks,
    text((frame.left + right) / 2, bottom + 40, curve.xLabel, 'text-anchor="middle"'),
    text(
      16,
      (frame.top + bottom) / 2,
      curve.yLabel,
      `text-anchor="middle" transform="rotate(-90 16 ${(frame.top + bottom) / 2})"`
    ),
    ...curve.series.map((series, n) => lineOf(series, n, at)),
    ...legend,
    "</svg>",
    ""
  ].join("\n")
}

/** Writes the pictures, and their numbers beside them. */
export const writeCurves = (folder: string, curves: ReadonlyArray<Curve>): void => {
  mkdirSync(folder, { recursive: true })
  for (const curve of curves) {
    writeFileSync(`${folder}/${curve.name}.svg`, svgOf(curve))
    writeFileSync(`${folder}/${curve.name}.json`, `${JSON.stringify(curve, null, 2)}\n`)
  }
}
