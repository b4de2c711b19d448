/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../../platform/room/index.ts"

export const alertErrors = {
  VoiceAlertNotFound: { status: 404, code: "voice_alert_not_found" },
  VoiceAlertRefused: { status: 422, code: "voice_alert_refused" }
} as const satisfies ErrorTable
