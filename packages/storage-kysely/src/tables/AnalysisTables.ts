/** The table of `voice/analysis`. */
import * as Core from "@trunkline/core/storage"
import { columnsOf } from "../Columns.ts"
import { due, rowsBy, table } from "../Table.ts"

export const analysisTables = {
  /** The latest of each session. */
  voiceAnalyses: table(columnsOf(Core.analysisEntity), rowsBy("sessionId", due("dueAt", "dueAt")))
}
