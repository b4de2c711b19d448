/** Key rotation: encrypts again, with the present key, what an older key has encrypted. Source: docs/reference/operations.md#keys. */
import * as Effect from "effect/Effect"
import type { Reencrypted } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { plainPrefix, type Vault } from "./Vault.ts"

interface EncryptedRow<Id> {
  readonly id: Id
  readonly encrypted: ReadonlyArray<string>
}

/** The rows of a room that have encrypted secrets. */
export interface EncryptedRows<Id> {
  /** Rows with a text that begins with `prefix`, in the order of their ids, after one of them; from the first on after null. */
  readonly page: (
    after: Id | null,
    limit: number,
    prefix: string
  ) => Effect.Effect<ReadonlyArray<EncryptedRow<Id>>, StorageError>
  /** Replaces one text by another; false where it is not in the row any more. */
  readonly replace: (id: Id, from: string, to: string) => Effect.Effect<boolean, StorageError>
}

/** Rows of one read: requests are served between two of them. */
const pageSize = 200

/**
 * Encrypts a room's secrets again, page by page: all that the present key has not encrypted, or those alone that an earlier
 * version stored in plain. What is written meanwhile is encrypted with the present key already.
 */
export const reencryptAll = Effect.fnUntraced(function* <Id extends string>(
  vault: Vault["Service"],
  { page, replace }: EncryptedRows<Id>,
  which: "all" | "plain"
) {
  let [reencrypted, unreadable] = [0, 0]
  for (let after: Id | null = null; ; ) {
    const prefix = which === "all" ? "" : plainPrefix
    const rows: ReadonlyArray<EncryptedRow<Id>> = yield* page(after, pageSize, prefix)
    for (const { encrypted, id } of rows) {
      for (const from of encrypted.filter((text) => !vault.isCurrent(text))) {
        const plain = yield* Effect.result(vault.decrypt(from))
        if (plain._tag === "Failure") {
          unreadable += 1
          yield* Effect.logWarning(`the secret of ${id}: ${plain.failure.message}`)
        } else if (yield* replace(id, from, yield* vault.encrypt(plain.success))) reencrypted += 1
      }
    }
    if (rows.length < pageSize) return { reencrypted, unreadable } satisfies Reencrypted
    after = rows.at(-1)!.id
  }
})
