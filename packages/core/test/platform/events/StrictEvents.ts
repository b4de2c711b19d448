/** Holds the data of an event against the catalogue as if nothing but what it names may be there. */

import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { catalogueEntry } from "./AllEvents.ts"

/** What is wrong with the data; nothing when they are as the catalogue says. */
export const strictly = (name: string, data: unknown): ReadonlyArray<string> => {
  const read = Schema.decodeUnknownResult(catalogueEntry(name).data)(data, {
    errors: "all",
    onExcessProperty: "error"
  })
  return Result.isSuccess(read) ? [] : [`${name}: ${read.failure.message}`]
}
