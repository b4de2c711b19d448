/** What really happened, as each party outside of the product has written it down: JSON lines in files that only grow. */
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

export type CarrierStatus = "completed" | "busy" | "no-answer" | "failed" | "canceled"

/** `call` is our id of the call, which stands in the address of its callbacks. */
export type CarrierLine =
  /** A request for a call, at its arrival. `sid` is null where the carrier has made none. */
  | {
      readonly what: "order"
      readonly call: string
      readonly sid: string | null
      readonly to: string
      readonly from: string
      readonly mood: string
      readonly process: number
    }
  | { readonly what: "rang" | "answered"; readonly call: string; readonly sid: string }
  | { readonly what: "ended"; readonly call: string; readonly sid: string; readonly status: CarrierStatus }
  /** A callback; `status` is that of its answer, 0 without one, null where the carrier has lost it. */
  | { readonly what: "callback"; readonly call: string; readonly event: string; readonly status: number | null }
  /** Any other request. */
  | { readonly what: "asked"; readonly path: string; readonly mood: string }

export type ChatLine =
  /** A delivery of a customer's message to the product. */
  | { readonly what: "delivery"; readonly message: string; readonly customer: string; readonly status: number }
  /** A request to send. `id` is null where the platform has not accepted the message. */
  | {
      readonly what: "send"
      readonly to: string
      readonly text: string
      readonly id: string | null
      readonly mood: string
    }

/** A run of a model, at its arrival; `subject` names what it was asked about. `status` 0: the connection was closed. */
export interface ModelLine {
  readonly what: "run"
  readonly subject: string
  readonly status: number
  readonly mood: string
}

export interface ReceiverLine {
  readonly what: "hook"
  readonly endpoint: string
  readonly delivery: string
  readonly event: string
  /** What the event is about. */
  readonly subject: string
  /** Of the body. */
  readonly hash: string
  readonly isSigned: boolean
  readonly status: number
}

export type ClientLine =
  | { readonly what: "campaign"; readonly account: string; readonly id: string; readonly maxAttempts: number }
  | { readonly what: "call"; readonly account: string; readonly id: string }
  /** A template campaign that was started. */
  | { readonly what: "template"; readonly account: string; readonly id: string }
  /** A do-not-call addition that was answered with success. */
  | { readonly what: "suppressed"; readonly account: string; readonly number: string; readonly askedAt: number }
  /** A request under an Idempotency-Key and its answer; `hash` is that of the body, null without a success. */
  | {
      readonly what: "inference"
      readonly account: string
      readonly key: string
      readonly process: number
      readonly status: number
      readonly hash: string | null
      readonly askedAt: number
    }
  /** A chat without an Idempotency-Key. `isWhole`: its answer came to its end. */
  | {
      readonly what: "chat"
      readonly account: string
      readonly key: string
      readonly process: number
      readonly status: number
      readonly isWhole: boolean
    }
  /** Calls that were seen open. */
  | { readonly what: "open"; readonly account: string; readonly calls: ReadonlyArray<string> }

/** What was done to the product and its surroundings. `process` is null where no single one is meant. */
export interface FaultLine {
  readonly what: string
  readonly process: number | null
  readonly detail?: string
  readonly code?: number | null
  readonly ms?: number
  /** How far the clock of the started process is off. */
  readonly skewMs?: number
  /** Begin and end of what lasts. */
  readonly phase?: "begin" | "end"
}

interface Lines {
  readonly carrier: CarrierLine
  readonly chat: ChatLine
  readonly models: ModelLine
  readonly receivers: ReceiverLine
  readonly client: ClientLine
  readonly faults: FaultLine
}

export type Who = keyof Lines
export type Logged<W extends Who> = Lines[W] & { readonly at: number }
export type Logs = { readonly [W in Who]: ReadonlyArray<Logged<W>> }

/** `at`: when it began, where that is not now. */
export type Say = <W extends Who>(who: W, line: Lines[W], at?: number) => void

/** Appends lines at once: what a process has written stays, however it ends. */
export const sayIn =
  (folder: string): Say =>
  (who, line, at = Date.now()) =>
    appendFileSync(join(folder, `${who}.jsonl`), `${JSON.stringify({ at, ...line })}\n`)

const read = <W extends Who>(folder: string, who: W): ReadonlyArray<Logged<W>> => {
  const path = join(folder, `${who}.jsonl`)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, "utf8").split("\n")
  return lines.filter((line) => line !== "").map((line): Logged<W> => JSON.parse(line))
}

export const readLogs = (folder: string): Logs => ({
  carrier: read(folder, "carrier"),
  chat: read(folder, "chat"),
  models: read(folder, "models"),
  receivers: read(folder, "receivers"),
  client: read(folder, "client"),
  faults: read(folder, "faults")
})
