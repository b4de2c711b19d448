/** Seals what was sealed with an older key with the present one. Source: docs/operations.md#keys. */
import * as Effect from "effect/Effect"
import type { StorageError } from "../storage/index.ts"
import { plainPrefix, type Vault } from "./Vault.ts"

/** What became of secrets that were not sealed with the present key. */
export interface Resealed {
  readonly resealed: number
  /** Their key is not at hand: they stay as they are. */
  readonly unreadable: number
}

/** The secrets that a room keeps. */
export interface SealedRows<Id> {
  /** Those with a text that begins with `prefix`, in the order of their ids, after one of them; from the first on after null. */
  readonly page: (
    after: Id | null,
    limit: number,
    prefix: string
  ) => Effect.Effect<ReadonlyArray<{ readonly id: Id; readonly sealed: ReadonlyArray<string> }>, StorageError>
  /** Writes one text in the place of another; false where that is not there any more. */
  readonly replace: (id: Id, was: string, is: string) => Effect.Effect<boolean, StorageError>
}

/** Of one look and one breath: others go on meanwhile. */
const together = 200

/**
 * Encrypts a room's secrets again, page by page: all that the present key has not encrypted, or those alone that an earlier
 * version stored in plain. What is written meanwhile is encrypted with the present key already.
 */
export const resealAll = Effect.fnUntraced(function* <Id extends string>(
  vault: Vault["Service"],
  { page, replace }: SealedRows<Id>,
  which: "all" | "plain"
) {
  let [resealed, unreadable] = [0, 0]
  for (let after: Id | null = null; ; ) {
    const rows: ReadonlyArray<{ readonly id: Id; readonly sealed: ReadonlyArray<string> }> = yield* page(
      after,
      together,
      which === "all" ? "" : plainPrefix
    )
    for (const { id, sealed } of rows) {
      for (const was of sealed.filter((text) => !vault.isCurrent(text))) {
        const plain = yield* Effect.result(vault.open(was))
        if (plain._tag === "Failure") {
          unreadable += 1
          yield* Effect.logWarning(`the secret of ${id}: ${plain.failure.message}`)
        } else if (yield* replace(id, was, yield* vault.seal(plain.success))) resealed += 1
      }
    }
    if (rows.length < together) return { resealed, unreadable } satisfies Resealed
    after = rows.at(-1)!.id
  }
})
