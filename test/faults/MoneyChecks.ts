/** Promises about money and about requests under an Idempotency-Key. */
import {
  accountsIn,
  calmSince,
  disturbances,
  type Evidence,
  type Finding,
  grouped,
  isOpen,
  ofWhat,
  type Violation
} from "./Evidence.ts"

/** Reservations of what has died are free after two minutes. */
const expiryMs = 150_000

/** Sums of doubles. */
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6

export const ledger = ({ logs, state }: Evidence): Finding => {
  const violations: Array<Violation> = []
  let [checked, undecided] = [0, 0]
  const calm = state.at - calmSince(disturbances(logs), state.at)
  for (const [name, account] of accountsIn(state)) {
    const { balance, calls, granted, reserved, usage } = account
    const spent = [...calls, ...usage].reduce((sum, { credits }) => sum + credits, 0)
    checked += calls.length + usage.length
    if (!isSame(balance, granted - spent)) {
      violations.push({ text: `${name} has ${balance} of ${granted} credits and has spent ${spent}`, lines: [] })
    }
    if (balance < 0 || spent > granted) violations.push({ text: `${name} has spent more than it had`, lines: [] })
    if (reserved === 0) continue
    if (calls.some(isOpen) || calm < expiryMs) undecided += 1
    else violations.push({ text: `${name} has ${reserved} credits reserved, and nothing runs`, lines: [] })
  }
  return { promise: "ledger", checked, undecided, violations }
}

/** Chats without an Idempotency-Key: each is billed at most once, and one that was answered to its end is billed. */
export const chats = ({ logs, state }: Evidence): Finding => {
  const charged = grouped(
    accountsIn(state).flatMap(([, { usage }]) => usage.filter(({ credits }) => credits > 0)),
    ({ trace_id }) => String(trace_id)
  )
  const asked = ofWhat(logs.client, "chat")
  const violations = asked.flatMap((line): ReadonlyArray<Violation> => {
    const rows = charged.get(line.key) ?? []
    if (rows.length > 1) return [{ text: `${line.key} was billed ${rows.length} times`, lines: [line, ...rows] }]
    return line.isWhole && rows.length === 0 ? [{ text: `${line.key} was never billed`, lines: [line] }] : []
  })
  const whole = asked.filter(({ isWhole }) => isWhole).length
  return { promise: "chats", checked: asked.length, undecided: 0, violations, notes: { "answered to the end": whole } }
}

export const keys = ({ logs, state }: Evidence): Finding => {
  const asked = grouped(ofWhat(logs.client, "inference"), ({ key }) => key)
  const charged = grouped(
    accountsIn(state).flatMap(([, { usage }]) => usage.filter(({ credits }) => credits > 0)),
    ({ trace_id }) => String(trace_id)
  )
  const runs = grouped(logs.models, ({ subject }) => subject)
  const violations: Array<Violation> = []
  let again = 0
  for (const [key, lines] of asked) {
    const answers = lines.filter(({ status }) => status === 200)
    const rows = charged.get(key) ?? []
    if (rows.length > 1) violations.push({ text: `${key} was billed ${rows.length} times`, lines: [...lines, ...rows] })
    if (rows.length === 0 && answers.length > 0) violations.push({ text: `${key} was never billed`, lines })
    if (new Set(answers.map(({ hash }) => hash)).size > 1) violations.push({ text: `${key} has two answers`, lines })
    const first = answers[0]?.at ?? Number.POSITIVE_INFINITY
    const own = runs.get(key) ?? []
    const late = own.filter(({ at }) => at > first)
    if (late.length > 0) violations.push({ text: `${key} ran again after its answer`, lines: [...lines, ...late] })
    if (own.length > 1) again += 1
  }
  return {
    promise: "keys",
    checked: asked.size,
    undecided: 0,
    violations,
    notes: { "ran again after a failure": again }
  }
}
