/** Port: agents. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Entity, Instant, type Page } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import * as Ids from "../AgentsIds.ts"

/** Source: docs/reference/bots.md#bot. */
export interface Bot {
  readonly id: Ids.BotId
  readonly tenantId: Ids.AccountId
  readonly name: string
  /** The brand's channel word unless the caller said otherwise. */
  readonly type: string
  readonly systemPrompt: string | null
  readonly isActive: boolean
  readonly config: Readonly<Record<string, unknown>>
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

/** Settings of an agent. */
export const BotConfig = Schema.Record(Schema.String, Schema.Json) as unknown as Schema.Codec<
  Readonly<Record<string, unknown>>
> // JSON, whose fields this room does not know

/** Its row. */
export const botEntity = Schema.Struct({
  id: Ids.schema<"Bot">(),
  tenantId: Ids.schema<"Account">(),
  name: Schema.String,
  type: Schema.String,
  systemPrompt: Schema.NullOr(Schema.String),
  isActive: Schema.Boolean,
  config: BotConfig,
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso
})

/** How an agent is shown. */
export const BotRecord = Entity.recordOf(botEntity, [
  "id",
  "tenantId",
  "name",
  "type",
  "systemPrompt",
  "isActive",
  "config",
  "createdAt",
  "updatedAt"
])

export class BotStore extends Context.Service<
  BotStore,
  {
    readonly add: (bot: Bot) => Effect.Effect<void, StorageError, Tx>
    readonly find: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot | null, StorageError, Read>
    /** The agent, locked until the end of the transaction: who locks it next sees what this transaction wrote. */
    readonly lock: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<Bot | null, StorageError, Tx>
    /** Newest first. */
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<ReadonlyArray<Bot>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** Writes an agent that is locked. */
    readonly save: (bot: Bot) => Effect.Effect<void, StorageError, Tx>
    /** Removes the row alone: see KnowledgeStore for what the agent knows. */
    readonly remove: (tenantId: Ids.AccountId, id: Ids.BotId) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/agents/bots/BotStore") {}
