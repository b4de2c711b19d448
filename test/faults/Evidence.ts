/** What the checks read: the logs of the outside and the API's last answers, and what follows from both. Pure. */
import type { Logged, Logs, Who } from "./Lines.ts"
import type { AccountState, CallRow, State } from "./State.ts"

export interface Evidence {
  readonly logs: Logs
  readonly state: State
}

export interface Violation {
  readonly text: string
  /** Lines of logs and rows of the API that show it. */
  readonly lines: ReadonlyArray<unknown>
}

export interface Finding {
  readonly promise: string
  /** How many things were checked. */
  readonly checked: number
  /** What may still come, by the times of the documentation. */
  readonly undecided: number
  readonly violations: ReadonlyArray<Violation>
  /** What is documented and worth a count. */
  readonly notes?: Readonly<Record<string, number>>
}

export const grouped = <A>(rows: ReadonlyArray<A>, key: (row: A) => string): ReadonlyMap<string, ReadonlyArray<A>> =>
  Map.groupBy(rows, key)

/** Faults that stop or delay the product, as spans of time. */
export const disturbances = (
  logs: Logs
): ReadonlyArray<{ readonly from: number; readonly to: number; readonly what: string }> => {
  const spans: Array<{ readonly from: number; readonly to: number; readonly what: string }> = []
  const open = new Map<string, number>()
  for (const { at, phase, process, what } of logs.faults) {
    const key = `${what} ${process}`
    if (phase === "begin") open.set(key, at)
    else if (phase === "end") {
      spans.push({ from: open.get(key) ?? at, to: at, what })
      open.delete(key)
    } else if (what === "started" || what === "kill" || what === "end" || what === "cut" || what === "ended") {
      spans.push({ from: at, to: at, what })
    }
  }
  for (const [key, from] of open) spans.push({ from, to: Number.POSITIVE_INFINITY, what: key.split(" ")[0]! })
  return spans
}

/** When the last disturbance before an instant was over; that instant itself where one still lasts. */
export const calmSince = (spans: ReturnType<typeof disturbances>, at: number): number => {
  let calm = 0
  for (const { from, to } of spans) if (from <= at) calm = Math.max(calm, Math.min(to, at))
  return calm
}

export interface AccountEvents {
  readonly event: string
  readonly subject: string
  readonly at: number
}

export interface OwnedCall extends CallRow {
  readonly account: string
}

export const callsIn = (state: State): ReadonlyArray<OwnedCall> =>
  accountsIn(state).flatMap(([account, { calls }]) => calls.map((call) => ({ ...call, account })))

export const accountsIn = (state: State): ReadonlyArray<readonly [string, AccountState]> =>
  Object.entries(state.accounts)

export const ofWhat = <W extends Who, What extends Logged<W>["what"]>(
  lines: ReadonlyArray<Logged<W>>,
  what: What
): ReadonlyArray<Logged<W> & { readonly what: What }> =>
  lines.filter((line): line is Logged<W> & { readonly what: What } => line.what === what)

export const isOpen = ({ status }: CallRow): boolean => ["queued", "dialing", "ringing", "in_progress"].includes(status)

export const succeeded = (status: number): boolean => status >= 200 && status < 300
