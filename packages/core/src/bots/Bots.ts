/** Agents: making, listing, finding, changing and removing them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Ids, Instant, type Page, type Paged } from "../kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import { type Bot, BotStore } from "./BotStore.ts"
import { BotUses, StillInUse } from "./BotUses.ts"
import { BotWatcher } from "./BotWatcher.ts"
import { KnowledgeStore } from "./KnowledgeStore.ts"

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
    /** Changes the fields that are given; a `config` replaces the whole of it. Source: docs/bots.md#bot. */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.BotId,
      change: Partial<NewBot>
    ) => Effect.Effect<Bot, BotNotFound | StorageError>
    /**
     * Removes an agent with all that it knows, and unlinks it from its numbers. Refused while a campaign that has not ended
     * names it. Source: docs/bots.md#removing.
     */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.BotId
    ) => Effect.Effect<void, BotNotFound | StillInUse | StorageError>
    /** The agent, or null where it is not the account's own. */
    readonly find: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot | null, StorageError, Read>
    /** Fails unless the agent is the account's own, in the caller's transaction or read. */
    readonly owned: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot, BotNotFound | StorageError, Read>
    /** The same, and locks the agent against changes and removal until the caller's transaction ends. */
    readonly held: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot, BotNotFound | StorageError, Tx>
  }
>()("@trunkline/core/bots/Bots") {
  static readonly layer = Layer.effect(
    Bots,
    Effect.gen(function* () {
      const store = yield* BotStore
      const knowledge = yield* KnowledgeStore
      const storage = yield* Storage
      const uses = yield* BotUses
      const watcher = yield* BotWatcher

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.BotId) {
        return (yield* store.find(tenantId, id)) ?? (yield* new BotNotFound({ id }))
      })

      const held = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.BotId) {
        return (yield* store.lock(tenantId, id)) ?? (yield* new BotNotFound({ id }))
      })

      const create = Effect.fn("Bots.create")(function* (tenantId: Ids.AccountId, given: NewBot) {
        const at = yield* Instant.now
        const bot: Bot = { ...given, id: yield* Ids.fresh<"Bot">(), tenantId, createdAt: at, updatedAt: at }
        yield* store.add(bot)
        return bot
      }, storage.transact)

      const change = Effect.fn("Bots.change")(function* (
        tenantId: Ids.AccountId,
        id: Ids.BotId,
        given: Partial<NewBot>
      ) {
        const bot: Bot = { ...(yield* held(tenantId, id)), ...given, updatedAt: yield* Instant.now }
        yield* store.save(bot)
        return bot
      }, storage.transact)

      const remove = Effect.fn("Bots.remove")(function* (tenantId: Ids.AccountId, id: Ids.BotId) {
        // Campaigns lock the same key before they look for an agent that they are to name.
        yield* lock("numbers", tenantId)
        yield* held(tenantId, id)
        if (yield* uses.campaign(tenantId, id)) return yield* new StillInUse({ what: "agent" })
        yield* watcher.removed(tenantId, id)
        yield* knowledge.removeAll(id)
        yield* store.remove(tenantId, id)
      }, storage.transact)

      return Bots.of({
        create,
        change,
        remove,
        owned,
        held,
        find: store.find,
        get: (tenantId, id) => storage.read(owned(tenantId, id)),
        list: (tenantId, page) =>
          storage.read(Effect.all({ items: store.list(tenantId, page), total: store.count(tenantId) }))
      })
    })
  )
}
