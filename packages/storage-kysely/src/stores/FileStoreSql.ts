/** Files and their bytes in SQL. */
import { type FileList, FileStore, Ids, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { count, insert, row, rows, write, writeRow } from "../Session.ts"
import { changesOf, fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type File = Database["files"]
type Own = Pick<File, "tenantId" | "id">
type Chunk = Database["fileChunks"]

const find = statement<Own>("files.find")((db, value) =>
  db.selectFrom("files").select(fieldsOf("files")).where("id", "=", value.id).where("tenantId", "=", value.tenantId)
)

const lock = statement<Own>("files.lock")((db, value, dialect) => {
  const found = db
    .selectFrom("files")
    .select(fieldsOf("files"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
  return dialect.forUpdate(found)
})

const save = statement<File>("files.save")((db, file) =>
  db
    .updateTable("files")
    .set(changesOf("files", file, ["id", "tenantId"]))
    .where("id", "=", file.id)
    .where("tenantId", "=", file.tenantId)
)

// Written out, so that the index of files that are there is used.
const ready = sql.lit<"ready">("ready")

type ListOf = Omit<FileList, "after" | "order"> & { readonly after: Ids.FileId }

const listIn = (order: FileList["order"]) =>
  statement<ListOf>(`files.list.${order}`)((db, value, dialect) =>
    db
      .selectFrom("files")
      .select(fieldsOf("files"))
      .where("tenantId", "=", value.tenantId)
      .where("status", "=", ready)
      .where("id", order === "asc" ? ">" : "<", value.after)
      .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", value.at)]))
      .where("purpose", "in", dialect.list(value.purposes, "text") as never)
      .orderBy("id", order)
      .limit(value.limit)
  )

const lists = { asc: listIn("asc"), desc: listIn("desc") }

/** No id is before or after these. */
const outermost = {
  asc: Ids.first<"File">(),
  desc: Ids.last<"File">()
}

const used = statement<Pick<File, "tenantId"> & { at: Instant.Instant }>("files.used")((db, value) =>
  db
    .selectFrom("files")
    .select(({ fn, val }) => fn.coalesce(fn.sum<number>("bytes"), val(0)).as("n"))
    .where("tenantId", "=", value.tenantId)
    .where("status", "=", ready)
    .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", value.at)]))
)

const countOf = statement<Pick<File, "tenantId">>("files.count")((db, value) =>
  db
    .selectFrom("files")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("tenantId", "=", value.tenantId)
    .where("status", "=", ready)
)

const staged = statement<Pick<File, "tenantId"> & { but: Ids.FileId; at: Instant.Instant }>("files.staged")(
  (db, value) =>
    db
      .selectFrom("files")
      .select(({ fn, val }) => [
        fn.countAll<number>().as("n"),
        fn.coalesce(fn.sum<number>("bytes"), val(0)).as("bytes")
      ])
      .where("tenantId", "=", value.tenantId)
      .where("status", "=", sql.lit<"staged">("staged"))
      .where("purpose", "=", sql.lit<"batch">("batch"))
      .where("sweepAt", ">", value.at)
      .where("id", "<>", value.but)
)

const chunk = statement<Pick<Chunk, "fileId" | "n">>("files.chunk")((db, value) =>
  db.selectFrom("fileChunks").select("chunk").where("fileId", "=", value.fileId).where("n", "=", value.n)
)

const due = statement<{ at: Instant.Instant; limit: number }>("files.due")((db, value) =>
  db
    .selectFrom("files")
    .select("id")
    .where("sweepAt", "is not", null)
    .where("sweepAt", "<=", value.at)
    .where("readers", "=", sql.lit(0))
    .orderBy("sweepAt")
    .orderBy("id")
    .limit(value.limit)
)

const removeChunks = statement<Pick<Chunk, "fileId"> & { limit: number }>("files.removeChunks")((db, value) =>
  db
    .deleteFrom("fileChunks")
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("fileId", "n"),
        "in",
        selectFrom("fileChunks as old")
          .select(["old.fileId", "old.n"])
          .where("old.fileId", "=", value.fileId)
          .orderBy("old.fileId")
          .orderBy("old.n")
          .limit(value.limit)
          .$asTuple("fileId", "n")
      )
    )
)

const remove = statement<Pick<File, "id">>("files.remove")((db, value) =>
  db.deleteFrom("files").where("id", "=", value.id)
)

export const layer = Layer.succeed(FileStore, {
  add: (file) => insert("files", [file]),
  addChunk: (added) => insert("fileChunks", [added]),
  find: (tenantId, id) => row(find, { tenantId, id }),
  lock: (tenantId, id) => writeRow(lock, { tenantId, id }),
  save: (file) => Effect.asVoid(write(save, file)),
  list: ({ after, order, ...query }) => rows(lists[order], { ...query, after: after ?? outermost[order] }),
  count: (tenantId) => count(countOf, { tenantId }),
  used: (tenantId, at) => count(used, { tenantId, at }),
  staged: (tenantId, but, at) => Effect.map(row(staged, { tenantId, but, at }), (found) => found ?? { n: 0, bytes: 0 }),
  chunk: (fileId, n) => Effect.map(row(chunk, { fileId, n }), (found) => found?.chunk ?? null),
  due: (at, limit) => Effect.map(rows(due, { at, limit }), (found) => found.map(({ id }) => id)),
  removeBytes: Effect.fnUntraced(function* (fileId, limit) {
    const removed = yield* write(removeChunks, { fileId, limit })
    if (removed < limit) yield* write(remove, { id: fileId })
    return removed
  })
})
