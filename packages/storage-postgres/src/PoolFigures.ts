/** The pool of connections as the operator sees it. Source: docs/reference/operations.md#metrics. */
import type { PoolCounts } from "@trunkline/core/storage"
import type pg from "pg"

export const poolFigures = ({ idleCount, options, totalCount, waitingCount }: pg.Pool): PoolCounts => ({
  used: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
  max: options.max
})
