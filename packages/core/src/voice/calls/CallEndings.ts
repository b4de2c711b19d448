/** Why the session of a call ends with the call. Pure. Source: docs/reference/voice-agent.md#telephone. */
import type { Call } from "../../calling/calls/index.ts"

/** Whether there is nothing more to say to a call. */
export const isOver = ({ endedAt, stopReason }: Pick<Call, "endedAt" | "stopReason">): boolean =>
  endedAt !== null || stopReason !== null

/** The reason where the call, and not the conversation, decided the end. */
export const reasonOfCall = ({ answeredBy, stopReason }: Pick<Call, "answeredBy" | "stopReason">): string => {
  if (answeredBy === "machine") return "voicemail"
  switch (stopReason) {
    case null:
      return "caller_hangup"
    case "credits":
      return "budget_exhausted"
    default:
      return "api_delete"
  }
}
