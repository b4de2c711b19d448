/** The life of a batch. Pure. Source: docs/reference/batches.md#status. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../GatewayIds.ts"

export const BatchStatus = Schema.Literals([
  "validating",
  "failed",
  "in_progress",
  "finalizing",
  "completed",
  "expired",
  "cancelling",
  "cancelled"
])
export type BatchStatus = typeof BatchStatus.Type

/** A fault of the input. */
const BatchError = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  /** From 1; null where it is the whole file. */
  line: Schema.NullOr(Schema.Int),
  param: Schema.NullOr(Schema.String)
})
export interface BatchError extends Schema.Struct.Type<typeof BatchError.fields> {}

const moment = Schema.NullOr(Instant.Iso)

/** Its row. */
export const batchEntity = Schema.Struct({
  id: Ids.schema<"Batch">(),
  tenantId: Ids.schema<"Account">(),
  /** The key that made it, and for which its lines run. */
  keyId: Schema.NullOr(Ids.schema<"Key">()),
  status: BatchStatus,
  endpoint: Schema.String,
  inputFileId: Ids.schema<"File">(),
  inputBytes: Schema.Int,
  outputFileId: Schema.NullOr(Ids.schema<"File">()),
  errorFileId: Schema.NullOr(Ids.schema<"File">()),
  faults: Schema.NullOr(Schema.Array(BatchError)),
  labels: Schema.NullOr(Schema.Record(Schema.String, Schema.String)),
  /** Its input has been checked, and has become lines. */
  isChecked: Schema.Boolean,
  isOpen: Schema.Boolean,
  total: Schema.Int,
  completed: Schema.Int,
  failed: Schema.Int,
  inputTokens: Schema.Int,
  cachedTokens: Schema.Int,
  outputTokens: Schema.Int,
  reasoningTokens: Schema.Int,
  createdAt: Instant.Iso,
  /** The end of its window. */
  dueAt: Instant.Iso,
  inProgressAt: moment,
  finalizingAt: moment,
  completedAt: moment,
  failedAt: moment,
  expiredAt: moment,
  cancellingAt: moment,
  cancelledAt: moment,
  /** From when on its lines may be removed; null before, and when they are gone. */
  sweepAt: moment
})
export interface Batch extends Schema.Struct.Type<typeof batchEntity.fields> {}

/** Which status may follow which. */
export const moves: Readonly<Record<BatchStatus, ReadonlyArray<BatchStatus>>> = {
  validating: ["in_progress", "failed", "cancelling"],
  in_progress: ["finalizing", "cancelling", "expired"],
  finalizing: ["completed", "cancelling"],
  cancelling: ["cancelled"],
  failed: [],
  completed: [],
  expired: [],
  cancelled: []
}

export const isEnded = ({ status }: Pick<Batch, "status">): boolean => moves[status].length === 0

export const newBatch = (
  given: Pick<Batch, "endpoint" | "id" | "inputBytes" | "inputFileId" | "keyId" | "labels" | "tenantId">,
  windowSeconds: number,
  at: Instant.Instant
): Batch => ({
  ...given,
  status: "validating",
  outputFileId: null,
  errorFileId: null,
  faults: null,
  isChecked: false,
  isOpen: true,
  total: 0,
  completed: 0,
  failed: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  createdAt: at,
  dueAt: Instant.plus(at, windowSeconds * Instant.second),
  inProgressAt: null,
  finalizingAt: null,
  completedAt: null,
  failedAt: null,
  expiredAt: null,
  cancellingAt: null,
  cancelledAt: null,
  sweepAt: null
})

const ended = (batch: Batch, at: Instant.Instant): Batch => ({ ...batch, isOpen: false, sweepAt: at })

/** Its input is right. One that is being cancelled has lines from now on, none of which runs. */
export const checked = (batch: Batch, total: number, at: Instant.Instant): Batch => {
  const next = { ...batch, isChecked: true, total }
  return batch.status === "validating" ? { ...next, status: "in_progress", inProgressAt: at } : next
}

/** Its input is faulty. */
export const faulty = (batch: Batch, faults: ReadonlyArray<BatchError>, at: Instant.Instant): Batch =>
  batch.status === "validating"
    ? ended({ ...batch, status: "failed", failedAt: at, faults }, at)
    : ended({ ...batch, status: "cancelled", cancelledAt: at, faults }, at)

/** All of its lines have results. */
export const finalizing = (batch: Batch, at: Instant.Instant): Batch =>
  batch.status === "in_progress" ? { ...batch, status: "finalizing", finalizingAt: at } : batch

/** The batch as it is being cancelled; again it stays as it is. Fails where it has ended otherwise. */
export const cancel = (batch: Batch, at: Instant.Instant): Result.Result<Batch, BatchStatus> => {
  if (batch.status === "cancelling" || batch.status === "cancelled") return Result.succeed(batch)
  return isEnded(batch)
    ? Result.fail(batch.status)
    : Result.succeed({ ...batch, status: "cancelling", cancellingAt: at })
}

/** Why lines that have not begun do not begin; null where they do. */
export const stopOf = (
  { dueAt, status }: Pick<Batch, "dueAt" | "status">,
  at: Instant.Instant
): "batch_cancelled" | "batch_expired" | null => {
  if (status === "cancelling" || status === "cancelled") return "batch_cancelled"
  return at >= dueAt ? "batch_expired" : null
}

/** The next step of a batch that is open. */
export const stepOf = (batch: Batch, at: Instant.Instant): "check" | "end" | "run" => {
  if (!batch.isChecked) return "check"
  return batch.status === "in_progress" && stopOf(batch, at) === null ? "run" : "end"
}

/** The batch with its files, as it ends. */
export const endOf = (batch: Batch, files: Pick<Batch, "errorFileId" | "outputFileId">, at: Instant.Instant): Batch => {
  const next = ended({ ...batch, ...files }, at)
  switch (batch.status) {
    case "cancelling":
      return { ...next, status: "cancelled", cancelledAt: at }
    case "finalizing":
      return { ...next, status: "completed", completedAt: at }
    default:
      return { ...next, status: "expired", expiredAt: at }
  }
}

const prefix = "batch_"

export const publicBatchId = (id: Ids.BatchId): string => `${prefix}${id.replaceAll("-", "")}`

/** The id behind its public form; null where it is none. */
export const batchIdOf = (text: string): Ids.BatchId | null => {
  const [, a, b, c, d, e] =
    /^batch_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(text) ?? []
  return a === undefined ? null : Ids.as(`${a}-${b}-${c}-${d}-${e}`)
}
