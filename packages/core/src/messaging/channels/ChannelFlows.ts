/** Port: flows of a number's business account, and what its network asks about them while customers fill them in. Source: docs/reference/flows.md. */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { ChannelCallback, ChannelReply } from "./ChannelCallback.ts"
import type { ChannelConnection } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

export interface NewChannelFlow {
  readonly name: string
  readonly categories: ReadonlyArray<string>
  /** Null: the flow has no screens yet. */
  readonly json: JsonObject | null
  /** The network's id of the flow whose screens it begins with; null where it begins with none. */
  readonly cloneOf: string | null
  readonly publish: boolean
  /** Where the network asks for data; null where it asks nobody. */
  readonly endpoint: string | null
}

/** What of a flow is set anew; what is left out stays. */
export interface ChannelFlowChange {
  readonly name?: string
  readonly categories?: ReadonlyArray<string>
  /** Null: the network asks nobody any more. */
  readonly endpoint?: string | null
}

/** What the network has found wrong in the screens of a flow, in its own words. */
export type FlowFaults = ReadonlyArray<JsonObject>

/** A new pair of keys with which the network encrypts what a flow exchanges. */
export interface FlowKeyPair {
  readonly privateKey: Redacted.Redacted
  /** As the network takes it. */
  readonly publicKey: string
  /** SHA-256 of the public key, in hex. */
  readonly fingerprint: string
}

/** What the network asks while a customer fills in a flow. */
export interface FlowQuestion {
  /** The place, in the list that was given, of the key that has opened it. */
  readonly key: number
  /** As it was decrypted. */
  readonly asked: JsonObject
  /** The answer, encrypted as the network reads it. */
  readonly reply: (answer: JsonObject, status: number) => Effect.Effect<ChannelReply>
}

export interface ChannelFlows {
  /** In the network's words, as all that returns an object. */
  readonly list: (
    connection: ChannelConnection,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<JsonObject, ChannelFailed>
  readonly create: (
    connection: ChannelConnection,
    flow: NewChannelFlow
  ) => Effect.Effect<{ readonly id: string; readonly faults: FlowFaults }, ChannelFailed>
  readonly get: (
    connection: ChannelConnection,
    id: string,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<JsonObject, ChannelFailed>
  readonly change: (
    connection: ChannelConnection,
    id: string,
    change: ChannelFlowChange
  ) => Effect.Effect<void, ChannelFailed>
  /** Replaces the screens. Those with faults are kept, too. */
  readonly saveJson: (
    connection: ChannelConnection,
    id: string,
    json: JsonObject
  ) => Effect.Effect<{ readonly isValid: boolean; readonly faults: FlowFaults }, ChannelFailed>
  readonly json: (connection: ChannelConnection, id: string) => Effect.Effect<JsonObject, ChannelFailed>
  readonly publish: (connection: ChannelConnection, id: string) => Effect.Effect<JsonObject, ChannelFailed>
  readonly deprecate: (connection: ChannelConnection, id: string) => Effect.Effect<JsonObject, ChannelFailed>
  readonly remove: (connection: ChannelConnection, id: string) => Effect.Effect<void, ChannelFailed>
  readonly makeKey: Effect.Effect<FlowKeyPair>
  /** Has the network encrypt with this key from now on what the flows of the number exchange. */
  readonly setKey: (connection: ChannelConnection, publicKey: string) => Effect.Effect<void, ChannelFailed>
  /** What the network says of the number's key; null where it says nothing. */
  readonly keyStatus: (connection: ChannelConnection) => Effect.Effect<string | null, ChannelFailed>
  /** Whether the network has sent it, by its signature over the exact bytes. */
  readonly isGenuine: (callback: ChannelCallback) => boolean
  /** Opens what the network asks with one of these private keys; null where none of them fits. */
  readonly open: (body: Uint8Array, keys: ReadonlyArray<Redacted.Redacted>) => Effect.Effect<FlowQuestion | null>
}
