/** The checks of fault runs: each finds the log that breaks its promise, and none finds anything in one that breaks none. */
import { describe, expect, it } from "vitest"
import { check } from "./Checks.ts"
import type { Evidence } from "./Evidence.ts"
import type { Logs } from "./Lines.ts"
import type { AccountState, CallRow, TemplateContactRow } from "./State.ts"

const minute = 60_000
/** An instant of the run, in milliseconds after its begin. */
const start = Date.parse("2026-11-25T12:00:00.000Z")
const iso = (at: number) => new Date(start + at).toISOString()

const answered: CallRow = {
  ...{ id: "call-1", campaign_id: "campaign-1", contact_id: "contact-1", to: "+12122000001", status: "completed" },
  ...{ end_reason: "hangup_remote", provider_call_id: "CA1", credits: 20, created_at: iso(1000) },
  ...{ answered_at: iso(3000), ended_at: iso(5000) }
}

const account: AccountState = {
  ...{ granted: 101, balance: 79, reserved: 0, calls: [answered], suppressed: ["+12122000009"] },
  campaigns: [
    {
      ...{ id: "campaign-1", status: "completed", max_attempts: 1 },
      contacts: [{ id: "contact-1", phone: "+12122000001", status: "done", last_error: null }]
    }
  ],
  templateCampaigns: [
    {
      ...{ id: "template-1", status: "completed" },
      contacts: [
        { id: "listed-1", phone: "+19175550000", status: "sent", reason: null, next_attempt_at: null },
        { id: "listed-2", phone: "+19175550001", status: "unknown", reason: null, next_attempt_at: null }
      ]
    }
  ],
  messages: [
    { id: "message-1", msgid: "wamid.Q-1", direction: "inbound", text: "Q-1?", status: "received" },
    { id: "message-2", msgid: "wamid.SENT1", direction: "outbound", text: "About Q-1.", status: "sent" }
  ],
  usage: [
    { trace_id: "I-1", credits: 1, status: 200 },
    { trace_id: "P-1.0", credits: 1, status: 200 }
  ],
  webhooks: [{ endpoint: "main-1", pending: 0, failed: [], isWhole: true }]
}

const order = {
  what: "order",
  call: "call-1",
  sid: "CA1",
  to: "+12122000001",
  from: "+14155550100",
  mood: "serve",
  process: 0
} as const
const hook = { what: "hook", endpoint: "main-1", isSigned: true, status: 204 } as const
const inference = {
  what: "inference",
  account: "main",
  key: "I-1",
  process: 0,
  status: 200,
  hash: "h",
  askedAt: start
} as const

const chat = { what: "chat", account: "main", key: "P-1.0", process: 0, status: 200, isWhole: true } as const

/** A run in which nothing went wrong, ten minutes after its last event. */
const logs: Logs = {
  carrier: [
    { at: start + 1100, ...order },
    { at: start + 2000, what: "rang", call: "call-1", sid: "CA1" },
    { at: start + 3000, what: "answered", call: "call-1", sid: "CA1" },
    { at: start + 5000, what: "ended", call: "call-1", sid: "CA1", status: "completed" }
  ],
  chat: [
    { at: start + 1000, what: "delivery", message: "Q-1", customer: "16505551000", status: 200 },
    { at: start + 3000, what: "send", to: "16505551000", text: "About Q-1.", id: "wamid.SENT1", mood: "serve" },
    { at: start + 3500, what: "send", to: "19175550000", text: "T-0.0", id: "wamid.SENT2", mood: "serve" }
  ],
  models: [
    { at: start + 2000, what: "run", subject: "Q-1", status: 200, mood: "serve" },
    { at: start + 2000, what: "run", subject: "I-1", status: 200, mood: "serve" }
  ],
  receivers: [
    { at: start + 6000, ...hook, delivery: "delivery-1", event: "call.completed", subject: "call-1", hash: "a" },
    { at: start + 6000, ...hook, delivery: "delivery-2", event: "message.received", subject: "message-1", hash: "b" }
  ],
  client: [
    { at: start, what: "campaign", account: "main", id: "campaign-1", maxAttempts: 1 },
    { at: start, what: "call", account: "main", id: "call-1" },
    { at: start, what: "template", account: "main", id: "template-1" },
    { at: start + 2500, ...inference },
    { at: start + 2600, ...chat },
    { at: start + 500, what: "suppressed", account: "main", number: "+12122000009", askedAt: start + 400 }
  ],
  faults: [{ at: start + 7000, what: "end", process: 0, code: 0, ms: 900 }]
}

const well: Evidence = { logs, state: { at: start + 10 * minute, accounts: { main: account } } }

