/**
 * Decides when the requests of a batch run, and that each has one result and at most one bill.
 *
 * Promises  BATC-1 a batch never goes back: its statuses follow one table, and what has ended stays as it is.
 *           BATC-2 nothing runs before the whole input is checked; a faulty input runs nothing and costs nothing.
 *           BATC-3 a line's result and its bill are one transaction: a line with a result never runs again, whatever crashes.
 *           BATC-4 of all batches of an account, in however many processes, only the allowed number of lines runs at a time.
 *           BATC-5 every line of the input is once in the results, also of a cancelled or expired batch.
 *           BATC-6 the batches of a process that died are continued within a minute; one that stood still commits nothing.
 * Needs     BatchStore, BatchQueueStore, Files, Authentication, BatchEndpoints, BatchSettings.  Emits  nothing.
 * Not here  what a line's request is (gateway/llm), how it is run and billed (gateway/run), bytes of files (gateway/files).
 * Read      Batch.ts and BatchInput.ts, then Batches.ts, BatchLines.ts, BatchRunner.ts and BatchWorker.ts. Source: docs/reference/batches.md.
 */
export { type Batch, type BatchError, batchEntity, batchIdOf, moves as batchMoves } from "./Batch.ts"
export { type BatchEndpoint, BatchEndpoints } from "./BatchEndpoints.ts"
export { Batches, type NewBatch } from "./Batches.ts"
export type { BatchLine, LineOutcome, LineUsage } from "./BatchLine.ts"
export { BatchLines } from "./BatchLines.ts"
export { type BatchClaim, BatchQueueStore } from "./BatchQueueStore.ts"
export { BatchRunner } from "./BatchRunner.ts"
export { BatchSettings } from "./BatchSettings.ts"
export { BatchStore } from "./BatchStore.ts"
export { BatchWorker } from "./BatchWorker.ts"
