/** The state of an account that moves to another installation, or has moved. Source: docs/reference/moving-accounts.md. */
import type { Instant } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { AccountMoved, AccountMoving } from "./MovingErrors.ts"

/**
 * - `leaving`  its work is refused here, and its rows are being copied to the other installation
 * - `moved`    it is at the other installation; here remain its name and its keys, so that they are refused with the reason
 * - `arriving` its rows are being copied to this installation
 */
export const movePhases = ["leaving", "moved", "arriving"] as const
export type MovePhase = (typeof movePhases)[number]

export interface AccountMove {
  /** The account, or `everyAccount`. */
  readonly tenantId: Ids.AccountId
  /** The same at both installations: a copy that another move has begun is not continued. */
  readonly moveId: string
  readonly phase: MovePhase
  /** The other installation, as the operator knows it. */
  readonly other: string
  /** Of an arriving account: the table that is being copied, and where in it. */
  readonly place: number
  readonly cursor: string | null
  readonly updatedAt: Instant.Instant
}

/** Stands for a whole installation that moves to another database. */
export const everyAccount = Ids.first<"Account">()

/** Why work of an account is refused; null where it is not. */
export const refusalOf = (phase: MovePhase | undefined): AccountMoving | AccountMoved | null => {
  if (phase === undefined) return null
  return phase === "moved" ? new AccountMoved() : AccountMoving.now()
}
