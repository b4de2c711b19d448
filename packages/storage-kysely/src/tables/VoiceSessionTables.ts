/** Tables of `voice/sessions`: sessions and what was said in them. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, int, nullable, text } from "../Columns.ts"
import { due, rowsBy, rowsById, table, tenantId } from "../Table.ts"

const { index: _place, ...transcriptColumns } = Core.transcriptEntryFields

/** Fields of a transcript that are columns under their own names. */
export const transcriptFields = Object.keys(transcriptColumns) as Array<keyof typeof transcriptColumns>

export const voiceSessionTables = {
  voiceSessions: table(
    columnsOf(Core.voiceSessionEntity),
    rowsById({ amount: "credits", secrets: ["token"], ...due("dueAt") })
  ),
  /** `n` is the place of an entry in its session, whose account and agent stand beside it: alerts look for replies by them. */
  voiceTranscripts: table(
    {
      ...{ sessionId: text<Core.Ids.VoiceSessionId>(), n: int(), tenantId, botId: nullable(text<Core.Ids.BotId>()) },
      ...columnsOf({ fields: transcriptColumns })
    },
    rowsBy("sessionId n")
  )
}
