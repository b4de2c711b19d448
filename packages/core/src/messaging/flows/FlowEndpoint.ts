/** Where the channel's network asks about a flow, and whom this installation asks then. Pure. Source: docs/reference/flows.md#data. */
import * as Schema from "effect/Schema"
import { Ids, Instant } from "../../platform/kernel/index.ts"

/** Its row. */
export const flowEndpointEntity = Schema.Struct({
  /** Stands in the address at which the network asks. */
  id: Ids.schema<"FlowEndpoint">(),
  tenantId: Ids.schema<"Account">(),
  channel: Schema.String,
  businessAccountId: Schema.String,
  /** The network's id of the flow; null until the network has named it. */
  flowId: Schema.NullOr(Schema.String),
  /** The account's own endpoint. */
  url: Schema.String,
  /** What requests to it are signed with: encrypted by the vault. */
  secret: Schema.String,
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso
})
export interface FlowEndpoint extends Schema.Struct.Type<typeof flowEndpointEntity.fields> {}

/** The business account that has a flow, at the channel and here. */
export type FlowOwner = Pick<FlowEndpoint, "tenantId" | "channel" | "businessAccountId">

export const ownerOf = ({ businessAccountId, channel, tenantId }: FlowOwner): FlowOwner => ({
  tenantId,
  channel,
  businessAccountId
})

/** The row of a number's key, with which the network encrypts what flows exchange. */
export const flowKeyEntity = Schema.Struct({
  phoneId: Ids.schema<"Phone">(),
  tenantId: Ids.schema<"Account">(),
  /** Encrypted by the vault. */
  privateKey: Schema.String,
  /** SHA-256 of the public key, in hex. */
  fingerprint: Schema.String,
  createdAt: Instant.Iso
})
export interface FlowKey extends Schema.Struct.Type<typeof flowKeyEntity.fields> {}

/** A secret from 32 random bytes, which the caller draws: in the form of those of webhooks, so that receivers need no second verifier. */
export const flowSecretOf = (bytes: Uint8Array): string => `whsec_${btoa(String.fromCharCode(...bytes))}`
