/** Promises about chat messages, proved from the platform's and the models' logs and the API. */
import {
  accountsIn,
  calmSince,
  disturbances,
  type Evidence,
  type Finding,
  grouped,
  ofWhat,
  type Violation
} from "./Evidence.ts"

/** A message is answered this long after the last disturbance: a lease of 50 s, runs of the model and the parts before. */
const answeredMs = 200_000

/** A contact of a running campaign gets its message, or an outcome, this long after the last disturbance; those apart who wait for another attempt. */
const writtenMs = 120_000

/** Statuses of contacts to whom the platform may have a message. */
const mayHaveOne = ["sent", "delivered", "read", "unknown"]

/** Runs of the model until a reply is given up. */
const maxRuns = 4

const messagesIn = ({ state }: Evidence) => accountsIn(state).flatMap(([, { messages }]) => messages)

/** Names of messages in a text. */
const named = (text: string): ReadonlyArray<string> => text.match(/\bQ-\d+L?\b/g) ?? []

export const answers = (evidence: Evidence): Finding => {
  const { logs, state } = evidence
  const taken = grouped(
    ofWhat(logs.chat, "delivery").filter(({ status }) => status === 200),
    ({ message }) => message
  )
  const sends = ofWhat(logs.chat, "send").filter(({ id }) => id !== null)
  const sentAbout = grouped(
    sends.flatMap((line) => [...new Set(named(line.text))].map((name) => ({ name, line }))),
    ({ name }) => name
  )
  const failed = new Set(
    messagesIn(evidence).flatMap(({ direction, status, text }) =>
      direction === "outbound" && status === "failed" ? named(text ?? "") : []
    )
  )
  const failedRuns = logs.models.filter(({ status }) => status !== 200).map(({ subject }) => named(subject))
  const failures = grouped(failedRuns.flat(), (name) => name)
  const failuresOf = (name: string) => failures.get(name)!.length
  // Who writes while runs fail joins their group, and ends with it. A message that comes during a run counts it as the first.
  const isGivenUp = (name: string): boolean =>
    failedRuns.some(
      (group) =>
        group.includes(name) &&
        group.some((one) => failuresOf(one) >= maxRuns) &&
        group.every((one) => failuresOf(one) >= maxRuns - 1)
    )
  const calm = calmSince(disturbances(logs), state.at)
  const violations: Array<Violation> = []
  let [undecided, shown] = [0, 0]
  for (const [name, lines] of taken) {
    const about = sentAbout.get(name) ?? []
    const replies = new Set(about.map(({ line }) => line.text.replace(/Part \d[\s\S]*/, "")))
    if (replies.size > 1)
      violations.push({ text: `${name} was answered ${replies.size} times`, lines: [...lines, ...about] })
    if (about.length > 0) continue
    if (failed.has(name) || isGivenUp(name)) shown += 1
    else if (state.at - Math.max(lines[0]!.at, calm) < answeredMs) undecided += 1
    else violations.push({ text: `${name} was never answered`, lines })
  }
  return { promise: "answers", checked: taken.size, undecided, violations, notes: { "failed and shown": shown } }
}

/** That nobody has two accepted messages, parts finds: each contact has a text of its own. */
export const templates = (evidence: Evidence): Finding => {
  const { logs, state } = evidence
  const accepted = grouped(
    ofWhat(logs.chat, "send").filter(({ id }) => id !== null),
    ({ to }) => to
  )
  const calm = calmSince(disturbances(logs), state.at)
  const violations: Array<Violation> = []
  let [checked, undecided] = [0, 0]
  for (const [, { templateCampaigns }] of accountsIn(state)) {
    for (const { contacts, status: campaign } of templateCampaigns) {
      for (const contact of contacts) {
        checked += 1
        const { next_attempt_at, phone, reason, status } = contact
        const lines = accepted.get(phone.replace(/^\+/, "")) ?? []
        const isOpen = status === "sending" || (status === "queued" && campaign === "running")
        if (isOpen && (next_attempt_at !== null || state.at - calm < writtenMs)) undecided += 1
        else if (isOpen) violations.push({ text: `${phone} waits for a message for ever`, lines: [contact] })
        else if (lines.length > 0 && !mayHaveOne.includes(status) && reason !== "outcome_unknown")
          violations.push({ text: `${phone} has a message, and its contact is ${status}`, lines: [contact, ...lines] })
      }
    }
  }
  return { promise: "templates", checked, undecided, violations }
}

export const parts = ({ logs }: Evidence): Finding => {
  const accepted = ofWhat(logs.chat, "send").filter(({ id }) => id !== null)
  const violations = [...grouped(accepted, ({ text, to }) => `${to} ${text}`).values()].flatMap(
    (lines): ReadonlyArray<Violation> =>
      lines.length > 1 ? [{ text: `a part was sent ${lines.length} times`, lines }] : []
  )
  return { promise: "parts", checked: accepted.length, undecided: 0, violations }
}

export const stored = (evidence: Evidence): Finding => {
  const taken = grouped(
    ofWhat(evidence.logs.chat, "delivery").filter(({ status }) => status === 200),
    ({ message }) => message
  )
  const rows = grouped(
    messagesIn(evidence).filter(({ direction }) => direction === "inbound"),
    ({ msgid }) => String(msgid)
  )
  const violations = [...taken].flatMap(([message, lines]): ReadonlyArray<Violation> => {
    const own = rows.get(`wamid.${message}`) ?? []
    return own.length === 1 ? [] : [{ text: `${message} is stored ${own.length} times`, lines: [...lines, ...own] }]
  })
  return { promise: "stored", checked: taken.size, undecided: 0, violations }
}
