/** Port: the work that is under way or waits, counted over the whole installation, for its operator. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { UnderWay } from "../platform/room/index.ts"
import type { Read, StorageError } from "../platform/storage/index.ts"

/** Queues that are longer are counted no further. */
export const maxCounted = 100_000

export class MetricsStore extends Context.Service<
  MetricsStore,
  {
    /** Its cost grows with the work that is under way or waits, not with the rows that are stored. */
    readonly underWay: Effect.Effect<UnderWay, StorageError, Read>
  }
>()("@trunkline/core/host/MetricsStore") {}
