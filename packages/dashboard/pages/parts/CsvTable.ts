/** Reads a CSV file as far as the page of the import needs it: headers, first rows, and rows by their number. Pure. */

export interface CsvTable {
  readonly headers: ReadonlyArray<string>
  /** Rows as a spreadsheet counts them: the header is row 1. */
  readonly rows: ReadonlyArray<readonly [number: number, cells: ReadonlyArray<string>]>
}

const separators = [",", ";", "\t"] as const

/** The cells of a text. A quote that is never closed ends with the text, as in a file that is cut off. */
const cellsOf = (
  text: string,
  separator: string
): ReadonlyArray<readonly [number: number, cells: ReadonlyArray<string>]> => {
  const rows: Array<readonly [number, ReadonlyArray<string>]> = []
  let cells: Array<string> = []
  let cell = ""
  let isQuoted = false
  let row = 1
  const endRow = () => {
    cells.push(cell)
    if (cells.some((one) => one.trim() !== "")) rows.push([row, cells])
    row++
    cells = []
    cell = ""
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === "") isQuoted = true
    else if (sign === separator) {
      cells.push(cell)
      cell = ""
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text[at + 1] === "\n") at++
      endRow()
    } else cell += sign
  }
  if (cell !== "" || cells.length > 0) endRow()
  return rows
}

/** The separator that gives the first rows as many cells as the header. */
const separatorOf = (text: string): string => {
  const sample = text.slice(0, 16_384)
  const fits = separators.map((separator) => {
    const rows = cellsOf(sample, separator).slice(0, 5)
    const width = rows[0]?.[1].length ?? 0
    return { separator, width: rows.every(([, cells]) => cells.length === width) ? width : 0 }
  })
  return fits.toSorted((a, b) => b.width - a.width)[0]?.separator ?? ","
}

export const csvTable = (text: string): CsvTable => {
  const plain = text.replace(/^\uFEFF/, "")
  const named = /^sep=(.)\r?\n/.exec(plain)
  const body = named === null ? plain : plain.slice(named[0].length)
  const [first, ...rows] = cellsOf(body, named?.[1] ?? separatorOf(body))
  return { headers: (first?.[1] ?? []).map((header) => header.trim()), rows }
}

/** Words of a header that say what its column is, in several languages; the first field that fits counts. */
const words: ReadonlyArray<readonly [field: string, pattern: RegExp]> = [
  ["opted_in", /opt.?(ed)?.?in|consent|einwilligung|consentement|consentimiento/],
  ["email", /e.?mail|courriel|correo/],
  ["phone", /phone|mobile|mobil|cell|tel(e?fon|éfono|éphone|\b)|handy|rufnummer|nummer|numero|número|numéro|whatsapp/],
  ["first_name", /first.?name|given.?name|vorname|prénom|prenom|nombre de pila/],
  ["last_name", /last.?name|sur.?name|family.?name|nachname|nom de famille|apellido/],
  ["company", /company|organi[sz]ation|firma|unternehmen|société|societe|empresa|account/],
  ["tags", /tags?$|labels?$|schlagwort|étiquette|etiqueta/],
  ["reason", /reason|grund|motif|motivo/],
  ["notes", /notes?$|comment|notiz|bemerkung|remarque|nota/],
  ["name", /name|nom$|nombre/]
]

/** What a column of a file of contacts may be, beside a field of one's own. */
export const importFields = [
  "phone",
  "name",
  "first_name",
  "last_name",
  "email",
  "company",
  "tags",
  "notes",
  "opted_in"
] as const

/** What a column of a file of numbers that nobody calls may be. */
export const numberFields = ["phone", "reason"] as const

/** Which of the fields each header is, as far as its words say; "" where it is left out. Only the phone may stand twice. */
export const guessFields = (
  headers: ReadonlyArray<string>,
  remembered: Readonly<Record<string, string>> = {},
  fields: ReadonlyArray<string> = importFields
): Readonly<Record<string, string>> => {
  const taken = new Set<string>()
  return Object.fromEntries(
    headers.map((header) => {
      const plain = header.toLowerCase().replaceAll(/[_.*:-]+/g, " ")
      const field =
        remembered[header] ?? words.find(([one, pattern]) => fields.includes(one) && pattern.test(plain))?.[0] ?? ""
      if (field === "" || (taken.has(field) && field !== "phone")) return [header, ""]
      taken.add(field)
      return [header, field]
    })
  )
}

/** A cell that a spreadsheet would run is shown as text. */
const cellOf = (value: string): string => {
  const plain = /^[=+\-@\t\r]/.test(value) && !/^\+[\d\s()./-]+$/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** The rows that were rejected, each with the reason behind it. */
export const rejectedRows = (
  { headers, rows }: CsvTable,
  errors: ReadonlyArray<{ readonly row: number; readonly message: string }>,
  reason: string
): string => {
  const byNumber = new Map(rows)
  const messages = new Map<number, Array<string>>()
  for (const { message, row } of errors) messages.set(row, [...(messages.get(row) ?? []), message])
  const lines = [...messages].map(([row, found]) => {
    const cells = byNumber.get(row) ?? []
    return [...headers.map((_, nth) => cells[nth] ?? ""), found.join("; ")]
  })
  return [[...headers, reason], ...lines]
    .map((line) => line.map(cellOf).join(","))
    .join("\r\n")
    .concat("\r\n")
}
