/** What the use cases of opt-outs refuse. Source: docs/reference/errors.md. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const optOutErrors = {
  OptOutAtPlatform: { status: 409, code: "opt_out_at_platform" },
  OptOutNotFound: { status: 404, code: "opt_out_not_found" }
} as const satisfies ErrorTable

export class OptOutNotFound extends Schema.TaggedError<OptOutNotFound>()("OptOutNotFound", { id: Schema.String }) {
  override get message() {
    return "Opt-out not found"
  }
}

export class OptOutAtPlatform extends Schema.TaggedError<OptOutAtPlatform>()("OptOutAtPlatform", {
  id: Schema.String
}) {
  override get message() {
    return "This person has opted out at the chat platform, where only they can take it back."
  }
}
