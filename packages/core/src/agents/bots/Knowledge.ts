/** What agents know: adding, listing, removing, and finding an answer to a question. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Actor, operator } from "../../platform/accounts/index.ts"
import { PlanStorage } from "../../platform/billing/index.ts"
import { Instant, type Page, type Paged, tracedFn, utf8Length } from "../../platform/kernel/index.ts"
import { type LimitReached, roomFor, Storage, type StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../AgentsIds.ts"
import { type IndexedText, indexText, snippetOf, termsOfQuestion } from "../search/index.ts"
import { type BotNotFound, KnowledgeNotFound } from "./BotErrors.ts"
import { Bots } from "./Bots.ts"
import { type KnowledgeEntry, KnowledgeStore } from "./KnowledgeStore.ts"

/** An entry that answers a question, with the part of it that does. Source: docs/reference/bots.md#search. */
export interface Found {
  readonly id: Ids.KnowledgeId
  readonly title: string
  /** About 600 characters of the content, cut between words. */
  readonly snippet: string
  /** Above 0 and below 1: how much of what was asked for the entry holds. */
  readonly score: number
}

const bytesOf = ({ content, title }: Pick<KnowledgeEntry, "title" | "content">): number =>
  utf8Length(title) + utf8Length(content)

export class Knowledge extends Context.Service<
  Knowledge,
  {
    readonly add: (
      tenantId: Ids.AccountId,
      botId: Ids.BotId,
      entry: Pick<KnowledgeEntry, "title" | "content">,
      actor?: Actor
    ) => Effect.Effect<KnowledgeEntry, BotNotFound | LimitReached | StorageError>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      botId: Ids.BotId,
      page: Page
    ) => Effect.Effect<Paged<KnowledgeEntry>, BotNotFound | StorageError>
    /** Changes the fields that are given; it is found by its new words at once. */
    readonly change: (
      tenantId: Ids.AccountId,
      botId: Ids.BotId,
      id: Ids.KnowledgeId,
      change: Partial<Pick<KnowledgeEntry, "title" | "content">>,
      actor?: Actor
    ) => Effect.Effect<KnowledgeEntry, BotNotFound | KnowledgeNotFound | LimitReached | StorageError>
    readonly remove: (
      tenantId: Ids.AccountId,
      botId: Ids.BotId,
      id: Ids.KnowledgeId,
      actor?: Actor
    ) => Effect.Effect<void, BotNotFound | KnowledgeNotFound | StorageError>
    /**
     * Entries of the agent that answer a question in ordinary words, best first; none is an empty list. Whatever the
     * question holds, it is never read as a query. Whose agent it is the caller has asked. Source: docs/reference/bots.md#search.
     */
    readonly search: (
      botId: Ids.BotId,
      question: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Found>, StorageError>
  }
>()("@trunkline/core/agents/bots/Knowledge") {
  static readonly layer = Layer.effect(
    Knowledge,
    Effect.gen(function* () {
      const bots = yield* Bots
      const store = yield* KnowledgeStore
      const storage = yield* Storage
      const planStorage = yield* PlanStorage
      const roomInAgent = yield* roomFor("agentKnowledge")
      const roomInAccount = yield* roomFor("knowledge")

      const add = tracedFn("Knowledge.add")(function* (
        tenantId: Ids.AccountId,
        botId: Ids.BotId,
        { content, title }: Pick<KnowledgeEntry, "title" | "content">,
        actor: Actor = operator
      ) {
        const id = yield* Ids.fresh<"Knowledge">()
        const entry: KnowledgeEntry = { id, tenantId, botId, title, content, createdAt: yield* Instant.now }
        // Before the transaction: a long text takes a while.
        const text = indexText(title, content)
        const bytes = bytesOf(entry)
        yield* storage.transact(
          Effect.gen(function* () {
            const bot = yield* bots.held(tenantId, botId)
            yield* roomInAgent(botId, store.count(botId))
            yield* roomInAccount(tenantId, store.countOfAccount(tenantId))
            yield* planStorage.checkRoom(tenantId, bytes)
            yield* store.add(entry, text)
            yield* bots.noteChange(bot, actor)
          })
        )
        return entry
      })

      const list = Effect.fnUntraced(function* (tenantId: Ids.AccountId, botId: Ids.BotId, page: Page) {
        yield* bots.owned(tenantId, botId)
        return yield* Effect.all({ items: store.list(botId, page), total: store.count(botId) })
      }, storage.read)

      const found = Effect.fnUntraced(function* (tenantId: Ids.AccountId, botId: Ids.BotId, id: Ids.KnowledgeId) {
        return (yield* store.find({ id, tenantId, botId })) ?? (yield* new KnowledgeNotFound({ id }))
      })

      /** Null where it has changed since it was read. */
      const save = Effect.fnUntraced(function* (
        before: KnowledgeEntry,
        entry: KnowledgeEntry,
        text: IndexedText,
        actor: Actor
      ) {
        const { botId, tenantId } = entry
        const bot = yield* bots.held(tenantId, botId)
        const present = yield* found(tenantId, botId, entry.id)
        if (present.title !== before.title || present.content !== before.content) return null
        const more = bytesOf(entry) - bytesOf(present)
        if (more > 0) yield* planStorage.checkRoom(tenantId, more)
        yield* store.save(entry, text)
        yield* bots.noteChange(bot, actor)
        return entry
      }, storage.transact)

      const change = tracedFn("Knowledge.change")(function* (
        tenantId: Ids.AccountId,
        botId: Ids.BotId,
        id: Ids.KnowledgeId,
        given: Partial<Pick<KnowledgeEntry, "title" | "content">>,
        actor: Actor = operator
      ) {
        for (;;) {
          const before = yield* storage.read(Effect.andThen(bots.owned(tenantId, botId), found(tenantId, botId, id)))
          const entry: KnowledgeEntry = { ...before, ...given }
          // Before the transaction: a long text takes a while.
          const saved = yield* save(before, entry, indexText(entry.title, entry.content), actor)
          if (saved !== null) return saved
        }
      })

      const remove = tracedFn("Knowledge.remove")(function* (
        tenantId: Ids.AccountId,
        botId: Ids.BotId,
        id: Ids.KnowledgeId,
        actor: Actor = operator
      ) {
        const bot = yield* bots.held(tenantId, botId)
        if (!(yield* store.remove({ id, tenantId, botId }))) return yield* new KnowledgeNotFound({ id })
        yield* bots.noteChange(bot, actor)
      }, storage.transact)

      const search = tracedFn("Knowledge.search")(function* (botId: Ids.BotId, question: string, limit: number) {
        const hits = yield* store.search(botId, termsOfQuestion(question), limit)
        return hits.map(({ content, end, id, score, start, terms, title }): Found => {
          return { id, title, snippet: snippetOf(content, { start, end }, terms), score }
        })
      }, storage.read)

      return Knowledge.of({ add, list, change, remove, search })
    })
  )
}
