/** Promises about what was acknowledged, and about how processes end. */
import { accountsIn, callsIn, type Evidence, type Finding, ofWhat, type Violation } from "./Evidence.ts"

export const acknowledged = ({ logs, state }: Evidence): Finding => {
  const calls = new Set(callsIn(state).map(({ id }) => id))
  const campaigns = new Set(
    accountsIn(state).flatMap(([, own]) => [...own.campaigns, ...own.templateCampaigns].map(({ id }) => id))
  )
  const started = [...ofWhat(logs.client, "campaign"), ...ofWhat(logs.client, "template")]
  const made = [...ofWhat(logs.client, "call"), ...started]
  const additions = ofWhat(logs.client, "suppressed")
  const lost = [
    ...ofWhat(logs.client, "call").filter(({ id }) => !calls.has(id)),
    ...started.filter(({ id }) => !campaigns.has(id)),
    ...additions.filter(({ account, number }) => state.accounts[account]?.suppressed.includes(number) !== true)
  ]
  const violations = lost.map((line): Violation => ({ text: "what was acknowledged is gone", lines: [line] }))
  return { promise: "acknowledged", checked: made.length + additions.length, undecided: 0, violations }
}

const maxStopMs = 15_000

export const ends = ({ logs }: Evidence): Finding => {
  const ended = logs.faults.filter(({ what }) => what === "end")
  const bad = ended.filter(({ code, ms }) => code !== 0 || (ms ?? 0) > maxStopMs)
  const violations = bad.map(
    (line): Violation => ({ text: `a process ended with ${line.code} after ${line.ms} ms`, lines: [line] })
  )
  return { promise: "ends", checked: ended.length, undecided: 0, violations }
}
