/**
 * Decides what a transaction is, and forbids in the type whatever would break one.
 *
 * Promises  STOR-1 a part that writes does not type-check outside a transaction.
 *           STOR-2 a failed, died or interrupted program leaves nothing behind.
 *           STOR-3 two programs that lock one key never lose each other's writes.
 *           STOR-4 a conflict is data, never a caught error.
 *           STOR-5 no row contains a value that the code could not show.
 *           STOR-6 work that one process commits wakes a worker of another, where this one cannot begin it at once.
 *           STOR-7 what is older than the operator keeps is removed, in parts that keep nobody waiting, and nothing that is still
 *                  needed; where nothing is set everything is kept.
 *           STOR-8 a row always finds a place, whatever month it is of and however long no process ran.
 *           STOR-9 of what is added side by side exactly as much is kept as an account may have of its kind.
 * Needs     RetentionStore, AccountTotals, ProviderStateStore for providers; storage-sqlite and storage-postgres implement Storage, storage-kysely the stores.
 * Not here  tables and SQL (packages/storage-kysely).
 * Read      Storage.ts. Source: docs/reference/storage.md.
 */
export {
  type AccountLimit,
  type AccountLimitName,
  AccountLimits,
  accountLimitNames,
  accountLimits,
  accountLimitsOf,
  checkRoom,
  LimitReached,
  roomFor
} from "./AccountLimits.ts"
export { type AccountTotal, AccountTotals, accountTotals } from "./AccountTotals.ts"
export { LostCommits, type LostWindow } from "./LostCommits.ts"
export { type ProviderState, ProviderStateStore } from "./ProviderStateStore.ts"
export { makeSharedSignal, RemoteSignals, type SharedSignal } from "./RemoteSignals.ts"
export { Retention, RetentionSettings, retentionDays } from "./Retention.ts"
export { type RetentionKind, RetentionStore } from "./RetentionStore.ts"
export {
  type LockKind,
  lock,
  lockShared,
  Read,
  read,
  Storage,
  type TransactOptions,
  Tx,
  together,
  togetherBy,
  transact
} from "./Storage.ts"
export { type PoolCounts, type SignalCounts, StorageCounters, type StorageCounts } from "./StorageCounters.ts"
export { Reason as StorageReason, StorageError, storageErrors } from "./StorageErrors.ts"
