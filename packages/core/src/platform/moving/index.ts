/**
 * Moves accounts between installations, and whole installations between databases.
 *
 * Promises  MOVE-1 an account moves whole: every row of every table, with its values, verified before the switch.
 *           MOVE-2 a move that ended at any moment goes on where it was, and nothing is there twice.
 *           MOVE-3 while an account moves its work is refused, and afterwards its source refuses it; nothing is begun at both.
 *           MOVE-4 calls, sessions and requests under way are waited for; where they last too long the account works on.
 *           MOVE-5 an installation is copied into an empty database alone, and neither works before the end.
 * Needs     MoveStore.                           Emits  nothing.
 * Not here  the tables (storage-kysely), keys of secrets (platform/accounts), who may move an account (host).
 * Read      AccountMove.ts, then MoveAccount.ts, then Copy.ts. Source: docs/reference/moving-accounts.md.
 */
export {
  type AccountMove,
  everyAccount,
  type MovePhase,
  movePhases
} from "./AccountMove.ts"
export { AccountMoves } from "./AccountMoves.ts"
export type { CopiedTable, Copying, Reencrypt } from "./Copy.ts"
export { type Installation, migrationOf, thisInstallation } from "./Installation.ts"
export { type MigrationOrder, migrateInstallation } from "./MigrateInstallation.ts"
export { cancelMove, type MoveOrder, type MoveReport, moveAccount } from "./MoveAccount.ts"
export { type Measure, type MovedRow, type MovedTable, MoveStore, type Rows, type Unfinished } from "./MoveStore.ts"
export { AccountMoved, AccountMoveRefused, AccountMoveTimedOut, AccountMoving, movingErrors } from "./MovingErrors.ts"
