/** Agents: making, listing, finding, changing and removing them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Accounts, type Actor, operator, Vault } from "../../platform/accounts/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import {
  type LimitReached,
  lock,
  type Read,
  roomFor,
  Storage,
  type StorageError,
  type Tx
} from "../../platform/storage/index.ts"
import * as Ids from "../AgentsIds.ts"
import { BotConfigRules, type StoredConfig } from "./BotConfigRules.ts"
import { BotConfigRefused, BotNotFound, StillInUse } from "./BotErrors.ts"
import { BotSecretStore } from "./BotSecretStore.ts"
import { type Bot, BotStore } from "./BotStore.ts"
import { BotUses } from "./BotUses.ts"
import { BotWatcher } from "./BotWatcher.ts"
import { KnowledgeStore } from "./KnowledgeStore.ts"

export type NewBot = Pick<Bot, "name" | "type" | "systemPrompt" | "isActive" | "config">

export class Bots extends Context.Service<
  Bots,
  {
    readonly create: (
      tenantId: Ids.AccountId,
      bot: NewBot
    ) => Effect.Effect<Bot, BotConfigRefused | LimitReached | StorageError>
    readonly get: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot, BotNotFound | StorageError>
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<Bot>, StorageError>
    /**
     * Changes the fields that are given; a `config` replaces the whole of it, and a mask in it keeps the secret that is stored.
     * Source: docs/reference/bots.md#bot.
     */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.BotId,
      change: Partial<NewBot>,
      actor?: Actor
    ) => Effect.Effect<Bot, BotConfigRefused | BotNotFound | StorageError>
    /** The agent as a change would leave it, which is checked and not made. */
    readonly tried: (
      tenantId: Ids.AccountId,
      id: Ids.BotId,
      change: Partial<Pick<NewBot, "systemPrompt" | "config">>
    ) => Effect.Effect<Bot, BotConfigRefused | BotNotFound | StorageError>
    /**
     * Removes an agent with all that it knows, and unlinks it from its numbers. Refused while a campaign that has not ended
     * names it. Source: docs/reference/bots.md#removing.
     */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.BotId,
      actor?: Actor
    ) => Effect.Effect<void, BotNotFound | StillInUse | StorageError>
    /** The agent, or null where it is not the account's own. */
    readonly find: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot | null, StorageError, Read>
    /** Fails unless the agent is the account's own, in the caller's transaction or read. */
    readonly owned: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot, BotNotFound | StorageError, Read>
    /** The same, and locks the agent against changes and removal until the caller's transaction ends. */
    readonly held: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot, BotNotFound | StorageError, Tx>
    /** Notes in the audit log that the agent was changed, or what it knows, in the transaction of the change. */
    readonly noteChange: (bot: Bot, actor: Actor) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/agents/bots/Bots") {
  static readonly layer = Layer.effect(
    Bots,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const store = yield* BotStore
      const knowledge = yield* KnowledgeStore
      const storage = yield* Storage
      const uses = yield* BotUses
      const watcher = yield* BotWatcher
      const rules = yield* BotConfigRules
      const secrets = yield* BotSecretStore
      const vault = yield* Vault
      const roomForOne = yield* roomFor("agents")

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.BotId) {
        return (yield* store.find(tenantId, id)) ?? (yield* new BotNotFound({ id }))
      })

      const held = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.BotId) {
        return (yield* store.lock(tenantId, id)) ?? (yield* new BotNotFound({ id }))
      })

      /** The configuration with masks, and its secrets encrypted. Encrypted before any transaction, which waits for nothing else. */
      const sealed = Effect.fnUntraced(function* (given: Bot["config"], before: StoredConfig | null) {
        const read = rules.accept(given, before)
        if (Result.isFailure(read)) return yield* new BotConfigRefused({ faults: read.failure })
        const { config, secrets: plain } = read.success
        return { config, secret: plain === null ? null : yield* vault.encrypt(plain) }
      })

      const putSecret = (id: Ids.BotId, secret: string | null) =>
        secret === null ? secrets.remove(id) : secrets.put({ id, secret })

      const create = tracedFn("Bots.create")(function* (tenantId: Ids.AccountId, given: NewBot) {
        const at = yield* Instant.now
        const { config, secret } = yield* sealed(given.config, null)
        const bot: Bot = { ...given, config, id: yield* Ids.fresh<"Bot">(), tenantId, createdAt: at, updatedAt: at }
        yield* storage.transact(
          Effect.gen(function* () {
            yield* roomForOne(tenantId, store.count(tenantId))
            yield* store.add(bot)
            if (secret !== null) yield* secrets.put({ id: bot.id, secret })
          })
        )
        return bot
      })

      const noteChange = ({ id, name, tenantId }: Bot, actor: Actor) =>
        accounts.record(tenantId, actor, "agent.change", id, name)

      /** Changes an agent and its secrets. Null where these are not those that the new ones were made of. */
      const save = Effect.fnUntraced(function* (
        [tenantId, id]: readonly [Ids.AccountId, Ids.BotId],
        change: Partial<NewBot>,
        secret: { readonly before: string | null; readonly next: string | null } | null,
        actor: Actor
      ) {
        const found = yield* held(tenantId, id)
        if (secret !== null && (yield* secrets.find(id)) !== secret.before) return null
        const bot: Bot = { ...found, ...change, updatedAt: yield* Instant.now }
        yield* store.save(bot)
        if (secret !== null && secret.next !== secret.before) yield* putSecret(id, secret.next)
        yield* noteChange(bot, actor)
        return bot
      }, storage.transact)

      /** The secrets as they are stored, and in plain. Those that none of our keys decrypts are none. */
      const secretsOf = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.BotId) {
        const [bot, stored] = yield* storage.read(Effect.all([owned(tenantId, id), secrets.find(id)]))
        const plain = stored === null ? null : yield* Effect.catch(vault.decrypt(stored), () => Effect.succeed(null))
        return { bot, stored, before: { config: bot.config, secrets: plain } }
      })

      const tried = tracedFn("Bots.tried")(function* (
        tenantId: Ids.AccountId,
        id: Ids.BotId,
        given: Partial<Pick<NewBot, "systemPrompt" | "config">>
      ) {
        const { before, bot } = yield* secretsOf(tenantId, id)
        if (given.config !== undefined) {
          const read = rules.accept(given.config, before)
          if (Result.isFailure(read)) return yield* new BotConfigRefused({ faults: read.failure })
        }
        return { ...bot, ...given }
      })

      const change = tracedFn("Bots.change")(function* (
        tenantId: Ids.AccountId,
        id: Ids.BotId,
        given: Partial<NewBot>,
        actor: Actor = operator
      ) {
        for (;;) {
          const { before, stored } = yield* secretsOf(tenantId, id)
          const accepted = given.config === undefined ? null : yield* sealed(given.config, before)
          const saved = yield* save(
            [tenantId, id],
            accepted === null ? given : { ...given, config: accepted.config },
            accepted === null ? null : { before: stored, next: accepted.secret },
            actor
          )
          // Another change of the same secrets came between: the masks mean those that are stored now.
          if (saved !== null) return saved
        }
      })

      const remove = tracedFn("Bots.remove")(function* (
        tenantId: Ids.AccountId,
        id: Ids.BotId,
        actor: Actor = operator
      ) {
        // Campaigns lock the same key before they look for an agent that they are to name.
        yield* lock("numbers", tenantId)
        const { name } = yield* held(tenantId, id)
        if (yield* uses.campaign(tenantId, id)) return yield* new StillInUse({ what: "agent" })
        yield* watcher.removed(tenantId, id)
        yield* knowledge.removeAll(id)
        yield* secrets.remove(id)
        yield* store.remove(tenantId, id)
        yield* accounts.record(tenantId, actor, "agent.delete", id, name)
      }, storage.transact)

      return Bots.of({
        create,
        change,
        tried,
        remove,
        owned,
        held,
        noteChange,
        find: store.find,
        get: (tenantId, id) => storage.read(owned(tenantId, id)),
        list: (tenantId, page) =>
          storage.read(Effect.all({ items: store.list(tenantId, page), total: store.count(tenantId) }))
      })
    })
  )
}