/** The same run with more lines. */
const withLines = (more: Partial<Logs>, evidence = well): Evidence => ({
  ...evidence,
  logs: {
    carrier: [...evidence.logs.carrier, ...(more.carrier ?? [])],
    chat: [...evidence.logs.chat, ...(more.chat ?? [])],
    models: [...evidence.logs.models, ...(more.models ?? [])],
    receivers: [...evidence.logs.receivers, ...(more.receivers ?? [])],
    client: [...evidence.logs.client, ...(more.client ?? [])],
    faults: [...evidence.logs.faults, ...(more.faults ?? [])]
  }
})

/** The same run, after which the API shows something else. */
const withState = (more: Partial<AccountState>, evidence = well): Evidence => ({
  ...evidence,
  state: { ...evidence.state, accounts: { main: { ...evidence.state.accounts.main!, ...more } } }
})

/** The same run, with another contact of a template campaign, which has a status. */
const withContact = (status: string, contact: Partial<TemplateContactRow>): Evidence => {
  const more = { id: "listed-3", phone: "+19175550002", status: "queued", reason: null, next_attempt_at: null }
  const [campaign] = account.templateCampaigns
  return withState({
    templateCampaigns: [{ ...campaign!, status, contacts: [...campaign!.contacts, { ...more, ...contact }] }]
  })
}

/** Promises that are found broken. */
const broken = (evidence: Evidence): ReadonlyArray<string> =>
  check(evidence).flatMap(({ promise, violations }) => (violations.length > 0 ? [promise] : []))

const undecided = (evidence: Evidence): ReadonlyArray<string> =>
  check(evidence).flatMap(({ promise, undecided }) => (undecided > 0 ? [promise] : []))

const second: CallRow = { ...answered, id: "call-2", provider_call_id: "CA2", created_at: iso(4000) }
const secondOrder = { ...order, call: "call-2", sid: "CA2" }
const secondHook = { ...hook, delivery: "delivery-3", event: "call.completed", subject: "call-2", hash: "c" }
const secondEnd = { what: "ended", call: "call-2", sid: "CA2", status: "completed" } as const

/** A call that our side ended, and whose last callback was lost. */
const open: CallRow = {
  ...answered,
  status: "ringing",
  end_reason: null,
  credits: 0,
  answered_at: null,
  ended_at: null
}
const charged = { calls: [open], balance: 99 }

