/** Files of rows for spreadsheets and programs, read page by page while they are sent. Source: docs/reference/http-conventions.md#csv. */
import { stringify } from "csv-stringify/sync"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { largeBytes, ownTurn } from "../kernel/index.ts"

/** What a route answers with that sends a file. */
export const CsvText = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

/**
 * RFC 4180. Texts that come from callers must not run when the file is opened. Of line ends the library quotes only the
 * one that it writes itself.
 */
const options = {
  record_delimiter: "windows",
  escape_formulas: true,
  quoted_match: /[\r\n]/,
  cast: { boolean: String }
} as const

type Cells = ReadonlyArray<string | number | boolean | null>

/** Lines of rows, each with its end; a null is an empty cell. */
export const csvLines = (rows: ReadonlyArray<Cells>): string => stringify(rows as Array<Cells>, options)

/** A part of a file, and what the next part begins behind; null where the file ends. */
export interface CsvPage<Place> {
  readonly rows: ReadonlyArray<Cells>
  readonly next: Place | null
}

export interface CsvFile<Place extends string | number, E> {
  /** Without its ending. */
  readonly name: string
  readonly header: ReadonlyArray<string>
  readonly page: (after: Place | null) => Effect.Effect<CsvPage<Place>, E>
}

const headersOf = (name: string) => ({
  "content-disposition": `attachment; filename="${name}.csv"`,
  "x-content-type-options": "nosniff"
})

/** The answer with a file. Its first page is read before: a failure can still become an error response. */
export const csvFile = <Place extends string | number, E>({ header, name, page }: CsvFile<Place, E>) => {
  // Several files that are read at once would otherwise have their pages written in one turn of the event loop.
  const linesAfter = (after: Place | null) =>
    ownTurn(largeBytes, () => Effect.map(page(after), ({ next, rows }) => ({ lines: csvLines(rows), next })))
  return Effect.map(linesAfter(null), (first) => {
    const rest: Stream.Stream<string, E> =
      first.next === null
        ? Stream.empty
        : Stream.paginate(first.next, (last: Place) =>
            Effect.map(
              linesAfter(last),
              ({ lines, next }) => [[lines], next === null ? Option.none<Place>() : Option.some(next)] as const
            )
          )
    const text = Stream.concat(Stream.make(csvLines([header]) + first.lines), rest)
    return HttpServerResponse.stream(Stream.encodeText(text), {
      contentType: "text/csv; charset=utf-8",
      headers: headersOf(name)
    })
  })
}
