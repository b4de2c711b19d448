/** The storage, whose transactions publish what they have changed once they are committed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage } from "../storage/index.ts"
import { Changes } from "./Changes.ts"

/** The same for transactions that do not run on the storage itself: those of a place of its own. */
export const PublishedTransactions = Context.Reference<Changes["Service"]["publishing"]>(
  "@trunkline/core/platform/changes/PublishedTransactions",
  { defaultValue: () => (transact) => transact }
)

export const publishingStorage: Layer.Layer<Storage, never, Storage | Changes> = Layer.effectContext(
  Effect.gen(function* () {
    const { publishing } = yield* Changes
    const storage = yield* Storage
    return Context.make(Storage, {
      ...storage,
      transact: publishing(storage.transact),
      transactWith: (options) => publishing(storage.transactWith(options))
    }).pipe(Context.add(PublishedTransactions, publishing))
  })
)