const cases: ReadonlyArray<readonly [promise: string, what: string, evidence: Evidence]> = [
  ["one order", "a call that was ordered twice", withLines({ carrier: [{ at: start + 1200, ...order, sid: null }] })],
  [
    "no overlap",
    "a call to a contact whose other call has not ended",
    withState(
      { calls: [answered, second], balance: 59, campaigns: [{ ...account.campaigns[0]!, max_attempts: 2 }] },
      withLines({
        carrier: [
          { at: start + 4500, ...secondOrder },
          { at: start + 5500, what: "answered", call: "call-2", sid: "CA2" },
          { at: start + 6000, ...secondEnd }
        ],
        receivers: [{ at: start + 7000, ...secondHook }]
      })
    )
  ],
  [
    "suppression",
    "a call that was committed after its number was suppressed",
    withLines(
      {
        client: [{ at: start - 5000, what: "suppressed", account: "main", number: answered.to, askedAt: start - 6000 }]
      },
      withState({ suppressed: ["+12122000009", answered.to] })
    )
  ],
  [
    "suppression",
    "an order that came long after its number was suppressed, though committed before",
    withLines(
      {
        client: [{ at: start + 1050, what: "suppressed", account: "main", number: answered.to, askedAt: start + 1020 }],
        carrier: [{ at: start + 9000, ...order, call: "call-3", sid: null }]
      },
      withState({
        suppressed: ["+12122000009", answered.to],
        calls: [
          answered,
          {
            ...open,
            id: "call-3",
            provider_call_id: null,
            status: "canceled",
            end_reason: "canceled",
            campaign_id: null,
            contact_id: null
          }
        ]
      })
    )
  ],
  [
    "attempts",
    "a contact whose phone rang once more than allowed",
    withState(
      { calls: [answered, second], balance: 59 },
      withLines({
        carrier: [
          { at: start + 5500, ...secondOrder },
          { at: start + 5600, what: "rang", call: "call-2", sid: "CA2" },
          { at: start + 5700, what: "answered", call: "call-2", sid: "CA2" },
          { at: start + 6000, ...secondEnd }
        ],
        receivers: [{ at: start + 7000, ...secondHook }]
      })
    )
  ],
  ["closing", "a call that is open long after its end", withState(charged)],
  [
    "closing",
    "a call that was open long after its end, and was closed later",
    withLines({ client: [{ at: start + 9 * minute, what: "open", account: "main", calls: ["call-1"] }] })
  ],
  ["own record", "a call with the record of another one", withState({ calls: [{ ...answered, id: "call-9" }] })],
  [
    "own record",
    "a call that was charged and never answered",
    withState({
      calls: [answered, { ...answered, id: "call-4", provider_call_id: null, contact_id: null }],
      balance: 59
    })
  ],
  [
    "outcomes",
    "an outcome that is said to be unknown while the carrier answered",
    withState({
      calls: [{ ...answered, status: "failed", end_reason: "unknown", provider_call_id: null, credits: 0 }],
      balance: 99
    })
  ],
  [
    "one end",
    "a call that has ended in two ways",
    withLines({
      receivers: [
        { at: start + 8000, ...hook, delivery: "delivery-4", event: "call.failed", subject: "call-1", hash: "d" }
      ]
    })
  ],
  [
    "one body",
    "a delivery that came with two bodies",
    withLines({
      receivers: [
        {
          at: start + 8000,
          ...hook,
          delivery: "delivery-2",
          event: "message.received",
          subject: "message-1",
          hash: "x"
        }
      ]
    })
  ],
  [
    "one body",
    "an event that came under two ids",
    withLines({
      receivers: [
        {
          at: start + 8000,
          ...hook,
          delivery: "delivery-5",
          event: "message.received",
          subject: "message-1",
          hash: "b"
        }
      ]
    })
  ],
  [
    "one body",
    "a delivery whose signature does not hold",
    withLines({
      receivers: [
        {
          at: start + 8000,
          ...hook,
          isSigned: false,
          delivery: "delivery-2",
          event: "message.received",
          subject: "message-1",
          hash: "b"
        }
      ]
    })
  ],
  ["delivered", "an event that never came", { ...well, logs: { ...logs, receivers: logs.receivers.slice(0, 1) } }],
  ["delivered", "a delivery that waits for ever", withState({ webhooks: [{ ...account.webhooks[0]!, pending: 1 }] })],
  ["stored", "a message that was taken and is gone", withState({ messages: account.messages.slice(1) })],
  ["answers", "a message that was never answered", { ...well, logs: { ...logs, chat: logs.chat.slice(0, 1) } }],
  [
    "answers",
    "a message that was answered twice",
    withLines({
      chat: [
        { at: start + 9000, what: "send", to: "16505551000", text: "About Q-1 Q-0.", id: "wamid.SENT2", mood: "serve" }
      ]
    })
  ],
  [
    "templates",
    "a contact of a running campaign who is never written to",
    withContact("running", { status: "queued" })
  ],
  ["templates", "a contact who is sending for ever", withContact("paused", { status: "sending" })],
  [
    "templates",
    "a contact who has a message and waits for one",
    withContact("completed", { phone: "+19175550000", status: "queued" })
  ],
  [
    "templates",
    "a contact who has a message and is said to have none",
    withContact("completed", { phone: "+19175550000", status: "skipped", reason: "opted_out" })
  ],
  [
    "parts",
    "a part that was sent twice",
    withLines({
      chat: [{ at: start + 9000, what: "send", to: "16505551000", text: "About Q-1.", id: "wamid.SENT2", mood: "lose" }]
    })
  ],
  ["keys", "a key that was billed twice", withState({ usage: [...account.usage, account.usage[0]!], balance: 78 })],
  ["keys", "a key that was answered and never billed", withState({ usage: account.usage.slice(1), balance: 80 })],
  ["keys", "a key with two answers", withLines({ client: [{ at: start + 3000, ...inference, hash: "other" }] })],
  [
    "keys",
    "a key that ran again after its answer",
    withLines({ models: [{ at: start + 4000, what: "run", subject: "I-1", status: 200, mood: "serve" }] })
  ],
  [
    "chats",
    "a chat that was answered and never billed",
    withLines({ client: [{ at: start + 3000, ...chat, key: "P-1.1" }] })
  ],
  ["chats", "a chat that was billed twice", withState({ usage: [...account.usage, account.usage[1]!], balance: 78 })],
  ["ledger", "a balance that is not the sum", withState({ balance: 80 })],
  ["ledger", "an account that has spent more than it had", withState({ granted: 10, balance: -11 })],
  ["ledger", "credits that stay reserved", withState({ reserved: 20 })],
  [
    "acknowledged",
    "a call that was acknowledged and is gone",
    withLines({ client: [{ at: start, what: "call", account: "main", id: "call-5" }] })
  ],
  ["acknowledged", "a suppressed number that is gone", withState({ suppressed: [] })],
  [
    "ends",
    "a process that ended with an error",
    withLines({ faults: [{ at: start, what: "end", process: 0, code: 1, ms: 900 }] })
  ],
  [
    "ends",
    "a process that took too long to end",
    withLines({ faults: [{ at: start, what: "end", process: 0, code: 0, ms: 15_001 }] })
  ]
]

