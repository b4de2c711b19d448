/**
 * Decides what work costs, and that no account spends more than it has.
 *
 * Promises  BILL-1 the balance is the sum of the ledger and never below zero, whatever runs side by side.
 *           BILL-2 free credit is the balance less what is held; a reservation that does not fit changes nothing.
 *           BILL-3 a reservation is settled once; settling again charges nothing.
 *           BILL-4 of requests side by side exactly as many pass as a balance, a cap, a budget or a limit has room for.
 *           BILL-5 what was charged and its row of the usage log are one transaction.
 *           BILL-6 a refused request changes no counter; a crash between reserve and settle releases what it reserved.
 *           BILL-7 amounts are exact: one rounding, upwards, for each request.
 *           BILL-8 a plan's bonus is granted once in each calendar month.
 *           BILL-9 account status, payment method and monthly budget hold for calls, agents and voice sessions as for `/v1/*`.
 *           BILL-10 of conversations side by side exactly as many count as the plan has, and none without a conversation.
 *           BILL-11 of requests side by side under one Idempotency-Key one is admitted; its answer is stored with its bill or not at all.
 *           BILL-12 sums of usage over time are those of the log, by the local clock of any zone.
 * Needs     CreditStore, CreditEntryStore, LedgerStore, QuotaStore, BudgetStore, BonusStore, LimitStore, UsageLogStore, StoredBytes, PlanStorage, Outbox.  Emits  credits.low, budget.alert, budget.exceeded.
 * Not here  what a call (calling/calls) or a model (gateway/run) is, and which price it has.
 * Read      Money.ts, Price.ts and Plans.ts, then LedgerDecision.ts, LedgerRuns.ts, RunningRequests.ts, LedgerFlush.ts, Ledger.ts and Credits.ts. Source: docs/reference/credits.md, docs/reference/metering.md.
 */

export { Bonuses } from "./Bonuses.ts"
export { type BonusGrant, BonusStore } from "./BonusStore.ts"
export { type BudgetPeriod, type BudgetState, BudgetStore, type BudgetThreshold } from "./BudgetStore.ts"
export { CallPrice } from "./CallPrice.ts"
export { ConversationQuota, type CountedConversation, type NewConversation } from "./ConversationQuota.ts"
export { makeCreditEntries } from "./CreditEntries.ts"
export { type CreditEntryQuery, CreditEntryStore, type LedgerFilter } from "./CreditEntryStore.ts"
export { type CreditBalance, CreditStore, type LedgerEntry, type ReservedCredit } from "./CreditStore.ts"
export {
  type CreditReservation,
  Credits,
  type Headroom,
  type Settlement,
  type Shortage,
  type Spender
} from "./Credits.ts"
export {
  AccessChanged,
  type Allowance,
  type ConcurrencySlot,
  type KeyLimitRequest,
  RateLimited,
  TooManyAtOnce
} from "./KeyLimitRequest.ts"
export { KeyLimits } from "./KeyLimits.ts"
export { Ledger, type LedgerEnded } from "./Ledger.ts"
export { hasClaimed, type LedgerAdmission, type LedgerAdmitted } from "./LedgerDecision.ts"
export type { LedgerEnd } from "./LedgerOperation.ts"
export type { RunKey, RunRows } from "./LedgerRuns.ts"
export {
  type LedgerChanges,
  type LedgerQuery,
  type LedgerRows,
  LedgerStore,
  type ProcessLease,
  type SlotCounts
} from "./LedgerStore.ts"
export { type KeyRequest, LimitStore } from "./LimitStore.ts"
export {
  BudgetExceeded,
  CreditsExceeded,
  type MeteredRequest,
  type Payer,
  QuotaExceeded,
  type Used
} from "./MeteredRequest.ts"
export { Metering, type UsageCount } from "./Metering.ts"
export * as Money from "./Money.ts"
export * as Months from "./Month.ts"
export * as Plans from "./Plans.ts"
export { Plan, Service } from "./Plans.ts"
export { type PlanCounter, type PlanCounters, PlanTeam, PlanUsage } from "./PlanUsage.ts"
export * as Prices from "./Price.ts"
export { type BegunCalls, type CallCounts, type QuotaPeriod, QuotaStore } from "./QuotaStore.ts"
export { type HoldName, holdName, type ProcessHold, type SlotKey } from "./RunningRequests.ts"
export { Spending } from "./Spending.ts"
export { PlanStorage, StoredBytes } from "./StoredBytes.ts"
export { maxIntervals, type SeriesQuery, UsageLog } from "./UsageLog.ts"
export { UsageLogStore, type UsagePosition, type UsageQuery, type UsageSpan } from "./UsageLogStore.ts"
export {
  type IntervalTotals,
  type ServiceTotals,
  type SessionUsage,
  type UsageDetails,
  type UsageFilter,
  type UsageGroup,
  type UsageRow,
  usageGroups
} from "./UsageRow.ts"
