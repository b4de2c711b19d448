/**
 * Says what an account has, what it was charged, who did what in it, and what is still to be done before it can use the product.
 *
 * Promises  OVER-1 every person of an account reads its plan, money and features; a key needs the scope `usage:read`.
 *           OVER-2 the steps of the setup are those of the rooms that are there, in one order, and of the account alone.
 *           OVER-3 the ledger is shown as it is: its sum is the balance.
 *           OVER-4 the audit log is read by people who may, and by no key.
 * Needs     Accounts, CreditEntryStore, the rooms' SetupSteps.     Emits  nothing.
 * Not here  whether a step is done (the room that has the step); who is asking (platform/people).
 * Read      OverviewApi.ts, then Setup.ts, LedgerApi.ts, AuditApi.ts. Source: docs/reference/access.md#account.
 */
export { AddressBook, type BookEntry, type Segment } from "./AddressBook.ts"
export { CsvRefused, csvErrors, ImportsMissing, MappingRefused } from "./CsvErrors.ts"
export {
  type FaultCount,
  type ImportedList,
  type ImportReport,
  ListImports,
  type ListKind,
  type ListUpload,
  type LockedList,
  type ReadColumns,
  type RowFault
} from "./ListImports.ts"
export { PersonConsent } from "./PersonConsent.ts"
export { PersonConversations } from "./PersonConversations.ts"
export { SetupSteps } from "./Setup.ts"
