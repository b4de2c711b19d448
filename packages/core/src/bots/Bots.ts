/** Agents: making, listing and finding them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Ids, Instant, type Page, type Paged } from "../kernel/index.ts"
import { type Read, Storage, type StorageError } from "../storage/index.ts"
import { type Bot, BotStore } from "./BotStore.ts"

export class BotNotFound extends Schema.TaggedError<BotNotFound>()("BotNotFound", { id: Schema.String }) {
  override get message() {
    return "Agent not found"
  }
}

export type NewBot = Pick<Bot, "name" | "type" | "systemPrompt" | "isActive" | "config">

export class Bots extends Context.Service<
  Bots,
  {
    readonly create: (tenantId: Ids.AccountId, bot: NewBot) => Effect.Effect<Bot, StorageError>
    readonly get: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot, BotNotFound | StorageError>
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<Bot>, StorageError>
    /** The agent, or null where it is not the account's own. */
    readonly find: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot | null, StorageError, Read>
    /** Fails unless the agent is the account's own, in the caller's transaction or look. */
    readonly owned: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot, BotNotFound | StorageError, Read>
  }
>()("@trunkline/core/bots/Bots") {
  static readonly layer = Layer.effect(
    Bots,
    Effect.gen(function* () {
      const store = yield* BotStore
      const storage = yield* Storage

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.BotId) {
        return (yield* store.find(tenantId, id)) ?? (yield* new BotNotFound({ id }))
      })

      const create = Effect.fn("Bots.create")(function* (tenantId: Ids.AccountId, given: NewBot) {
        const at = yield* Instant.now
        const bot: Bot = { ...given, id: yield* Ids.fresh<"Bot">(), tenantId, createdAt: at, updatedAt: at }
        yield* store.add(bot)
        return bot
      }, storage.transact)

      return Bots.of({
        create,
        owned,
        find: store.find,
        get: (tenantId, id) => storage.read(owned(tenantId, id)),
        list: (tenantId, page) =>
          storage.read(Effect.all({ items: store.list(tenantId, page), total: store.count(tenantId) }))
      })
    })
  )
}
