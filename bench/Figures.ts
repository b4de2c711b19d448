/** What a benchmark has found, the bars that it is held against, and the table that says so. */

/** A bar, and the number that it judges, in one unit; a ratio has none. */
export interface Judged {
  readonly value: number
  readonly unit?: string
  readonly bar: { readonly atMost: number } | { readonly atLeast: number }
}

export interface Figure {
  readonly what: string
  /** With its unit. */
  readonly measured: string
  /** What it was measured against, with its unit. */
  readonly against?: string
  /** Without one a figure is shown and not compared. */
  readonly judged?: Judged
}

export const holds = ({ bar, value }: Judged): boolean => ("atMost" in bar ? value <= bar.atMost : value >= bar.atLeast)

export const misses = (figures: ReadonlyArray<Figure>): ReadonlyArray<Figure> =>
  figures.filter(({ judged }) => judged !== undefined && !holds(judged))

const short = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))

const cells = ({ against = "", judged, measured, what }: Figure): ReadonlyArray<string> => {
  if (judged === undefined) return [what, measured, against, "", "", ""]
  const { bar, unit = "", value } = judged
  const limit = "atMost" in bar ? `at most ${bar.atMost}` : `at least ${bar.atLeast}`
  return [what, measured, against, `${short(value)}${unit}`, `${limit}${unit}`, holds(judged) ? "pass" : "MISS"]
}

const header = ["", "measured", "against", "judged", "bar", ""]

/** The figures as a table of plain text. */
export const table = (figures: ReadonlyArray<Figure>): string => {
  const rows = [header, ...figures.map(cells)]
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd()
  return rows.map(line).join("\n")
}

/**
 * Ends a benchmark: hands its figures to the runner, or prints them where it was started by itself. Then it hangs up: a
 * process in which something listens to the runner (the Postgres server's package does) would stay for ever.
 */
export const report = (figures: ReadonlyArray<Figure>): void => {
  if (process.send === undefined) process.stdout.write(`${table(figures)}\n`)
  else process.send(figures, () => process.disconnect())
}

/** Shows progress to a person who waits. */
export const progress = (line: string): void => void process.stderr.write(`  ${line}\n`)
