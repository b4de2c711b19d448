/** A batch under the names of the wire. Pure. Source: docs/reference/batches.md#batch. */

import { Instant } from "../../platform/kernel/index.ts"
import { publicFileId } from "../files/index.ts"
import type * as Ids from "../GatewayIds.ts"
import { type Batch, isEnded, publicBatchId } from "./Batch.ts"

const seconds = (at: Instant.Instant): number => Math.floor(at / Instant.second)
const secondsOrNull = (at: Instant.Instant | null): number | null => (at === null ? null : seconds(at))
const fileOrNull = (id: Ids.FileId | null): string | null => (id === null ? null : publicFileId(id))

const usageRecord = ({ cachedTokens, inputTokens, outputTokens, reasoningTokens }: Batch) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: cachedTokens },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: inputTokens + outputTokens
})

export const batchRecord = (batch: Batch) => ({
  id: publicBatchId(batch.id),
  object: "batch" as const,
  endpoint: batch.endpoint,
  errors: batch.faults === null ? null : { object: "list" as const, data: batch.faults },
  input_file_id: publicFileId(batch.inputFileId),
  completion_window: "24h",
  status: batch.status,
  output_file_id: fileOrNull(batch.outputFileId),
  error_file_id: fileOrNull(batch.errorFileId),
  created_at: seconds(batch.createdAt),
  in_progress_at: secondsOrNull(batch.inProgressAt),
  expires_at: seconds(batch.dueAt),
  finalizing_at: secondsOrNull(batch.finalizingAt),
  completed_at: secondsOrNull(batch.completedAt),
  failed_at: secondsOrNull(batch.failedAt),
  expired_at: secondsOrNull(batch.expiredAt),
  cancelling_at: secondsOrNull(batch.cancellingAt),
  cancelled_at: secondsOrNull(batch.cancelledAt),
  request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
  metadata: batch.labels,
  usage: isEnded(batch) ? usageRecord(batch) : null
})
