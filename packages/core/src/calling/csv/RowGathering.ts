/** Gathers the rows of a file in parts, and counts what is wrong with them. */
import * as Result from "effect/Result"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import type { FaultCount, MappingRefused, ReadColumns, RowFault } from "../../platform/overview/index.ts"
import type { CsvRecord } from "./CsvReader.ts"
import { type FileFields, type Mapping, mappingOf } from "./ImportMapping.ts"

/** What reading a file has come to. */
export interface FileReading {
  readonly totalRows: number
  readonly failed: number
  readonly errors: ReadonlyArray<RowFault>
  readonly errorCounts: ReadonlyArray<FaultCount>
  readonly columns: ReadColumns
}

/** Faults, and kinds of faults, that a report lists. */
export const maxErrors = 100

/** What becomes of the rows of a kind of file. */
export interface RowReading<F extends string, Row extends { readonly matchKey: PhoneNumber.MatchKey }, Item> {
  readonly fields: FileFields<F>
  readonly columnMap: string | null
  readonly read: (mapping: Mapping<F>, record: CsvRecord) => Result.Result<Row, ReadonlyArray<RowFault>>
  /** What is staged of the first row with a number. */
  readonly first: (row: Row) => Item
  /** The same after one more row of the part with this number. */
  readonly and: (item: Item, row: Row) => Item
  /** Numbers that are staged in one transaction, at most. */
  readonly partSize: number
}

/** A part of large rows: pieces of the file of some kilobytes each. */
const piecesInPart = 64

export class RowGathering<F extends string, Row extends { readonly matchKey: PhoneNumber.MatchKey }, Item>
  implements FileReading
{
  readonly #reading: RowReading<F, Row, Item>
  readonly #items = new Map<PhoneNumber.MatchKey, Item>()
  readonly #counts = new Map<string, { -readonly [K in keyof FaultCount]: FaultCount[K] }>()
  #mapping: Mapping<F> | undefined
  #pieces = 0
  totalRows = 0
  failed = 0
  readonly errors: Array<RowFault> = []

  constructor(reading: RowReading<F, Row, Item>) {
    this.#reading = reading
  }

  get errorCounts(): ReadonlyArray<FaultCount> {
    return [...this.#counts.values()]
  }

  get columns(): ReadColumns {
    return this.#mapping?.read ?? {}
  }

  /** Whether a column of the file is this field. */
  has(field: F): boolean {
    return this.#mapping?.columns.some(({ target }) => target._tag === "Field" && target.field === field) ?? false
  }

  /** Reads the next records, the header first; returns the items of a full part, or none. */
  add(records: ReadonlyArray<CsvRecord>): Result.Result<ReadonlyArray<Item>, MappingRefused> {
    const { columnMap, fields, partSize } = this.#reading
    let rows = records
    if (this.#mapping === undefined) {
      const mapping = mappingOf(fields, records[0]!.cells, columnMap)
      if (Result.isFailure(mapping)) return Result.fail(mapping.failure)
      this.#mapping = mapping.success
      rows = records.slice(1)
    }
    for (const row of rows) this.#addRow(this.#mapping, row)
    this.#pieces += 1
    return Result.succeed(this.#items.size >= partSize || this.#pieces >= piecesInPart ? this.rest() : [])
  }

  /** The items gathered since the last part. */
  rest(): ReadonlyArray<Item> {
    const items = [...this.#items.values()]
    this.#items.clear()
    this.#pieces = 0
    return items
  }

  #addRow(mapping: Mapping<F>, record: CsvRecord): void {
    this.totalRows += 1
    const row = this.#reading.read(mapping, record)
    if (Result.isFailure(row)) {
      this.failed += 1
      if (this.errors.length < maxErrors) this.errors.push(...row.failure.slice(0, maxErrors - this.errors.length))
      for (const fault of row.failure) this.#count(fault)
      return
    }
    const { matchKey } = row.success
    const earlier = this.#items.get(matchKey)
    this.#items.set(
      matchKey,
      earlier === undefined ? this.#reading.first(row.success) : this.#reading.and(earlier, row.success)
    )
  }

  #count({ field, message, row }: RowFault): void {
    const kind = `${field}\n${message}`
    const count = this.#counts.get(kind)
    if (count !== undefined) count.rows += 1
    else if (this.#counts.size < maxErrors) this.#counts.set(kind, { field, message, row, rows: 1 })
  }
}
