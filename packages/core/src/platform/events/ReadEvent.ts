/** Decides whether what a host wants to publish is an event of the catalogue. Pure. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Catalogue } from "./EventCatalogue.ts"

export interface EventFault {
  /** From `event` or `data` on. */
  readonly path: ReadonlyArray<string | number>
  /** The value that is expected there. */
  readonly message: string
}

export interface ReadableEvent {
  readonly event: string
  /** As it was given: fields that the catalogue does not know are kept. */
  readonly data: Schema.JsonObject
}

const faultsOf = (issue: SchemaIssue.Issue): ReadonlyArray<EventFault> =>
  SchemaIssue.makeFormatterStandardSchemaV1()(issue).issues.map(({ message, path = [] }) => ({
    path: ["data", ...path.map((part) => (typeof part === "number" ? part : String(part)))],
    message: message === "Missing key" ? "Field required" : message
  }))

/** Faults as one text: each with its path. */
export const eventFaults = (faults: ReadonlyArray<EventFault>): string =>
  faults.map(({ message, path }) => `${path.join(".")}: ${message}`).join("; ")

/**
 * Reads a platform event: its name is in the catalogue, its data are JSON, and the fields that the catalogue knows fit their
 * schemas. Otherwise it fails with every fault; the fault of an unknown name lists the names of the catalogue.
 * Source: docs/reference/events.md#publishing.
 */
export const readEvent = (
  { find, platformNames }: Catalogue,
  event: string,
  data: unknown
): Result.Result<ReadableEvent, ReadonlyArray<EventFault>> => {
  const entry = find(event)
  if (entry === null || entry.surface !== "platform") {
    return Result.fail([{ path: ["event"], message: `Expected one of ${platformNames.join(", ")}` }])
  }
  const json = Schema.decodeUnknownResult(Schema.JsonObject)(data, { errors: "all" })
  if (Result.isFailure(json)) return Result.fail(faultsOf(json.failure.issue))
  const known = Schema.decodeUnknownResult(entry.data)(data, { errors: "all" })
  if (Result.isFailure(known)) return Result.fail(faultsOf(known.failure.issue))
  return Result.succeed({ event, data: json.success })
}
