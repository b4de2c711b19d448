/** Recognises the form of a CSV file from its beginning: separator, line ends, encoding. Pure. Source: docs/reference/contacts.md#csv. */

/** Characters after which the form is known: a header and some rows. */
const sampleLength = 16 * 1024
/** Characters of a header at most. A longer one is refused for its columns. */
const maxHeaderLength = 64 * 1024
/** Rows that are compared with the header. */
const maxRows = 100

/** Whether a text, which goes on, shows the form of its file. */
export const showsForm = (head: string): boolean =>
  head.length >= maxHeaderLength || (head.length >= sampleLength && wholeLine.test(head.trimStart()))

/** A line to its end. A line break inside quotes ends no line. */
const line = /^(?:"[^"]*"|[^"\r\n])*(\r\n?|\n)/
/** The same where something follows: a line feed may follow a carriage return. */
const wholeLine = /^(?:"[^"]*"|[^"\r\n])*[\r\n][\s\S]/
const lines = /(?:"[^"]*"|[^"\r\n])+/g

/** A first line that names the separator: spreadsheets obey it and do not show it. */
const separatorLine = /^\s*"?sep=([^\p{L}\p{N}"\r\n])"?(\r\n|\r|\n)/iu

export interface CsvForm {
  readonly separator: string
  readonly lineEnds: ReadonlyArray<string>
  /** Characters stand apart, as where each has two bytes. */
  readonly isUtf16: boolean
  /** The beginning of the file without the line that names the separator. */
  readonly text: string
}

/** The form of the file that begins so; a `whole` one has no more lines. */
export const formOf = (head: string, isWhole: boolean): CsvForm => {
  const [hidden = "", named, end] = separatorLine.exec(head) ?? []
  const text = head.slice(hidden.length)
  const written = (text.match(lines) ?? []).filter((one) => one.trim() !== "")
  const sample = written.slice(0, isWhole ? maxRows + 1 : Math.max(1, Math.min(maxRows + 1, written.length - 1)))
  return {
    separator: named ?? separatorOf(sample),
    lineEnds: (end ?? line.exec(text.trimStart())?.[1]) === "\r" ? ["\r"] : ["\r\n", "\n"],
    isUtf16: /[^\0]\0[^\0]\0/.test(sample[0] ?? ""),
    text
  }
}

const separators = [",", ";", "\t"] as const

const cellsOf = (line: string, separator: string): number => line.replace(/"[^"]*"?/g, "").split(separator).length

/** The separator that gives the rows as many cells as the header; else the one that gives the header most of them. */
const separatorOf = ([first = "", ...rows]: ReadonlyArray<string>): string => {
  const ranks = separators.map((separator) => {
    const cells = cellsOf(first, separator)
    const counts = rows.map((row) => cellsOf(row, separator))
    const alike = counts.filter((count) => count === cells).length
    return { separator, rank: cells === 1 ? [0, 0, 0] : [alike, counts.filter((count) => count > 1).length, cells] }
  })
  return ranks.reduce((best, one) => (isHigher(one.rank, best.rank) ? one : best)).separator
}

const isHigher = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean => {
  const at = one.findIndex((value, i) => value !== other[i])
  return at >= 0 && one[at]! > other[at]!
}

const starts = (bytes: ReadonlyArray<number>, ...first: ReadonlyArray<number>): boolean =>
  first.every((byte, at) => bytes[at] === byte)

/** What a file is that is not UTF-8, by its first four bytes. */
export const encodingOf = (bytes: ReadonlyArray<number>): "encoding" | "utf16" | "workbook" => {
  if (starts(bytes, 0xff, 0xfe) || starts(bytes, 0xfe, 0xff)) return "utf16"
  const isWorkbook = starts(bytes, 0x50, 0x4b, 0x03, 0x04) || starts(bytes, 0xd0, 0xcf, 0x11, 0xe0)
  return isWorkbook ? "workbook" : "encoding"
}
