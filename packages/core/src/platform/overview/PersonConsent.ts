/** Port: what a person has agreed to, by their own word. Calling implements it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

export interface PersonConsent {
  /** The person with this telephone number wants to hear of the account: the address book says so from now on. */
  readonly given: (tenantId: Ids.AccountId, phone: string) => Effect.Effect<void, StorageError, Tx | Read>
}

/** Without calling there is no address book. */
export const PersonConsent = Context.Reference<PersonConsent>("@trunkline/core/platform/overview/PersonConsent", {
  defaultValue: () => ({ given: () => Effect.void })
})
