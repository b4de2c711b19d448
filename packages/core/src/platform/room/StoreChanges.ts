/** What a room's store changes of what people read, as the host has it. platform/changes says what it means. */
import type * as Context from "effect/Context"

export interface StoreChanges {
  readonly store: Context.Service.Any
  /** By the names of the store's verbs. */
  readonly verbs: Readonly<Record<string, unknown>>
}
