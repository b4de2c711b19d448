/** What agents know: adding, listing, removing, and finding an answer to a question. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"

/** An entry that answers a question, with the part of it that does. Source: docs/bots.md#search. */
export interface Found {
  readonly id: Ids.KnowledgeId
  readonly title: string
  /** About 600 characters of the content, cut between words. */
  readonly snippet: string
  /** Above 0 and below 1: how much of what was asked for the entry holds. */
  readonly score: number
}

export class Knowledge extends Context.Service<
  Knowledge,
  {
    /**
     * Entries of the agent that answer a question in ordinary words, best first; none is an empty list. Whatever the
     * question holds, it is never read as a query. Source: docs/bots.md#search.
     */
    readonly search: (
      botId: Ids.BotId,
      question: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Found>, StorageError>
  }
>()("@trunkline/core/bots/Knowledge") {}
