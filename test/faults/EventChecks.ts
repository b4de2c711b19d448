/** Promises about events and their deliveries, proved from the receivers' logs and the API. */
import {
  type AccountEvents,
  accountsIn,
  calmSince,
  disturbances,
  type Evidence,
  type Finding,
  grouped,
  isOpen,
  succeeded,
  type Violation
} from "./Evidence.ts"
import type { AccountState } from "./State.ts"

/** An event is delivered or failed this long after the last disturbance: five attempts of ten seconds, their waits, a lease. */
const deliveredMs = 130_000

export const oneBody = ({ logs }: Evidence): Finding => {
  const violations: Array<Violation> = []
  const deliveries = grouped(logs.receivers, ({ delivery, endpoint }) => `${endpoint} ${delivery}`)
  for (const lines of deliveries.values()) {
    if (new Set(lines.map(({ hash }) => hash)).size > 1) violations.push({ text: "one id has two bodies", lines })
    if (lines.some(({ isSigned }) => !isSigned)) violations.push({ text: "a signature does not hold", lines })
  }
  const events = grouped(
    logs.receivers,
    ({ endpoint, event, hash, subject }) => `${endpoint} ${event} ${subject} ${hash}`
  )
  for (const lines of events.values()) {
    if (new Set(lines.map(({ delivery }) => delivery)).size > 1)
      violations.push({ text: "one event has two ids", lines })
  }
  return { promise: "one body", checked: deliveries.size, undecided: 0, violations }
}

/** Events that follow from what the API shows: each has one of these names, and is about this. */
const expected = (account: AccountState): ReadonlyArray<AccountEvents> => [
  ...account.calls
    .filter((call) => !isOpen(call) && call.provider_call_id !== null)
    .map(({ ended_at, id, status }) => ({
      ...{
        event: status === "completed" ? "call.completed" : "call.failed",
        subject: id,
        at: Date.parse(ended_at ?? "")
      }
    })),
  ...account.messages
    .filter(({ direction }) => direction === "inbound")
    .map(({ id }) => ({ event: "message.received", subject: id, at: 0 }))
]

export const delivered = ({ logs, state }: Evidence): Finding => {
  const got = new Set(
    logs.receivers
      .filter(({ status }) => succeeded(status))
      .map(({ endpoint, event, subject }) => `${endpoint} ${event} ${subject}`)
  )
  // A process may end with the answer in its hand: what was attempted and failed at our side is shown as failed there.
  const isCalm = state.at - calmSince(disturbances(logs), state.at) > deliveredMs
  const violations: Array<Violation> = []
  let [checked, undecided, failed] = [0, 0, 0]
  for (const [, account] of accountsIn(state)) {
    for (const { endpoint, failed: rows, isWhole, pending } of account.webhooks) {
      const shown = new Set(rows.map(({ event, subject }) => `${event} ${subject}`))
      failed += rows.length
      if (pending > 0 && isCalm) violations.push({ text: `${pending} deliveries to ${endpoint} still wait`, lines: [] })
      for (const { at, event, subject } of expected(account)) {
        checked += 1
        if (got.has(`${endpoint} ${event} ${subject}`) || shown.has(`${event} ${subject}`)) continue
        if (!isCalm || !isWhole || state.at - at < deliveredMs) undecided += 1
        else violations.push({ text: `${event} of ${subject} never reached ${endpoint}`, lines: [] })
      }
    }
  }
  return { promise: "delivered", checked, undecided, violations, notes: { "failed and shown": failed } }
}

/** A call ends once, and is reported so. */
export const oneEnd = ({ logs }: Evidence): Finding => {
  const ends = logs.receivers.filter(({ event }) => event === "call.completed" || event === "call.failed")
  const byCall = grouped(ends, ({ endpoint, subject }) => `${endpoint} ${subject}`)
  const violations = [...byCall.values()].flatMap(
    (lines): ReadonlyArray<Violation> =>
      new Set(lines.map(({ hash }) => hash)).size > 1 ? [{ text: "a call has ended twice", lines }] : []
  )
  return { promise: "one end", checked: byCall.size, undecided: 0, violations }
}
