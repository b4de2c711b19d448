/** Flows of a number's business account: asked of the channel, with endpoints and keys that are kept here. Source: docs/reference/flows.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Accounts, type Actor, operator, reencryptAll, Vault } from "../../platform/accounts/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { checkedTargets, Outbound, OutboundSettings } from "../../platform/outbound/index.ts"
import type { Reencrypted } from "../../platform/room/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import {
  type ChannelFailed,
  type ChannelFlows,
  ChatChannels,
  type ConnectedNumber,
  ConnectedNumberNotFound,
  ConnectedNumberStore,
  channelLacks,
  type FlowFaults,
  type NewChannelFlow,
  type PlatformMissing,
  type PlatformTrouble
} from "../channels/index.ts"
import * as Ids from "../MessagingIds.ts"
import { MessagingSettings } from "../MessagingSettings.ts"
import type { JsonObject } from "../messages/index.ts"
import { numberRequests, type Sender } from "../sending/index.ts"
import { type FlowEndpoint, flowSecretOf, ownerOf } from "./FlowEndpoint.ts"
import { FlowEndpointMissing, FlowKeyNotFound, FlowUrlRefused, PublicUrlMissing } from "./FlowErrors.ts"
import { FlowEndpointStore, FlowKeyStore } from "./FlowStore.ts"

type Failed = ConnectedNumberNotFound | PlatformMissing | PlatformTrouble | StorageError
type EndpointFailed = FlowUrlRefused | PublicUrlMissing

/** What a caller gives for a new flow. */
export interface NewFlow extends Omit<NewChannelFlow, "endpoint"> {
  /** The account's own endpoint; null for a flow that asks nobody. */
  readonly endpointUrl: string | null
}

export interface CreatedFlow {
  /** The channel's id of it. */
  readonly id: string
  readonly validationErrors: FlowFaults
  /** What requests to its endpoint are signed with, returned this once; null without an endpoint. */
  readonly endpointSecret: string | null
}

/** What is left out stays. */
export interface FlowChange {
  readonly name?: string
  readonly categories?: ReadonlyArray<string>
  /** Null removes the endpoint. */
  readonly endpointUrl?: string | null
  readonly rotateSecret?: boolean
}

/** A number's key, as it is shown. */
export interface ShownFlowKey {
  /** SHA-256 of the public key, in hex. */
  readonly fingerprint: string
  /** When the key was made. */
  readonly createdAt: Instant.Instant
}

export class Flows extends Context.Service<
  Flows,
  {
    /** The flows of the number's business account, in the channel's words. */
    readonly list: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      query: Readonly<Record<string, string>>
    ) => Effect.Effect<JsonObject, Failed>
    /** `dataPath`: where the channel's network asks for data, below the public address, without the endpoint's id. */
    readonly create: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      flow: NewFlow,
      dataPath: string
    ) => Effect.Effect<CreatedFlow, EndpointFailed | Failed>
    /** In the channel's words, and the account's endpoint. */
    readonly get: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      id: string,
      query: Readonly<Record<string, string>>
    ) => Effect.Effect<JsonObject, Failed>
    /** Returns the secret of a new endpoint, or the new one of an old endpoint; null where it stays. */
    readonly change: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      id: string,
      change: FlowChange,
      dataPath: string
    ) => Effect.Effect<string | null, EndpointFailed | Failed | FlowEndpointMissing>
    /** Replaces the screens, also by some that have faults. */
    readonly saveJson: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      id: string,
      json: JsonObject
    ) => Effect.Effect<{ readonly success: boolean; readonly validationErrors: FlowFaults }, Failed>
    readonly json: (tenantId: Ids.AccountId, phoneNumberId: string, id: string) => Effect.Effect<JsonObject, Failed>
    readonly publish: (tenantId: Ids.AccountId, phoneNumberId: string, id: string) => Effect.Effect<JsonObject, Failed>
    readonly deprecate: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      id: string
    ) => Effect.Effect<JsonObject, Failed>
    /** Its endpoint is gone with it. */
    readonly remove: (tenantId: Ids.AccountId, phoneNumberId: string, id: string) => Effect.Effect<void, Failed>
    /** Makes a new key for a number. The one before is gone at once. */
    readonly makeKey: (
      tenantId: Ids.AccountId,
      phoneId: Ids.PhoneId,
      actor?: Actor
    ) => Effect.Effect<ShownFlowKey, Failed>
    /** The number's key, and what the channel's network says of it. */
    readonly key: (
      tenantId: Ids.AccountId,
      phoneId: Ids.PhoneId
    ) => Effect.Effect<ShownFlowKey & { readonly signatureStatus: string | null }, Failed | FlowKeyNotFound>
    /** Encrypts secrets and keys of all accounts with the present key, those stored in plain alone or all. Source: docs/reference/operations.md#keys. */
    readonly reencrypt: (which: "all" | "plain") => Effect.Effect<Reencrypted, StorageError>
  }
