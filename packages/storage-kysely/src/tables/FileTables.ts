/** Tables of `gateway/files`. */
import * as Core from "@trunkline/core/storage"
import { bytes, columnsOf, int, text } from "../Columns.ts"
import { due, rowsBy, table } from "../Table.ts"

export const fileTables = {
  files: table(columnsOf(Core.fileEntity), rowsBy("id", { amount: "bytes", ...due("sweepAt") })),
  fileChunks: table({ fileId: text<Core.Ids.FileId>(), n: int(), chunk: bytes() }, rowsBy("fileId n"))
}
