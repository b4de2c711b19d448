/** Port: what happened in a window, in an account or about one of its agents. Each is answered from an index. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { EndedCalls, EndedSessions } from "./AlertReadings.ts"

/** After `from`, up to and including `to`. */
export interface Window {
  readonly tenantId: Ids.AccountId
  /** Null for all agents. */
  readonly botId: Ids.BotId | null
  readonly from: Instant.Instant
  readonly to: Instant.Instant
}

export class AlertReadingStore extends Context.Service<
  AlertReadingStore,
  {
    /** Calls that ended in the window, without those that were never placed. */
    readonly endedCalls: (window: Window) => Effect.Effect<EndedCalls, StorageError, Read>
    /** How many calls were started in the window, without those that were never placed. */
    readonly placedCalls: (window: Window) => Effect.Effect<number, StorageError, Read>
    readonly endedSessions: (window: Window) => Effect.Effect<EndedSessions, StorageError, Read>
    /** How many replies of agents began in the window whose latency was measured. */
    readonly replies: (window: Window) => Effect.Effect<number, StorageError, Read>
    /** The latency in milliseconds at a rank among these, the shortest first, from 1; null beyond the last. */
    readonly replyLatency: (window: Window, rank: number) => Effect.Effect<number | null, StorageError, Read>
  }
>()("@trunkline/core/voice/alerts/AlertReadingStore") {}
