/** Batches and their lines in SQL. */
import { BatchStore, Ids, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, insert, row, rows, write, writeRow } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Batch = Database["batches"]
type Own = Pick<Batch, "tenantId" | "id">
type Line = Database["batchLines"]

const find = statement<Own>("batches.find")((db, value) =>
  db.selectFrom("batches").select(fieldsOf("batches")).where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const lock = statement<Own>("batches.lock")((db, value, dialect) => {
  const found = db
    .selectFrom("batches")
    .select(fieldsOf("batches"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
  return dialect.forUpdate(found)
})

const save = statement<Batch>("batches.save")((db, batch) =>
  db
    .updateTable("batches")
    .set(changesOf("batches", batch, ["id", "tenantId", "keyId", "endpoint", "inputFileId", "createdAt"]))
    .where("id", "=", batch.id)
    .where("tenantId", "=", batch.tenantId)
)

/** No id is after it. */
const last = Ids.as<"Batch">("ffffffff-ffff-ffff-ffff-ffffffffffff")

const list = statement<Pick<Batch, "tenantId"> & { after: Ids.BatchId; limit: number }>("batches.list")((db, value) =>
  db
    .selectFrom("batches")
    .select(fieldsOf("batches"))
    .where("tenantId", "=", value.tenantId)
    .where("id", "<", value.after)
    .orderBy("id", "desc")
    .limit(value.limit)
)

const open = statement<Pick<Batch, "tenantId">>("batches.open")((db, value) =>
  db
    .selectFrom("batches")
    .select(fieldsOf("batches"))
    .where("tenantId", "=", value.tenantId)
    .where("isOpen", "=", sql<boolean>`true`)
    .orderBy("id")
)

const swept = statement<{ at: Instant.Instant; limit: number }>("batches.swept")((db, value) =>
  db
    .selectFrom("batches")
    .select(fieldsOf("batches"))
    .where("sweepAt", "is not", null)
    .where("sweepAt", "<=", value.at)
    .orderBy("sweepAt")
    .orderBy("id")
    .limit(value.limit)
)

type After = Pick<Line, "batchId"> & { readonly after: number; readonly limit: number }

const lines = statement<After>("batches.lines")((db, value) =>
  db
    .selectFrom("batchLines")
    .select(fieldsOf("batchLines"))
    .where("batchId", "=", value.batchId)
    .where("n", ">", value.after)
    .orderBy("n")
    .limit(value.limit)
)

const pending = statement<After>("batches.pending")((db, value) =>
  db
    .selectFrom("batchLines")
    .select(fieldsOf("batchLines"))
    .where("batchId", "=", value.batchId)
    .where("outcome", "is", null)
    .where("n", ">", value.after)
    .orderBy("n")
    .limit(value.limit)
)

const settleLine = statement<Pick<Line, "batchId" | "n" | "outcome" | "result">>("batches.settleLine")((db, value) =>
  db
    .updateTable("batchLines")
    .set({ outcome: value.outcome, result: value.result })
    .where("batchId", "=", value.batchId)
    .where("n", "=", value.n)
    .where("outcome", "is", null)
)

type Figures = Pick<
  Batch,
  "cachedTokens" | "completed" | "failed" | "id" | "inputTokens" | "outputTokens" | "reasoningTokens"
>

const count = statement<Figures>("batches.count")((db, value) =>
  db
    .updateTable("batches")
    .set((eb) => ({
      completed: eb("completed", "+", value.completed),
      failed: eb("failed", "+", value.failed),
      inputTokens: eb("inputTokens", "+", value.inputTokens),
      cachedTokens: eb("cachedTokens", "+", value.cachedTokens),
      outputTokens: eb("outputTokens", "+", value.outputTokens),
      reasoningTokens: eb("reasoningTokens", "+", value.reasoningTokens)
    }))
    .where("id", "=", value.id)
)

const removeLines = statement<Pick<Line, "batchId"> & { limit: number }>("batches.removeLines")((db, value) =>
  db
    .deleteFrom("batchLines")
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("batchId", "n"),
        "in",
        selectFrom("batchLines as old")
          .select(["old.batchId", "old.n"])
          .where("old.batchId", "=", value.batchId)
          .orderBy("old.batchId")
          .orderBy("old.n")
          .limit(value.limit)
          .$asTuple("batchId", "n")
      )
    )
)

export const layer = Layer.succeed(BatchStore, {
  add: (batch) => insert("batches", [batch]),
  find: (tenantId, id) => row(find, { tenantId, id }),
  lock: (tenantId, id) => writeRow(lock, { tenantId, id }),
  save: (batch) => Effect.asVoid(write(save, batch)),
  list: (tenantId, { after, limit }) => rows(list, { tenantId, after: after ?? last, limit }),
  open: (tenantId) => rows(open, { tenantId }),
  addLines: (added) => insert("batchLines", added),
  lines: (page) => rows(lines, page),
  pending: (page) => rows(pending, page),
  settleLine: Effect.fnUntraced(function* ({ batchId, n, outcome, result, ...usage }) {
    const isFirst = yield* changed(settleLine, { batchId, n, outcome, result })
    if (isFirst) {
      const [completed, failed] = outcome === "succeeded" ? [1, 0] : [0, 1]
      yield* write(count, { id: batchId, completed, failed, ...usage })
    }
    return isFirst
  }),
  removeLines: (batchId, limit) => write(removeLines, { batchId, limit }),
  swept: (at, limit) => rows(swept, { at, limit })
})
