/** What a host gives to import people from a CSV file. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { ListUpload } from "../../platform/overview/index.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions } from "../Facade.ts"
import { schemaRefused, type TrunklineError } from "../TrunklineError.ts"

/** A file's bytes at once, or in parts such as a file's stream. */
export type FileGiven = Uint8Array | AsyncIterable<Uint8Array>

/** Source: docs/reference/contacts.md#form. */
export interface ImportOptions extends CallOptions {
  /** Headers of the file and the fields that they are. Left out: headers name fields. */
  readonly columnMap?: Readonly<Record<string, string>>
  /** Whether nothing is written. Default true. */
  readonly dryRun?: boolean
  /** Whether everybody in the file has agreed to be messaged. Default false. */
  readonly optedIn?: boolean
}

const isFile = (given: unknown): given is FileGiven =>
  given instanceof Uint8Array || (typeof given === "object" && given !== null && Symbol.asyncIterator in given)

export const fileGiven = Arguments.argument(
  "file",
  Schema.declare(isFile, { expected: "a Uint8Array, or an AsyncIterable of them such as a file's stream" })
)

export const importOptions = Arguments.options(
  Schema.Struct({
    columnMap: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    dryRun: Schema.optionalKey(Schema.Boolean),
    optedIn: Schema.optionalKey(Schema.Boolean),
    ...Arguments.signal
  })
)

const unreadable = (message: string, cause?: unknown) => schemaRefused([{ path: ["file"], message }], cause)

/** A host's stream may fail, and may yield something else than bytes. */
const bytesOf = (given: FileGiven): Stream.Stream<Uint8Array> =>
  given instanceof Uint8Array
    ? Stream.succeed(given)
    : Stream.fromAsyncIterable<unknown, TrunklineError>(given, (error) =>
        unreadable(`The file could not be read: ${error instanceof Error ? error.message : String(error)}`, error)
      ).pipe(
        Stream.mapEffect((chunk) =>
          chunk instanceof Uint8Array
            ? Effect.succeed(chunk)
            : Effect.fail(unreadable("Expected bytes: open the file without an encoding"))
        ),
        Stream.orDie
      )

/** The upload that a host means. */
export const uploadOf = (
  file: FileGiven,
  { columnMap, dryRun = true, optedIn = false }: Omit<ImportOptions, keyof CallOptions>
): ListUpload => ({
  file: bytesOf(file),
  columnMap: columnMap === undefined ? null : JSON.stringify(columnMap),
  dryRun,
  optedIn
})
