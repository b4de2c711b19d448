/** Catalogs of numbers, asked of the channel. Source: docs/reference/catalog.md#routes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import {
  type ChannelCommerce,
  type ChannelFailed,
  type CommerceChange,
  type CommerceSettings,
  type ConnectedNumber,
  ConnectedNumberNotFound,
  ConnectedNumberStore,
  channelLacks,
  type PlatformMissing,
  type PlatformRefusal,
  type PlatformTrouble
} from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import { numberRequests, type Sender } from "../sending/index.ts"

type Failed = ConnectedNumberNotFound | PlatformTrouble | StorageError
type Query = Readonly<Record<string, string>>

export class Commerce extends Context.Service<
  Commerce,
  {
    readonly settings: (tenantId: Ids.AccountId, id: Ids.PhoneId) => Effect.Effect<CommerceSettings, Failed>
    /** Returns the settings with the change. */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      change: CommerceChange
    ) => Effect.Effect<CommerceSettings, Failed>
    /** The catalogs of the number's business account, in the channel's words. */
    readonly catalogs: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      query: Query
    ) => Effect.Effect<JsonObject, Failed | PlatformMissing>
    /** The products of a catalog, in the channel's words. */
    readonly products: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      catalogId: string,
      query: Query
    ) => Effect.Effect<JsonObject, Failed | PlatformMissing>
  }
>()("@trunkline/core/messaging/commerce/Commerce") {
  static readonly layer = Layer.effect(
    Commerce,
    Effect.gen(function* () {
      const numbers = yield* ConnectedNumberStore
      const storage = yield* Storage
      const { ask, askFor } = yield* numberRequests

      type Request<A> = (commerce: ChannelCommerce, sender: Sender) => Effect.Effect<A, ChannelFailed | PlatformRefusal>

      const requestOf =
        <A>(request: Request<A>) =>
        (sender: Sender) =>
          sender.channel.network.commerce === null
            ? Effect.fail(channelLacks("catalogs"))
            : request(sender.channel.network.commerce, sender)

      const found = (tenantId: Ids.AccountId, id: Ids.PhoneId) =>
        Effect.flatMap(storage.read(numbers.find(tenantId, id)), (number) =>
          number === null ? Effect.fail(new ConnectedNumberNotFound({ id })) : Effect.succeed(number)
        )

      const settingsOf = (number: ConnectedNumber) =>
        askFor(
          number,
          requestOf((commerce, { connection }) => commerce.settings(connection))
        )

      const change = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.PhoneId, given: CommerceChange) {
        const number = yield* found(tenantId, id)
        yield* askFor(
          number,
          requestOf((commerce, { connection }) => commerce.change(connection, given))
        )
        return yield* settingsOf(number)
      })

      return Commerce.of({
        settings: (tenantId, id) => Effect.flatMap(found(tenantId, id), settingsOf),
        change,
        catalogs: (tenantId, number, query) =>
          ask(
            tenantId,
            number,
            requestOf((commerce, { connection }) => commerce.catalogs(connection, query))
          ),
        products: (tenantId, number, catalogId, query) =>
          ask(
            tenantId,
            number,
            requestOf((commerce, { connection }) => commerce.products(connection, catalogId, query))
          )
      })
    })
  )
}
