/** In which order an admission is decided, and what a refusal leaves. Verifies: BILL-4, BILL-6. */
import { Ids } from "@trunkline/core/effect"
import { expect, it } from "vitest"
import { type LedgerRows, Months } from "../../../src/platform/billing/index.ts"
import { type LedgerAdmission, LedgerDecision } from "../../../src/platform/billing/LedgerDecision.ts"
import { RunningRequests } from "../../../src/platform/billing/RunningRequests.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 29, 12))
const month = Months.of(at)
const [tenantId, keyId] = [Ids.as<"Account">("account"), Ids.as<"Key">("key")]

/** An account without credit and with all calls of its plan made, and a key of it whose minute, slots and budget are used up. */
const usedUp: LedgerRows = {
  ...{ holds: [], lapsed: [], lapsedSlots: [], billed: [], claimed: [], replaced: [], keptBytes: [] },
  standing: [
    {
      ...{ tenantId, key: "once", fingerprint: "print", claim: "theirs", hasActed: false },
      ...{ leaseUntil: Instant.plus(at, 1), expiresAt: Instant.plus(at, 1) }
    }
  ],
  balances: [{ tenantId, balance: 9n, reserved: 9n }],
  counts: [{ tenantId, service: "stt", month, used: 50, pending: 0 }],
  spending: [
    { ownerId: tenantId, period: month, spent: 1n, pending: 1n, alerted: false, exceeded: false },
    { ownerId: keyId, period: "total", spent: 1n, pending: 1n, alerted: false, exceeded: false }
  ],
  windows: [{ keyId, tenantId, seq: 5 }],
  oldest: [{ keyId, seq: 3, at: Instant.plus(at, -20_000) }],
  slots: [{ keyId, tenantId, own: 1, others: 1 }],
  versions: [{ tenantId, version: 7 }]
}

const payer: LedgerAdmission["reserve"]["payer"] = {
  ...{ tenantId, plan: "free", monthlyBudget: 2n },
  key: { id: keyId, name: null, prefix: "svc_abc", budget: 2n, budgetPeriod: "total" }
}

const id = Ids.as<"Usage">("request")

/** Asks for more than there is of everything. */
const wanted: LedgerAdmission = {
  limits: { id, tenantId, keyId, perMinute: 3, concurrency: 2, version: 6 },
  run: { tenantId, key: "once", fingerprint: "print", claim: "ours", leaseMs: 1 },
  reserve: { id, payer, service: "stt", maxCost: 1n }
}

const decide = (admission: LedgerAdmission) => {
  const decision = new LedgerDecision({
    ...{ at, rows: usedUp, compared: { holds: [], slots: [], claims: [] }, running: new RunningRequests() },
    ...{ processId: Ids.as<"Process">("process"), lease: null, maxKeptBytes: null, nextId: () => "entry" }
  })
  const { acquired, claimed, refused } = decision.admit(admission)
  const reason = refused?._tag === "QuotaExceeded" ? ` ${refused.reason}` : ""
  const { changes } = decision
  return {
    answer:
      acquired.error?._tag ?? claimed?.error?._tag ?? (refused === null ? "admitted" : `${refused._tag}${reason}`),
    acquires: [changes.requests.length, changes.slots.length],
    reserves: [changes.holds, changes.balances, changes.counts, changes.spending].map(({ length }) => length)
  }
}

const limits = (admission: LedgerAdmission, over: Partial<LedgerAdmission["limits"]>): LedgerAdmission => ({
  ...admission,
  limits: { ...admission.limits, ...over }
})

const pays = (admission: LedgerAdmission, over: Partial<typeof payer>): LedgerAdmission => ({
  ...admission,
  reserve: { ...admission.reserve, payer: { ...admission.reserve.payer, ...over } }
})

/** Each takes one reason away: the next one is the answer then. */
const steps: ReadonlyArray<readonly [answer: string, without: (admission: LedgerAdmission) => LedgerAdmission]> = [
  ["AccessChanged", (one) => limits(one, { version: 7 })],
  ["RateLimited", (one) => limits(one, { perMinute: 4 })],
  ["TooManyAtOnce", (one) => limits(one, { concurrency: 3 })],
  ["IdempotencyRefused", (one) => ({ ...one, run: null })],
  ["QuotaExceeded plan", (one) => ({ ...one, reserve: { ...one.reserve, service: "embedding" } })],
  ["QuotaExceeded monthly_budget", (one) => pays(one, { monthlyBudget: 3n })],
  ["CreditsExceeded", (one) => pays(one, { plan: "enterprise" })],
  ["BudgetExceeded", (one) => pays(one, { key: { ...payer.key!, budget: 3n } })]
]

it("answers an admission with the first of its reasons in the documented order", () => {
  const answers: Array<string> = []
  let admission = wanted
  for (const [, without] of steps) {
    answers.push(decide(admission).answer)
    admission = without(admission)
  }
  answers.push(decide(admission).answer)
  expect(answers).toEqual([...steps.map(([answer]) => answer), "admitted"])
})

it("acquires nothing where the key has no room, and reserves nothing where the account or its budgets have none", () => {
  const left: Array<readonly [acquires: ReadonlyArray<number>, reserves: ReadonlyArray<number>]> = []
  let admission = wanted
  for (const [, without] of steps) {
    const { acquires, reserves } = decide(admission)
    left.push([acquires, reserves])
    admission = without(admission)
  }
  const [nothing, slot, none] = [
    [0, 0],
    [1, 1],
    [0, 0, 0, 0]
  ]
  expect(left).toEqual([
    ...[nothing, nothing, nothing].map((acquires) => [acquires, none]),
    ...[slot, slot, slot, slot, slot].map((acquires) => [acquires, none])
  ])
})
