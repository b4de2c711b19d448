/**
 * Decides whether a number may be called at all.
 *
 * Promises  SUPP-1 a person is recognised however the number was written: trailing digits decide.
 *           SUPP-2 once an addition has answered, no new call to that number is committed, in any process.
 *           SUPP-3 calls still queued or ringing to a number that is added are cancelled; answered ones are left alone.
 *           SUPP-4 removing an entry removes that entry alone.
 *           SUPP-5 a file is added as a whole or not at all, by the promises above for each of its rows; a dry run writes nothing and
 *                  answers with the numbers of the real run.
 * Needs     SuppressionStore, SuppressionImportStore, ImportPlaces (calling/csv), SuppressedCalls (calling/calls).   Emits  nothing.
 * Not here  who places calls: every one passes the admission of calling/calls, which asks here. How a number is read: platform/numbers.
 *           How a file is read: calling/csv.
 * Read      SuppressionEntry.ts, then Suppression.ts and SuppressionImports.ts. Source: docs/reference/suppression.md.
 */
export { type Added, type EntrySearch, type NewEntry, SuppressedCalls, Suppression } from "./Suppression.ts"
export { type SuppressionEntry, SuppressionRecord, suppressionEntity } from "./SuppressionEntry.ts"
export { EntryNotFound, suppressionErrors } from "./SuppressionErrors.ts"
export type { EntryReport, EntryRow } from "./SuppressionFile.ts"
export { type EntryImport, type StagedEntry, SuppressionImportStore } from "./SuppressionImportStore.ts"
export { type EntryUpload, SuppressionImports } from "./SuppressionImports.ts"
export { SuppressionStore } from "./SuppressionStore.ts"
