/** Port: what a channel's network keeps of a number beside its messages. Source: docs/reference/messaging.md#number-management. */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { ChannelConnection, Recipient } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"
import type { NumberFacts, Quality } from "./NumberFacts.ts"

/** A number of a business account, connected here or not. */
export interface DiscoveredNumber {
  readonly id: string
  readonly displayPhoneNumber: string | null
  readonly verifiedName: string | null
  readonly qualityRating: Quality | null
  readonly status: string | null
}

/** What customers see of a business. A field that the network does not name is null. */
export interface NumberProfile {
  readonly about: string | null
  readonly address: string | null
  readonly description: string | null
  readonly email: string | null
  readonly websites: ReadonlyArray<string> | null
  readonly vertical: string | null
  readonly profilePictureUrl: string | null
}

/** What of a profile is set anew; what is left out stays. */
export interface ProfileChange {
  readonly about?: string
  readonly address?: string
  readonly description?: string
  readonly email?: string
  readonly websites?: ReadonlyArray<string>
  readonly vertical?: string
  /** Names a picture that the network has. */
  readonly profilePictureHandle?: string
}

/** What became of each person whom the network was asked to block, or to let write again. */
export interface BlockOutcome {
  readonly done: ReadonlyArray<{ readonly input: string; readonly userId: string | null }>
  readonly failed: ReadonlyArray<{ readonly input: string; readonly code: number | null }>
}

export interface ChannelNumbers {
  readonly read: (connection: ChannelConnection) => Effect.Effect<NumberFacts, ChannelFailed>
  /** Every number of a business account. Changes nothing. */
  readonly discover: (
    credentials: Redacted.Redacted,
    accountId: string
  ) => Effect.Effect<ReadonlyArray<DiscoveredNumber>, ChannelFailed>
  /** Makes the number ready for messages. `region`: where the network is to keep them; null where it may choose. */
  readonly register: (
    connection: ChannelConnection,
    given: { readonly pin: Redacted.Redacted; readonly region: string | null }
  ) => Effect.Effect<void, ChannelFailed>
  readonly deregister: (connection: ChannelConnection) => Effect.Effect<void, ChannelFailed>
  readonly setPin: (connection: ChannelConnection, pin: Redacted.Redacted) => Effect.Effect<void, ChannelFailed>
  readonly profile: (connection: ChannelConnection) => Effect.Effect<NumberProfile, ChannelFailed>
  readonly changeProfile: (connection: ChannelConnection, change: ProfileChange) => Effect.Effect<void, ChannelFailed>
  /** The people who are blocked, in the network's words. */
  readonly blocked: (
    connection: ChannelConnection,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<JsonObject, ChannelFailed>
  readonly block: (
    connection: ChannelConnection,
    people: ReadonlyArray<Recipient>
  ) => Effect.Effect<BlockOutcome, ChannelFailed>
  readonly unblock: (
    connection: ChannelConnection,
    people: ReadonlyArray<Recipient>
  ) => Effect.Effect<BlockOutcome, ChannelFailed>
}
