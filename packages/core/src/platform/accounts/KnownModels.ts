/** Port: the models that a key may be limited to. Without the gateway there is none. */
import * as Context from "effect/Context"

export interface KnownModels {
  readonly has: (id: string) => boolean
  /** Ids that people may have meant. */
  readonly ids: ReadonlyArray<string>
}

export const KnownModels = Context.Reference<KnownModels>("@trunkline/core/platform/accounts/KnownModels", {
  defaultValue: () => ({ has: () => false, ids: [] })
})
