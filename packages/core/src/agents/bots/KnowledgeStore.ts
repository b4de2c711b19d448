/** Port: what agents know, and the storage's own full-text search over it. Source: docs/reference/bots.md#knowledge. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Entity, Instant, type Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import * as Ids from "../AgentsIds.ts"
import type { IndexedText } from "../search/index.ts"

/** Its row. */
export const knowledgeEntity = Schema.Struct({
  id: Ids.schema<"Knowledge">(),
  tenantId: Ids.schema<"Account">(),
  botId: Ids.schema<"Bot">(),
  title: Schema.String,
  content: Schema.String,
  createdAt: Instant.Iso
})
export interface KnowledgeEntry extends Schema.Struct.Type<typeof knowledgeEntity.fields> {}

/** How an entry is shown. */
export const KnowledgeRecord = Entity.recordOf(knowledgeEntity, ["id", "botId", "title", "content", "createdAt"])

/** An entry that was found, and its passage that was. */
export interface KnowledgeHit {
  readonly id: Ids.KnowledgeId
  readonly title: string
  readonly content: string
  /** Where the passage stands in the content, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** What was looked for, as the agent's entries spell it. */
  readonly terms: ReadonlyArray<string>
  /** Above 0 and below 1, the higher the better: how much of what was asked for the passage holds. */
  readonly score: number
}

export class KnowledgeStore extends Context.Service<
  KnowledgeStore,
  {
    /** Adds an entry under the terms that it is found by. Lock the agent first: the terms of an agent are counted. */
    readonly add: (entry: KnowledgeEntry, text: IndexedText) => Effect.Effect<void, StorageError, Tx>
    /** Writes an entry anew, under the terms that it is found by from now on. Lock the agent first. */
    readonly save: (entry: KnowledgeEntry, text: IndexedText) => Effect.Effect<void, StorageError, Tx>
    readonly find: (
      entry: Pick<KnowledgeEntry, "id" | "tenantId" | "botId">
    ) => Effect.Effect<KnowledgeEntry | null, StorageError, Read>
    /** Newest first. */
    readonly list: (botId: Ids.BotId, page: Page) => Effect.Effect<ReadonlyArray<KnowledgeEntry>, StorageError, Read>
    readonly count: (botId: Ids.BotId) => Effect.Effect<number, StorageError, Read>
    /** Entries of all agents of an account. Its cost depends on the number of agents, not of entries. */
    readonly countOfAccount: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** True when there was one. Lock the agent first. */
    readonly remove: (
      entry: Pick<KnowledgeEntry, "id" | "tenantId" | "botId">
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Everything that an agent knows. Lock the agent first. */
    readonly removeAll: (botId: Ids.BotId) => Effect.Effect<void, StorageError, Tx>
    /**
     * Entries that have any of the terms, best first; those that are equally good, newest first. Rare terms of this agent's
     * weigh more than common ones, a term in the title more than one in the content, and a word that no entry has is looked
     * for in its nearest spelling. A term is letters and digits alone: any other text is in no entry.
     */
    readonly search: (
      botId: Ids.BotId,
      terms: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<KnowledgeHit>, StorageError, Read>
  }
>()("@trunkline/core/agents/bots/KnowledgeStore") {}
