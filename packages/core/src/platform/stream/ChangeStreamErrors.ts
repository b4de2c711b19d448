/** Why a stream is not opened. */
import * as Schema from "effect/Schema"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const streamErrors = {
  StreamOfPeople: { status: 403, code: "permission_denied" },
  TooManyStreams: { status: 429, code: "too_many_streams" }
} as const

export class StreamOfPeople extends Schema.TaggedError<StreamOfPeople>()("StreamOfPeople", {}) {
  override get message() {
    return "No API key may open the stream of changes: sign in as a person of the account, or use webhooks."
  }
}

export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {
  of: Schema.Literals(["person", "account"]),
  max: Schema.Int,
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    const whose = this.of === "person" ? "You have" : "The account has"
    return `${whose} ${this.max} open streams of changes here already: close one of them first.`
  }
}
