/** Port: rows in which a provider keeps a state of its own across restarts. Nothing but the provider reads them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, Tx } from "./Storage.ts"
import type { StorageError } from "./StorageErrors.ts"

export interface ProviderState {
  /** The provider's own name: keys of different providers never meet. */
  readonly provider: string
  readonly key: string
  /** A JSON object, whose shape the provider alone defines. */
  readonly state: Readonly<Record<string, unknown>>
  /** Whether `listOpen` finds the row. */
  readonly isOpen: boolean
}

export class ProviderStateStore extends Context.Service<
  ProviderStateStore,
  {
    /** Adds a row. One that has its key already stays as it is. */
    readonly add: (row: ProviderState) => Effect.Effect<void, StorageError, Tx>
    /** A row that no other transaction can lock or save until this one ends. */
    readonly lock: (provider: string, key: string) => Effect.Effect<ProviderState | null, StorageError, Tx>
    /** Replaces a locked row. */
    readonly save: (row: ProviderState) => Effect.Effect<void, StorageError, Tx>
    readonly find: (provider: string, key: string) => Effect.Effect<ProviderState | null, StorageError, Read>
    /** All open rows of a provider, by key. */
    readonly listOpen: (provider: string) => Effect.Effect<ReadonlyArray<ProviderState>, StorageError, Read>
  }
>()("@trunkline/core/platform/storage/ProviderStateStore") {}
