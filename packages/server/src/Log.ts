/** Log lines go to standard error, one JSON object each: standard output is for what the program answers. */
import type { LogEntry } from "@trunkline/core"

export const write = ({ at, requestId, ...entry }: LogEntry): void => {
  if (entry.level === "debug") return
  process.stderr.write(`${JSON.stringify({ at: at.toISOString(), ...entry, request_id: requestId })}\n`)
}
