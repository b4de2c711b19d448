/** What the use cases of analytics refuse. Source: docs/reference/errors.md. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const analyticsErrors = {
  InvalidPeriod: { status: 422, code: "invalid_period" }
} as const satisfies ErrorTable

/** A period that ends before it begins, or is longer or further back than what is counted. */
export class InvalidPeriod extends Schema.TaggedError<InvalidPeriod>()("InvalidPeriod", { sentence: Schema.String }) {
  override get message() {
    return this.sentence
  }
}
