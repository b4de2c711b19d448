/** Port: what is known of connected numbers, in their rows. Source: docs/reference/messaging.md#number-facts. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"

/** Lock ("numbers", phoneNumberId) before facts are looked at and saved. */
export class NumberFactsStore extends Context.Service<
  NumberFactsStore,
  {
    /** The connected numbers of a business account, in every account that has one, in the order of their ids. */
    readonly ofBusinessAccount: (
      channel: string,
      businessAccountId: string
    ) => Effect.Effect<ReadonlyArray<ConnectedNumber>, StorageError, Read>
    /** Writes what is known of a number that is connected, and nothing else. */
    readonly save: (
      number: Pick<ConnectedNumber, "id" | "tenantId" | "platform" | "factsDueAt">
    ) => Effect.Effect<void, StorageError, Tx>
    /** When the first network is to be asked about a number that is connected; null for none. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Takes numbers that are due at `at`: nobody else takes them before `until`. */
    readonly claimDue: (
      at: Instant.Instant,
      until: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ConnectedNumber>, StorageError, Tx>
  }
>()("@trunkline/core/messaging/channels/NumberFactsStore") {}
