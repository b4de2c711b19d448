/** Port: what agents know, and the storage's own full-text search over it. Source: docs/bots.md#knowledge. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant, Page } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

export interface KnowledgeEntry {
  readonly id: Ids.KnowledgeId
  readonly tenantId: Ids.AccountId
  readonly botId: Ids.BotId
  readonly title: string
  readonly content: string
  readonly createdAt: Instant.Instant
}

/** An entry that was found; the higher the score, the better. Scores of one search compare, of two they do not. */
export interface KnowledgeHit {
  readonly id: Ids.KnowledgeId
  readonly title: string
  readonly content: string
  readonly score: number
}

export class KnowledgeStore extends Context.Service<
  KnowledgeStore,
  {
    readonly add: (entry: KnowledgeEntry) => Effect.Effect<void, StorageError, Tx>
    readonly find: (botId: Ids.BotId, id: Ids.KnowledgeId) => Effect.Effect<KnowledgeEntry | null, StorageError, Read>
    /** Newest first. */
    readonly list: (botId: Ids.BotId, page: Page) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, StorageError, Read>
    readonly count: (botId: Ids.BotId) => Effect.Effect<number, StorageError, Read>
    /** True when there was one. */
    readonly remove: (botId: Ids.BotId, id: Ids.KnowledgeId) => Effect.Effect<boolean, StorageError, Tx>
    readonly removeAll: (botId: Ids.BotId) => Effect.Effect<void, StorageError, Tx>
    /**
     * Entries that have any of the terms, best first. A term is letters and digits alone, in lower case: nothing of a
     * question ever becomes query syntax.
     */
    readonly search: (
      botId: Ids.BotId,
      terms: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<KnowledgeHit>, StorageError, Read>
  }
>()("@trunkline/core/bots/KnowledgeStore") {}
