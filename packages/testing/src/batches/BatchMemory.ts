/** What the model of batches remembers of a random day. */
import type { Batch, Ids, Instant } from "@trunkline/core/effect"
import type { BatchWorld } from "./BatchWorld.ts"

/** A batch as somebody asked for it, under an Idempotency-Key of its own. */
export interface Made {
  readonly key: string
  readonly endpoint: string
  readonly inputFileId: string
  readonly customIds: ReadonlyArray<string>
  readonly isFaulty: boolean
  /** Null while nobody has heard whether it was made. */
  id: Ids.BatchId | null
  /** When somebody heard that it is being cancelled. */
  cancelledAt: Instant.Instant | null
  /** Nobody heard the answer to a cancellation. */
  mayBeCancelled: boolean
  /** The last look at it. */
  last: Batch | null
}

export interface Seen {
  asks: number
  answered: number
  refused: number
  unrun: number
  completed: number
  cancelled: number
  expired: number
  failed: number
  asksAgain: number
  poor: number
  direct: number
  deaths: number
  stalls: number
  stops: number
  lostCommits: number
}

export interface Memory {
  readonly world: BatchWorld
  readonly made: Array<Made>
  /** When direct requests got their places. */
  readonly direct: Array<Instant.Instant>
  /** What was asked of the upstream and should not have been. */
  readonly violations: Array<string>
  readonly free: bigint
  readonly seen: Seen
}
