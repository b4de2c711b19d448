/** A business number that is connected, and its port. Source: docs/reference/messaging.md#numbers. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Entity, Instant, type Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import * as Ids from "../MessagingIds.ts"
import { type KnownFacts, knownFacts } from "./NumberFacts.ts"

export interface ConnectedNumber {
  readonly id: Ids.PhoneId
  readonly tenantId: Ids.AccountId
  /** The kind of its channel. */
  readonly channel: string
  /** The channel's id of the number. One account at a time has it. */
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly displayPhoneNumber: string | null
  /** True where the channel's network has said that the number is the account's. Source: docs/reference/messaging.md#proof. */
  readonly isProven: boolean
  /** Encrypted by the vault: never shown, never logged. Empty once the number is disconnected. */
  readonly token: string
  /** The agent that answers; null while none is linked. */
  readonly botId: Ids.BotId | null
  readonly aiAutoreplyEnabled: boolean
  /** What its network says of it; null until that has said something. */
  readonly platform: KnownFacts | null
  /** When its network is to be asked about it; null while there is no reason to. */
  readonly factsDueAt: Instant.Instant | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
  /** When it was disconnected; null while it is connected. Its conversations stay. */
  readonly disconnectedAt: Instant.Instant | null
}

/** Its row. */
export const connectedNumberEntity = Schema.Struct({
  id: Ids.schema<"Phone">(),
  tenantId: Ids.schema<"Account">(),
  channel: Schema.String,
  phoneNumberId: Schema.String,
  businessAccountId: Schema.String,
  displayPhoneNumber: Schema.NullOr(Schema.String),
  isProven: Schema.Boolean,
  token: Schema.String,
  botId: Schema.NullOr(Ids.schema<"Bot">()),
  aiAutoreplyEnabled: Schema.Boolean,
  platform: Schema.NullOr(knownFacts),
  factsDueAt: Schema.NullOr(Instant.Iso),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso,
  disconnectedAt: Schema.NullOr(Instant.Iso)
})

/** How a number is shown. Source: docs/reference/messaging.md#numbers. */
export const ConnectedNumberRecord = Entity.recordOf(connectedNumberEntity, [
  "id",
  "channel",
  "phoneNumberId",
  "businessAccountId",
  "displayPhoneNumber",
  "botId",
  "aiAutoreplyEnabled",
  "createdAt",
  "updatedAt"
])

export type NumberChange = Partial<
  Pick<
    ConnectedNumber,
    | "businessAccountId"
    | "displayPhoneNumber"
    | "isProven"
    | "token"
    | "botId"
    | "aiAutoreplyEnabled"
    | "factsDueAt"
    | "disconnectedAt"
  >
>

/**
 * Whether an account may connect an id that `holder` has or had, the connected one before all others:
 * - `free` nobody else has it
 * - `taken_over` another account has connected it without proof
 * - `taken` another account has it
 * - `kept` another account has or had it, and the channel's network does not say whose it is
 * Pure. Source: docs/reference/messaging.md#proof.
 */
export const claimOn = (
  holder: Pick<ConnectedNumber, "tenantId" | "isProven" | "disconnectedAt"> | null,
  tenantId: Ids.AccountId,
  provesNumbers: boolean
): "free" | "taken_over" | "taken" | "kept" => {
  if (holder === null || holder.tenantId === tenantId) return "free"
  if (!provesNumbers) return "kept"
  if (holder.disconnectedAt !== null) return "free"
  return holder.isProven ? "taken" : "taken_over"
}

/**
 * All looks find connected numbers only, unless they say otherwise. Lock ("numbers", phoneNumberId) before a number is
 * looked for and connected.
 */
export class ConnectedNumberStore extends Context.Service<
  ConnectedNumberStore,
  {
    /** False, and nothing added, where the platform's id is connected already. */
    readonly add: (number: ConnectedNumber) => Effect.Effect<boolean, StorageError, Tx>
    readonly find: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId
    ) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
    /** The number of any account, by the platform's id. */
    readonly connected: (phoneNumberId: string) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
    /** The account's own by the platform's id, also one that was disconnected; the newest. */
    readonly known: (
      tenantId: Ids.AccountId,
      phoneNumberId: string
    ) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
    /** The newest of any account by the channel's id, also one that was disconnected. */
    readonly latest: (phoneNumberId: string) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
    readonly byId: (id: Ids.PhoneId) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      page: Page
    ) => Effect.Effect<ReadonlyArray<ConnectedNumber>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** Whether it is connected or not. Null, and nothing changed, where another one would be connected beside it. */
    readonly change: (
      id: Ids.PhoneId,
      change: NumberChange,
      at: Instant.Instant
    ) => Effect.Effect<ConnectedNumber | null, StorageError, Tx>
    /** Stored tokens of all accounts that begin with `prefix`, in the order of their ids after one of them: from the first on after null. */
    readonly tokens: (
      after: Ids.PhoneId | null,
      limit: number,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<Pick<ConnectedNumber, "id" | "token">>, StorageError, Read>
    /** Replaces one encrypted token by another; false where it is not there any more. */
    readonly replaceToken: (id: Ids.PhoneId, was: string, is: string) => Effect.Effect<boolean, StorageError, Tx>
    /** Unlinks an agent from all numbers of its account, also from those that were disconnected. */
    readonly unlinkBot: (tenantId: Ids.AccountId, botId: Ids.BotId) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/messaging/channels/ConnectedNumberStore") {}
