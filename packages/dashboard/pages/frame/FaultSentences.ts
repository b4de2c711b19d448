/** What an error means to the person at the page, in a sentence, and whether to try again helps. */
import { ApiError } from "@trunkline/client"
import type { Fault } from "./Notices.ts"
import { say, sayCount } from "./Say.ts"
import { isUnknown } from "./ServerRequests.ts"

const sentenceOf = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** A fault of a read: nothing has been changed, whatever it was. */
export const faultOfRead = (error: unknown): string => {
  if (!(error instanceof ApiError)) return say("fault.page")
  if (error.status === 401) return say("fault.signed-out")
  if (error.status === 403) return sentenceOf(error.message)
  if (error.status === 404) return say("fault.gone")
  if (error.status === 429) return sayCount("fault.wait", error.retryAfterSeconds ?? 60)
  if (error.status === 0) return say("fault.unreachable")
  if (error.status >= 500) return say("fault.server", { id: error.requestId ?? "–" })
  return sentenceOf(error.message)
}

/** A fault of a write. What was typed stays; `again` sends it once more with the same key, so that it is done once. */
export const faultOfWrite = (error: unknown, again: () => void): Fault => {
  if (!(error instanceof ApiError)) return { sentence: say("fault.page") }
  if (error.status === 401) return { sentence: say("fault.sign-in-first") }
  if (error.status === 429) {
    const seconds = error.retryAfterSeconds ?? 60
    return { sentence: sayCount("fault.wait", seconds), again, notBefore: Date.now() + seconds * 1000 }
  }
  if (isUnknown(error)) return { sentence: say("fault.unknown"), again }
  if (error.status >= 500) return { sentence: say("fault.server", { id: error.requestId ?? "–" }), again }
  return { sentence: sentenceOf(error.message) }
}