>()("@trunkline/core/messaging/flows/Flows") {
  static readonly layer = Layer.effect(
    Flows,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const channels = yield* ChatChannels
      const endpoints = yield* FlowEndpointStore
      const keys = yield* FlowKeyStore
      const numbers = yield* ConnectedNumberStore
      const storage = yield* Storage
      const vault = yield* Vault
      const { exempt } = yield* OutboundSettings
      const { publicUrl } = yield* MessagingSettings
      const targets = checkedTargets(yield* Outbound, exempt)
      const { ask, askFor, owned } = yield* numberRequests

      const flowsOf = ({ channel }: Pick<Sender, "channel">) => {
        const { flows } = channel.network
        return flows === null ? Effect.fail(channelLacks("flows")) : Effect.succeed(flows)
      }

      type Request<A> = (flows: ChannelFlows, sender: Sender) => Effect.Effect<A, ChannelFailed>

      const requested =
        <A>(request: Request<A>) =>
        (sender: Sender) =>
          Effect.flatMap(flowsOf(sender), (flows) => request(flows, sender))

      const asking = <A>(tenantId: Ids.AccountId, phoneNumberId: string, request: Request<A>) =>
        ask(tenantId, phoneNumberId, requested(request))

      /** A number of the account's, whose channel has flows. */
      const capable = Effect.fnUntraced(function* (tenantId: Ids.AccountId, phoneNumberId: string) {
        const number = yield* owned(tenantId, phoneNumberId)
        yield* flowsOf({ channel: channels.of(number) })
        return number
      })

      const newSecret = Effect.gen(function* () {
        const text = flowSecretOf(crypto.getRandomValues(new Uint8Array(32)))
        return { text, encrypted: yield* vault.encrypt(text) }
      })

      /** The public address, where an endpoint may have this one. What its name leads to is checked with every request. */
      const addressFor = Effect.fnUntraced(function* (url: string) {
        if (publicUrl === null) return yield* new PublicUrlMissing()
        yield* Effect.mapError(targets.read("https", url), ({ message }) => new FlowUrlRefused({ detail: message }))
        return publicUrl
      })

      /** Stands before the channel's network is asked, which may look at once whether anybody is there. */
      const addEndpoint = Effect.fnUntraced(function* (number: ConnectedNumber, url: string, flowId: string | null) {
        const { encrypted, text } = yield* newSecret
        const at = yield* Instant.now
        const endpoint: FlowEndpoint = {
          ...ownerOf(number),
          id: yield* Ids.fresh<"FlowEndpoint">(),
          flowId,
          url,
          secret: encrypted,
          createdAt: at,
          updatedAt: at
        }
        yield* storage.transact(endpoints.add(endpoint))
        return { endpoint, secret: text }
      })

      type Added = Effect.Success<ReturnType<typeof addEndpoint>> | null

      /** A flow that is not changed keeps no endpoint for the change. */
      const withEndpoint = <A, E>(added: Added, asked: Effect.Effect<A, E>) =>
        added === null
          ? asked
          : Effect.tapError(asked, () => storage.transact(endpoints.remove(added.endpoint.tenantId, added.endpoint.id)))

      const create = tracedFn("Flows.create")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        { endpointUrl: url, ...flow }: NewFlow,
        dataPath: string
      ) {
        const number = yield* capable(tenantId, phoneNumberId)
        const address = url === null ? null : yield* addressFor(url)
        const added = url === null ? null : yield* addEndpoint(number, url, null)
        const endpoint = added === null ? null : `${address}${dataPath}/${added.endpoint.id}`
        const { faults, id } = yield* withEndpoint(
          added,
          asking(tenantId, phoneNumberId, (flows, { connection }) => flows.create(connection, { ...flow, endpoint }))
        )
        if (added !== null) {
          yield* storage.transact(
            Effect.flatMap(Instant.now, (at) => endpoints.save({ ...added.endpoint, flowId: id, updatedAt: at }))
          )
        }
        return { id, validationErrors: faults, endpointSecret: added?.secret ?? null }
      }, Effect.uninterruptible)

      const endpointOf = Effect.fnUntraced(function* (tenantId: Ids.AccountId, phoneNumberId: string, id: string) {
        const number = yield* capable(tenantId, phoneNumberId)
        return { number, known: yield* storage.read(endpoints.ofFlow(ownerOf(number), id)) }
      })

      const get = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        id: string,
        query: Readonly<Record<string, string>>
      ) {
        const flow = yield* asking(tenantId, phoneNumberId, ({ get }, { connection }) => get(connection, id, query))
        const { known } = yield* endpointOf(tenantId, phoneNumberId, id)
        return { ...flow, endpoint_url: known?.url ?? null }
      })

      const change = tracedFn("Flows.change")(function* (
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        id: string,
        { endpointUrl: url, rotateSecret = false, ...named }: FlowChange,
        dataPath: string
      ) {
        const { known, number } = yield* endpointOf(tenantId, phoneNumberId, id)
        const has = url === undefined ? known !== null : url !== null
        if (rotateSecret && !has) return yield* new FlowEndpointMissing({ id })
        const address = typeof url === "string" ? yield* addressFor(url) : null
        const added = typeof url === "string" && known === null ? yield* addEndpoint(number, url, id) : null
        const asked = {
          ...named,
          ...(url === undefined
            ? {}
            : { endpoint: url === null ? null : `${address}${dataPath}/${(added?.endpoint ?? known)?.id}` })
        }
        if (Object.keys(asked).length > 0) {
          yield* withEndpoint(
            added,
            asking(tenantId, phoneNumberId, (flows, { connection }) => flows.change(connection, id, asked))
          )
        }
        if (added !== null) return added.secret
        if (known === null) return null
        const fresh = rotateSecret ? yield* newSecret : null
        yield* storage.transact(
          url === null
            ? endpoints.removeOfFlow(ownerOf(number), id)
            : Effect.flatMap(Instant.now, (at) =>
                endpoints.save({
                  ...known,
                  url: url ?? known.url,
                  secret: fresh?.encrypted ?? known.secret,
                  updatedAt: at
                })
              )
        )
        return fresh?.text ?? null
      }, Effect.uninterruptible)

      const remove = tracedFn("Flows.remove")(function* (tenantId: Ids.AccountId, phoneNumberId: string, id: string) {
        const number = yield* capable(tenantId, phoneNumberId)
        yield* asking(tenantId, phoneNumberId, (flows, { connection }) => flows.remove(connection, id))
        yield* storage.transact(endpoints.removeOfFlow(ownerOf(number), id))
      })

      const found = (tenantId: Ids.AccountId, id: Ids.PhoneId) =>
        Effect.flatMap(storage.read(numbers.find(tenantId, id)), (number) =>
          number === null ? Effect.fail(new ConnectedNumberNotFound({ id })) : Effect.succeed(number)
        )

      const makeKey = tracedFn("Flows.makeKey")(function* (
        tenantId: Ids.AccountId,
        phoneId: Ids.PhoneId,
        actor: Actor = operator
      ) {
        const number = yield* found(tenantId, phoneId)
        const { fingerprint, privateKey } = yield* askFor(
          number,
          requested((flows, { connection }) =>
            Effect.tap(flows.makeKey, ({ publicKey }) => flows.setKey(connection, publicKey))
          )
        )
        const sealed = yield* vault.encrypt(Redacted.value(privateKey))
        const key = { phoneId, tenantId, privateKey: sealed, fingerprint, createdAt: yield* Instant.now }
        yield* storage.transact(
          Effect.andThen(keys.save(key), accounts.record(tenantId, actor, "flow.key", phoneId, fingerprint))
        )
        return { fingerprint, createdAt: key.createdAt }
      }, Effect.uninterruptible)

      const key = Effect.fnUntraced(function* (tenantId: Ids.AccountId, phoneId: Ids.PhoneId) {
        const number = yield* found(tenantId, phoneId)
        const [known] = yield* storage.read(keys.among(tenantId, [phoneId]))
        if (known === undefined) return yield* new FlowKeyNotFound({ id: phoneId })
        const signatureStatus = yield* askFor(
          number,
          requested((flows, { connection }) => flows.keyStatus(connection))
        )
        return { fingerprint: known.fingerprint, createdAt: known.createdAt, signatureStatus }
      })

      const reencrypt = Effect.fnUntraced(function* (which: "all" | "plain") {
        const secrets = yield* reencryptAll(
          vault,
          {
            page: (after: Ids.FlowEndpointId | null, limit, prefix) =>
              Effect.map(storage.read(endpoints.secrets(after, limit, prefix)), (rows) =>
                rows.map(({ id, secret }) => ({ id, encrypted: [secret] }))
              ),
            replace: (id, from, to) => storage.transact(endpoints.replaceSecret(id, from, to))
          },
          which
        )
        const privateKeys = yield* reencryptAll(
          vault,
          {
            page: (after: Ids.PhoneId | null, limit, prefix) =>
              Effect.map(storage.read(keys.privateKeys(after, limit, prefix)), (rows) =>
                rows.map(({ phoneId: id, privateKey }) => ({ id, encrypted: [privateKey] }))
              ),
            replace: (id, from, to) => storage.transact(keys.replaceKey(id, from, to))
          },
          which
        )
        return {
          reencrypted: secrets.reencrypted + privateKeys.reencrypted,
          unreadable: secrets.unreadable + privateKeys.unreadable
        }
      })

      return Flows.of({
        list: (tenantId, number, query) =>
          asking(tenantId, number, (flows, { connection }) => flows.list(connection, query)),
        create,
        get,
        change,
        saveJson: (tenantId, number, id, json) =>
          Effect.map(
            asking(tenantId, number, (flows, { connection }) => flows.saveJson(connection, id, json)),
            ({ faults, isValid }) => ({ success: isValid, validationErrors: faults })
          ),
        json: (tenantId, number, id) => asking(tenantId, number, (flows, { connection }) => flows.json(connection, id)),
        publish: (tenantId, number, id) =>
          asking(tenantId, number, (flows, { connection }) => flows.publish(connection, id)),
        deprecate: (tenantId, number, id) =>
          asking(tenantId, number, (flows, { connection }) => flows.deprecate(connection, id)),
        remove,
        makeKey,
        key,
        reencrypt
      })
    })
  )
}
