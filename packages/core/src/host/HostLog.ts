/** The product's log lines, handed to the host or to the console. */
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { requestIdAnnotation } from "../platform/http/index.ts"
import type { LogEntry } from "../platform/PlatformOptions.ts"
import { isOutage, isOutageCause } from "./Outage.ts"

const levels: Record<string, LogEntry["level"]> = {
  Trace: "debug",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "error"
}

const isError = (part: unknown): part is Error => part instanceof Error

const textOf = (part: unknown): string => {
  if (typeof part === "string") return part
  return isError(part) ? part.message : (JSON.stringify(part) ?? String(part))
}

const toConsole = ({ level, message, requestId, stack }: LogEntry): void => {
  const request = requestId === undefined ? "" : ` (request ${requestId})`
  if (level === "error" || level === "warn") {
    globalThis.console[level](`trunkline${request}: ${message}${stack === undefined ? "" : `\n${stack}`}`)
  }
}

/** What a host's function throws must end no worker, which would otherwise stop in the middle of what it does. */
const guarded =
  (write: (entry: LogEntry) => void) =>
  (entry: LogEntry): void => {
    try {
      write(entry)
    } catch (error) {
      toConsole(entry)
      const { message, stack } = isError(error) ? error : new Error(String(error))
      toConsole({
        level: "error",
        message: `the host's log function threw: ${message}`,
        at: entry.at,
        ...(stack === undefined ? {} : { stack })
      })
    }
  }

export const logger = (write: (entry: LogEntry) => void = toConsole) =>
  Logger.make<unknown, void>(({ cause, date, fiber, logLevel, message }) => {
    const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    // The lines about the outage cover these: see Outage.ts.
    if (isOutageCause(cause) || parts.some(isOutage)) return
    const hasCause = cause.reasons.length > 0
    const error = hasCause ? Cause.squash(cause) : parts.find(isError)
    const stack = hasCause ? Cause.pretty(cause) : isError(error) ? error.stack : undefined
    const requestId = fiber.getRef(References.CurrentLogAnnotations)[requestIdAnnotation]
    guarded(write)({
      level: levels[logLevel] ?? "info",
      message: [parts.map(textOf).join(" "), ...(hasCause ? [textOf(error)] : [])].join(": "),
      at: date,
      ...(error === undefined ? {} : { error: String(error) }),
      ...(stack === undefined ? {} : { stack }),
      ...(typeof requestId === "string" ? { requestId } : {})
    })
  })
