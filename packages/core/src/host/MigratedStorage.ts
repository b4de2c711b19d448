/** A database that has been migrated, or is an unfinished copy, is refused at the start. Source: docs/reference/moving-accounts.md#installation. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { migrationOf, thisInstallation } from "../platform/moving/index.ts"
import { StorageError } from "../platform/storage/index.ts"

export const refuseMigrated = Layer.effectDiscard(
  Effect.gen(function* () {
    const move = yield* migrationOf(yield* thisInstallation)
    if (move === null) return
    const what =
      move.phase === "arriving"
        ? `it is an unfinished copy of ${move.other}: run the migration again, which goes on where it was`
        : `it ${move.phase === "moved" ? "has been" : "is being"} migrated to ${move.other}: use that one`
    return yield* new StorageError({ reason: "corrupt", detail: what })
  })
)
