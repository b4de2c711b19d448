/** The product's log lines, handed to the host or to the console. */
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { requestIdAnnotation } from "../http/index.ts"
import type { LogEntry } from "./Options.ts"

const levels: Record<string, LogEntry["level"]> = {
  Trace: "debug",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "error"
}

const textOf = (part: unknown): string => {
  if (typeof part === "string") return part
  if (part instanceof Error) return part.stack ?? part.message
  return JSON.stringify(part) ?? String(part)
}

const toConsole = ({ level, message, requestId }: LogEntry): void => {
  const request = requestId === undefined ? "" : ` (request ${requestId})`
  if (level === "error" || level === "warn") globalThis.console[level](`trunkline${request}: ${message}`)
}

export const logger = (write: (entry: LogEntry) => void = toConsole) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
    const parts = (Array.isArray(message) ? message : [message]).map(textOf)
    if (cause.reasons.length > 0) parts.push(Cause.pretty(cause))
    const requestId = fiber.getRef(References.CurrentLogAnnotations)[requestIdAnnotation]
    write({
      level: levels[logLevel] ?? "info",
      message: parts.join(" "),
      at: date,
      ...(typeof requestId === "string" ? { requestId } : {})
    })
  })
