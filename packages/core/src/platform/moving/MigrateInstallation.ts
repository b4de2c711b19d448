/** Copies a whole installation from one database into another that is empty. Source: docs/reference/moving-accounts.md#installation. */
import * as Effect from "effect/Effect"
import { Ids, Instant, tracedFn } from "../kernel/index.ts"
import { type AccountMove, everyAccount } from "./AccountMove.ts"
import { type Copying, copyRows, tablesOf, verify } from "./Copy.ts"
import type { Installation } from "./Installation.ts"
import { AccountMoveRefused } from "./MovingErrors.ts"

export interface MigrationOrder extends Copying {
  /** The source and the target, as the operator knows them. */
  readonly source: string
  readonly target: string
}

const refuse = (detail: string) => Effect.fail(new AccountMoveRefused({ detail }))

/** The first table that has rows. */
const firstFilled = Effect.fnUntraced(function* ({ storage, store }: Installation) {
  for (const [place, { name }] of store.tables.entries()) {
    const { rows } = yield* storage.read(store.page({ place, tenantId: null }, null, 1))
    if (rows.length > 0) return name
  }
  return null
})

/** Marks the source, which does nothing from then on; or finds the mark of a migration that was interrupted. */
const marked = Effect.fnUntraced(function* ({ from, target }: MigrationOrder) {
  const moves = yield* from.storage.read(from.store.list)
  const known = moves.find(({ tenantId }) => tenantId === everyAccount)
  const unfinished = moves.find(({ phase, tenantId }) => phase !== "moved" && tenantId !== everyAccount)
  if (unfinished !== undefined) {
    return yield* refuse(`The account ${unfinished.tenantId} is being moved: finish or cancel that first.`)
  }
  if (known?.phase === "arriving") return yield* refuse("The source is itself an unfinished copy: finish that first.")
  if (known !== undefined && known.other !== target) {
    return yield* refuse(`The source is being migrated to ${known.other}, or has been: name that as the target.`)
  }
  if (known !== undefined) return known
  const move: AccountMove = {
    tenantId: everyAccount,
    other: target,
    phase: "leaving",
    place: 0,
    cursor: null,
    moveId: yield* Ids.fresh(),
    updatedAt: yield* Instant.now
  }
  yield* from.storage.transact(from.store.save(move))
  return move
})

const arriving = Effect.fnUntraced(function* ({ source, target, to }: MigrationOrder, { moveId }: AccountMove) {
  const there = yield* to.storage.read(to.store.find(everyAccount))
  if (there?.moveId === moveId) return there
  const filled = there === null ? yield* firstFilled(to) : "of another migration"
  if (filled !== null) {
    return yield* refuse(`The target ${target} is not empty (${filled}): name an empty database.`)
  }
  const begun: AccountMove = {
    tenantId: everyAccount,
    moveId,
    phase: "arriving",
    other: source,
    place: 0,
    cursor: null,
    updatedAt: yield* Instant.now
  }
  yield* to.storage.transact(to.store.save(begun))
  return begun
})

/** The rows are at the target, whole; the source does nothing from then on. */
const copied = Effect.fnUntraced(function* (order: MigrationOrder, move: AccountMove) {
  const { from, to } = order
  const begun = yield* arriving(order, move)
  yield* copyRows(order, begun)
  yield* verify(order, begun)
  // Accounts that have moved elsewhere before are still refused with the reason.
  const marks = (yield* from.storage.read(from.store.list)).filter(({ phase }) => phase === "moved")
  yield* to.storage.transact(Effect.forEach(marks, to.store.save, { discard: true }))
  yield* from.storage.transact(from.store.save({ ...move, phase: "moved", updatedAt: yield* Instant.now }))
})

/** May be run again after any failure: it goes on where it was. Neither database is at work before the end. */
export const migrateInstallation = tracedFn("migrateInstallation")(function* (order: MigrationOrder) {
  const { to } = order
  const move = yield* marked(order)
  if (move.phase === "leaving") yield* copied(order, move)
  const there = yield* to.storage.read(to.store.find(everyAccount))
  if (there?.moveId !== move.moveId) return yield* refuse(`The source has been migrated to ${move.other} already.`)
  yield* to.storage.transact(to.store.forget(everyAccount))
  return yield* tablesOf(to, null)
})
