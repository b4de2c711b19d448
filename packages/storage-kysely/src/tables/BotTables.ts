/** Tables of `agents`: agents and what they know. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, int, text } from "../Columns.ts"
import { rowsBy, rowsById, table } from "../Table.ts"

export const botTables = {
  bots: table(columnsOf(Core.botEntity), rowsById()),
  botSecrets: table({ id: text<Core.Ids.BotId>(), secret: text() }, rowsBy("id", { secrets: ["secret"] })),
  knowledge: table(columnsOf(Core.knowledgeEntity), rowsBy("id")),
  /** Parts of entries, under the terms that they are found by. The database adds `position`: see KnowledgeStoreSql. */
  knowledgePassages: table(
    {
      entryId: text<Core.Ids.KnowledgeId>(),
      botId: text<Core.Ids.BotId>(),
      firstUnit: int(),
      endUnit: int(),
      titleTerms: text(),
      terms: text()
    },
    rowsBy("position")
  ),
  /** How many entries of an agent have a term; the empty term is in all of them. */
  knowledgeTerms: table({ botId: text<Core.Ids.BotId>(), term: text(), entries: int() }, rowsBy("botId term"))
}
