/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../../platform/room/index.ts"

export const botErrors = {
  BotConfigRefused: { status: 422, code: "bot_config_refused" },
  BotNotFound: { status: 404, code: "bot_not_found" },
  KnowledgeNotFound: { status: 404, code: "knowledge_not_found" },
  StillInUse: { status: 409, code: "still_in_use" }
} as const satisfies ErrorTable
