/**
 * Decides what work costs, and that nobody spends what they do not have.
 *
 * Promises  BILL-1 the balance is the sum of the ledger and never below zero, whatever runs side by side.
 *           BILL-2 free credit is the balance less what is held; a reservation that does not fit changes nothing.
 *           BILL-3 a hold is settled once; settling again charges nothing.
 * Needs     CreditStore.                         Tells  nothing yet.
 * Not here  what a call is (telephony), plans, quotas and usage logs: they come with the inference gateway.
 * Read      Money.ts, then Credits.ts. Source: docs/credits.md.
 */
export { type CreditBalance, CreditStore, type LedgerEntry } from "./CreditStore.ts"
export { Credits } from "./Credits.ts"
export * as Money from "./Money.ts"