describe("the checks of a fault run", () => {
  it("find nothing in a run in which everything went well", () => {
    expect(check(well).filter(({ undecided, violations }) => violations.length + undecided > 0)).toEqual([])
    expect(check(well).every(({ checked }) => checked > 0)).toBe(true)
  })

  it.each(cases)("%s: finds %s", (promise, _, evidence) => {
    expect(broken(evidence)).toContain(promise)
  })

  it("try every promise", () => {
    const tried = new Set(cases.map(([promise]) => promise))
    expect(
      check(well)
        .map(({ promise }) => promise)
        .filter((promise) => !tried.has(promise))
    ).toEqual([])
  })

  it("accept that who writes while the model fails is given up with the first message, after three runs of his own and not before", () => {
    const written = (nth: number) =>
      ({ at: start + nth * 1000, what: "delivery", message: `Q-${nth}`, customer: "16505551001", status: 200 }) as const
    const failed = (...names: ReadonlyArray<string>) =>
      ({ at: start + 5000, what: "run", subject: names.join(" "), status: 0, mood: "break" }) as const
    const runs = (alone: number, together: number) => [
      ...Array.from({ length: alone }, () => failed("Q-2")),
      ...Array.from({ length: together }, () => failed("Q-2", "Q-3"))
    ]
    const stored = [2, 3].map((nth) => ({ ...account.messages[0]!, id: `message-${nth}`, text: `Q-${nth}` }))
    const given = (models: ReturnType<typeof runs>) =>
      broken(
        withLines({ chat: [written(2), written(3)], models }, withState({ messages: [...account.messages, ...stored] }))
      ).includes("answers")
    expect([given(runs(1, 3)), given(runs(0, 3)), given(runs(2, 2))]).toEqual([false, true, true])
  })

  it("leave open what may still come: right after a disturbance, and before its time is over", () => {
    const early = { ...withState(charged), state: { ...withState(charged).state, at: start + minute } }
    expect([broken(early), undecided(early)]).toEqual([[], ["closing"]])
    const killed = withLines({ faults: [{ at: start + 9 * minute, what: "kill", process: 0 }] }, withState(charged))
    expect([broken(killed), undecided(killed)]).toEqual([[], ["closing"]])
  })

  it("accept what is documented: an order under way, a stall, an unknown outcome between two calls, a failure that is shown", () => {
    const late = {
      at: start + 1050,
      what: "suppressed",
      account: "main",
      number: answered.to,
      askedAt: start + 1020
    } as const
    expect(broken(withLines({ client: [late] }, withState({ suppressed: ["+12122000009", answered.to] })))).toEqual([])
    const failed = { id: "delivery-9", event: "message.received", subject: "message-1" }
    const shown = withState(
      { webhooks: [{ ...account.webhooks[0]!, failed: [failed] }] },
      { ...well, logs: { ...logs, receivers: logs.receivers.slice(0, 1) } }
    )
    expect(broken(shown)).toEqual([])
    const unknown = { ...answered, status: "failed", end_reason: "unknown", provider_call_id: null, credits: 0 }
    const other = { ...unknown, id: "call-6", contact_id: null, campaign_id: null, created_at: iso(2000) }
    expect(broken(withState({ calls: [unknown, other], balance: 99 }))).toEqual([])
    const alone = withState({ calls: [unknown], balance: 99 })
    const skewed = (skewMs: number) =>
      withLines({ faults: [{ at: start, what: "started", process: 1, skewMs }] }, alone)
    expect([broken(skewed(-7_200_000)), broken(skewed(1300))]).toEqual([[], ["outcomes"]])
    const rangLate = { at: start + 9000, what: "callback", call: "call-2", event: "ringing", status: 200 } as const
    const cancelled = { ...second, status: "canceled", end_reason: "lost_race", credits: 0 }
    const late2 = withLines({
      carrier: [
        { at: start + 5500, ...secondOrder },
        { at: start + 5600, what: "rang", call: "call-2", sid: "CA2" },
        { at: start + 6000, ...secondEnd, status: "canceled" },
        rangLate
      ],
      receivers: [{ at: start + 7000, ...secondHook, event: "call.failed" }]
    })
    expect(broken(withState({ calls: [answered, cancelled] }, late2))).toEqual([])
    expect(
      broken(
        withState({ calls: [answered, cancelled] }, withLines({ carrier: [{ ...rangLate, at: start + 5700 }] }, late2))
      )
    ).toEqual(["attempts"])
  })
})
