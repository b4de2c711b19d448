/** Encrypts the stored secrets of all rooms with the present key. Source: docs/reference/operations.md#keys. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { tracedFn } from "../platform/kernel/index.ts"
import { type Rooms, roomReencrypts } from "./Rooms.ts"

/** All that the present key has not encrypted, or those alone that an earlier version stored in plain. */
export const reencryptSecrets = tracedFn("reencryptSecrets")(function* (rooms: Rooms, which: "all" | "plain") {
  const parts = yield* Effect.forEach(yield* roomReencrypts(rooms), (reencrypt) => reencrypt(which))
  return {
    reencrypted: parts.reduce((sum, part) => sum + part.reencrypted, 0),
    unreadable: parts.reduce((sum, part) => sum + part.unreadable, 0)
  }
})

/** An earlier version could run without a key and stored secrets in plain: a start leaves none of them. */
export const encryptPlainSecrets = (rooms: Rooms) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { reencrypted } = yield* reencryptSecrets(rooms, "plain")
      if (reencrypted > 0) {
        yield* Effect.logWarning(
          `${reencrypted} secrets that an earlier version stored in plain are encrypted now. Copies of the database still hold them: rotate these webhooks' secrets and replace these numbers' tokens.`
        )
      }
    })
  )
