/** How a call stands, in words. */
import type { Call } from "@trunkline/client"
import { duration, say, wordOf } from "../frame/Say.ts"

type Known = Pick<Call, "answered_at" | "answered_by" | "duration_seconds" | "end_reason" | "status">

const underWay: ReadonlyArray<string> = ["queued", "dialing", "ringing", "in_progress"]

export const isOver = ({ status }: Pick<Call, "status">): boolean => !underWay.includes(status)

/** Why it is over: the reason where there is one, and a machine where one answered. */
export const howEnded = ({ answered_by, end_reason, status }: Known): string =>
  answered_by === "machine"
    ? wordOf("answered", "machine")
    : end_reason === null
      ? wordOf("call", status)
      : wordOf("end", end_reason)

/** `Ringing`, or `Ended: No answer`. */
export const callSentence = (call: Known): string => {
  if (!isOver(call)) return wordOf("call", call.status)
  const how = howEnded(call)
  return call.answered_at === null
    ? say("call-page.ended", { how })
    : say("call-page.ended-after", { how, duration: duration((call.duration_seconds ?? 0) * 1000) })
}
