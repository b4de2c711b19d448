/**
 * Decides what a transaction is, and forbids in the type whatever would break one.
 *
 * Promises  STOR-1 a part that writes does not type-check outside a transaction.
 *           STOR-2 a failed, died or interrupted program leaves nothing behind.
 *           STOR-3 two programs that lock one key never lose each other's writes.
 *           STOR-4 a conflict is data, never a caught error.
 *           STOR-5 no row contains a value that the code could not show.
 *           STOR-6 an outage is one line in the log, one more a minute, and one when it is over.
 * Needs     nothing; storage-sqlite and storage-postgres implement Storage, storage-kysely the rooms' stores.
 * Not here  tables and SQL (packages/storage-kysely).
 * Read      Storage.ts, then Outage.ts. Source: docs/storage.md.
 */
export { isOutage, isOutageCause, layer as watchedStorage, type StorageState, StorageWatch } from "./Outage.ts"
export { type LockKind, lock, Read, read, Storage, Tx, transact } from "./Storage.ts"
export { Reason as StorageReason, StorageError } from "./StorageError.ts"
