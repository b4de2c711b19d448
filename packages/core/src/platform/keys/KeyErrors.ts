/** What can be wrong with a request about keys. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const keyErrors = {
  InvalidKey: { status: 422, code: "invalid_key" },
  KeyExpired: { status: 409, code: "key_expired" },
  KeyNotFound: { status: 404, code: "key_not_found" },
  KeyRevoked: { status: 409, code: "key_revoked" }
} as const satisfies ErrorTable

export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { id: Schema.String }) {
  override get message() {
    return `There is no API key ${this.id}.`
  }
}

export class KeyRevoked extends Schema.TaggedError<KeyRevoked>()("KeyRevoked", { id: Schema.String }) {
  override get message() {
    return "This API key has been revoked, which cannot be undone. Make another one."
  }
}

export class KeyExpired extends Schema.TaggedError<KeyExpired>()("KeyExpired", { id: Schema.String }) {
  override get message() {
    return "This API key has expired. Give it a later expiry first, or make another one."
  }
}

/** A key that could never be used: what only the clock and the catalogue can find. */
export class InvalidKey extends Schema.TaggedError<InvalidKey>()("InvalidKey", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ field, message }) => `${field}: ${message}`).join("; ")
  }
}
