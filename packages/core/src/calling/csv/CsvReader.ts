/** Reads a CSV file as it comes in: bytes to records, refused as a whole where it is no CSV. Knows no fields. */
import { type Parser, parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { guarded } from "../../platform/kernel/index.ts"
import { CsvRefused } from "../../platform/overview/index.ts"
import { encodingOf, formOf, showsForm } from "./CsvForm.ts"

/** 25 MiB. Source: docs/reference/contacts.md#csv. */
export const largestFile = 25 * 1024 * 1024

const refused = (reason: CsvRefused["reason"], row: number | null = null) => new CsvRefused({ reason, row })

export interface CsvRecord {
  /** The number that a spreadsheet shows: blank lines count, line breaks inside quotes do not. */
  readonly row: number
  readonly cells: ReadonlyArray<string>
}

/**
 * The records of a file in their order, blank lines left out; the first is the header. Cells are as they stand in the
 * file. Parses some kilobytes at a time and lets others run in between. A file without a header or without rows fails
 * at its end, one with more than `maxBytes` (25 MiB) as soon as they have come. Source: docs/reference/contacts.md#csv.
 */
export const read = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  maxBytes: number = largestFile
): Stream.Stream<ReadonlyArray<CsvRecord>, E | CsvRefused, R> =>
  Stream.suspend(() => {
    const reader = new Reader(maxBytes)
    return bytes.pipe(
      Stream.flatMap((chunk) => Stream.fromIterable(piecesOf(chunk), { chunkSize: 1 })),
      Stream.mapEffect((piece) => Effect.suspend(() => reader.decode(piece))),
      Stream.concat(Stream.fromEffect(Effect.suspend(() => reader.rest))),
      Stream.flatMap((texts) => Stream.fromIterable(texts, { chunkSize: 1 })),
      Stream.mapEffect((text) =>
        Effect.andThen(
          Effect.yieldNow,
          Effect.suspend(() => reader.parse(text))
        )
      ),
      Stream.concat(Stream.fromEffect(Effect.andThen(Effect.yieldNow, reader.end))),
      Stream.filter((records) => records.length > 0)
    )
  })

/** The parser needs up to 2 µs for a row: 2,000 of the shortest rows are 4 ms. */
const pieceSize = 4096

/** As much of the parser's inside as `expectAnyLength` changes. */
interface ParserInside {
  readonly state: { readonly record: ReadonlyArray<unknown>; expectedRecordLength: number }
  __onRecord: (push: unknown) => unknown
}

/**
 * For each row of another length than the first, the parser makes an error with a stack trace and then drops it, which takes
 * twenty times as long as the row itself. Here any length is the one that it expects. It is written before each row: a getter
 * in its place would make V8 keep the state as a dictionary, and the parser reads the state for each byte.
 */
const expectAnyLength = (parser: Parser): void => {
  const { api } = parser as unknown as { readonly api?: ParserInside }
  if (api?.__onRecord === undefined) return
  const { __onRecord: onRecord } = api
  api.__onRecord = (push) => {
    api.state.expectedRecordLength = api.state.record.length
    return onRecord.call(api, push)
  }
}

const piecesOf = function* (chunk: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < chunk.length; from += pieceSize) yield chunk.subarray(from, from + pieceSize)
}

/** No character of two units is cut. */
const textsOf = (text: string): ReadonlyArray<string> => text.match(/[\s\S]{1,4096}/gu) ?? []

class Reader {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })
  readonly #maxBytes: number
  #parser: Parser | undefined
  /** What came before the form of the file was known. */
  #head = ""
  #bytes = 0
  /** The first four bytes. */
  #start: ReadonlyArray<number> = []
  /** Rows so far, blank ones included. */
  #rows = 0
  #records = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Texts that can be parsed now: none until the form of the file is known. */
  decode(piece: Uint8Array): Effect.Effect<ReadonlyArray<string>, CsvRefused> {
    this.#bytes += piece.length
    if (this.#bytes > this.#maxBytes) return Effect.fail(refused("too_large"))
    if (this.#start.length < 4) this.#start = [...this.#start, ...piece.subarray(0, 4 - this.#start.length)]
    const text = this.#decode(piece)
    if (text === undefined) return Effect.fail(refused(encodingOf(this.#start)))
    if (this.#parser !== undefined) return Effect.succeed([text])
    this.#head += text
    return showsForm(this.#head) ? this.#open(false) : Effect.succeed([])
  }

  /** The rest of the text at the end of the file. */
  get rest(): Effect.Effect<ReadonlyArray<string>, CsvRefused> {
    if (this.#decode() === undefined) return Effect.fail(refused(encodingOf(this.#start)))
    return this.#parser === undefined ? this.#open(true) : Effect.succeed([])
  }

  /** The parser parses while it is written to, so that what it has finished is there at once. */
  parse(text: string): Effect.Effect<ReadonlyArray<CsvRecord>, CsvRefused> {
    const parser = this.#parser!
    parser.write(text)
    const records: Array<CsvRecord> = []
    for (let cells = parser.read(); cells !== null; cells = parser.read()) this.#addRecord(cells, records)
    return parser.errored === null ? Effect.succeed(records) : this.#malformed()
  }

  get end(): Effect.Effect<ReadonlyArray<CsvRecord>, CsvRefused> {
    return Effect.callback((resume) => {
      const parser = this.#parser!
      const records: Array<CsvRecord> = []
      const failed = (fault: unknown) => resume(Effect.die(fault))
      parser.on(
        "data",
        guarded((cells: ReadonlyArray<string>) => this.#addRecord(cells, records), failed)
      )
      parser.once("error", () => resume(this.#malformed()))
      parser.once("end", () => {
        if (this.#records > 1) resume(Effect.succeed(records))
        else resume(Effect.fail(refused(this.#records === 0 ? "no_header" : "no_rows")))
      })
      parser.end()
    })
  }

  /** Text without the byte order mark, or undefined where it is no UTF-8. No piece is the end: no character may be left half. */
  #decode(piece?: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      return undefined
    }
  }

  #open(isWhole: boolean): Effect.Effect<ReadonlyArray<string>, CsvRefused> {
    const { isUtf16, lineEnds, separator, text } = formOf(this.#head, isWhole)
    if (isUtf16) return Effect.fail(refused("utf16"))
    this.#head = ""
    this.#parser = parse({
      delimiter: separator,
      record_delimiter: [...lineEnds],
      // Rows may be longer or shorter than the header; what that means is decided where fields are known.
      relax_column_count: true,
      // Blanks around a quoted cell, as in `Asha, "+91 98765 43210"`, are no fault.
      trim: true
    })
    expectAnyLength(this.#parser)
    // An error is looked for after each write; without a listener it would end the process.
    this.#parser.on("error", () => undefined)
    return Effect.succeed(textsOf(text))
  }

  /** A row that a spreadsheet shows as empty is a blank line, although there are separators in it. */
  #addRecord(cells: ReadonlyArray<string>, records: Array<CsvRecord>): void {
    this.#rows += 1
    if (cells.every((cell) => cell.trim() === "")) return
    this.#records += 1
    records.push({ row: this.#rows, cells })
  }

  /** The parser has no other complaint than one about quotes; it is in the row after the last that it finished. */
  #malformed(): Effect.Effect<never, CsvRefused> {
    return Effect.fail(refused("quote", this.#rows + 1))
  }
}
