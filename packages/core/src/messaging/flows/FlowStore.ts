/** Ports: endpoints of flows, and the keys of numbers. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { FlowEndpoint, FlowKey, FlowOwner } from "./FlowEndpoint.ts"

export class FlowEndpointStore extends Context.Service<
  FlowEndpointStore,
  {
    readonly add: (endpoint: FlowEndpoint) => Effect.Effect<void, StorageError, Tx>
    /** Of any account: who asks there is proven by the network's signature. */
    readonly byId: (id: Ids.FlowEndpointId) => Effect.Effect<FlowEndpoint | null, StorageError, Read>
    /** The newest endpoint of a flow. */
    readonly ofFlow: (owner: FlowOwner, flowId: string) => Effect.Effect<FlowEndpoint | null, StorageError, Read>
    /** Writes flow, address and secret anew; one that is gone stays gone. */
    readonly save: (
      endpoint: Pick<FlowEndpoint, "id" | "tenantId" | "flowId" | "url" | "secret" | "updatedAt">
    ) => Effect.Effect<void, StorageError, Tx>
    readonly remove: (tenantId: Ids.AccountId, id: Ids.FlowEndpointId) => Effect.Effect<void, StorageError, Tx>
    /** Removes every endpoint of a flow. */
    readonly removeOfFlow: (owner: FlowOwner, flowId: string) => Effect.Effect<void, StorageError, Tx>
    /** Secrets of all accounts that begin with `prefix`, in the order of their ids after one of them: from the first on after null. */
    readonly secrets: (
      after: Ids.FlowEndpointId | null,
      limit: number,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<Pick<FlowEndpoint, "id" | "secret">>, StorageError, Read>
    /** Replaces one encrypted secret by another; false where it is not there any more. */
    readonly replaceSecret: (
      id: Ids.FlowEndpointId,
      was: string,
      is: string
    ) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/messaging/flows/FlowEndpointStore") {}

export class FlowKeyStore extends Context.Service<
  FlowKeyStore,
  {
    /** The one that the number had before is gone. */
    readonly save: (key: FlowKey) => Effect.Effect<void, StorageError, Tx>
    /** Of these numbers of an account; those without a key are left out. */
    readonly among: (
      tenantId: Ids.AccountId,
      phoneIds: ReadonlyArray<Ids.PhoneId>
    ) => Effect.Effect<ReadonlyArray<FlowKey>, StorageError, Read>
    /** Private keys of all accounts that begin with `prefix`, in the order of their numbers after one of them: from the first on after null. */
    readonly privateKeys: (
      after: Ids.PhoneId | null,
      limit: number,
      prefix: string
    ) => Effect.Effect<ReadonlyArray<Pick<FlowKey, "phoneId" | "privateKey">>, StorageError, Read>
    /** Replaces one encrypted key by another; false where it is not there any more. */
    readonly replaceKey: (phoneId: Ids.PhoneId, was: string, is: string) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/messaging/flows/FlowKeyStore") {}
