/** Moves one account from one installation to another. Source: docs/reference/moving-accounts.md. */
import * as Effect from "effect/Effect"
import { Instant, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import type { AccountMove } from "./AccountMove.ts"
import { knownWithinMs } from "./AccountMoves.ts"
import { type CopiedTable, type Copying, copyRows, removeRows, rowsInPart, tablesOf, verify } from "./Copy.ts"
import type { Installation } from "./Installation.ts"
import { AccountMoveRefused, AccountMoveTimedOut } from "./MovingErrors.ts"

export interface MoveOrder extends Copying {
  readonly tenantId: Ids.AccountId
  /** The target, as the operator knows it. */
  readonly other: string
  /** How long calls, sessions and requests under way are waited for. */
  readonly waitMs: number
}

export interface MoveReport {
  readonly accountId: Ids.AccountId
  readonly tables: ReadonlyArray<CopiedTable>
}

/** Between two looks at the work under way. */
const lookMs = 250

const refuse = (detail: string) => Effect.fail(new AccountMoveRefused({ detail }))

const has = ({ storage, store }: Installation, tenantId: Ids.AccountId) =>
  // The first table has the accounts themselves.
  Effect.map(storage.read(store.measure({ place: 0, tenantId })), ({ rows }) => rows > 0)

/** Marks the account, or finds the mark of a move that was interrupted. */
const marked = Effect.fnUntraced(function* ({ from, other, tenantId, to }: MoveOrder) {
  const known = yield* from.storage.read(from.store.find(tenantId))
  if (known !== null && known.phase !== "arriving") {
    if (known.other === other) return known
    return yield* refuse(
      known.phase === "moved"
        ? `The account ${tenantId} has moved to ${known.other}.`
        : `The account ${tenantId} is being moved to ${known.other}: go on with that, or cancel it first.`
    )
  }
  if (known !== null) return yield* refuse(`The account ${tenantId} has not arrived here yet: finish that move first.`)
  if (!(yield* has(from, tenantId))) return yield* refuse(`There is no account ${tenantId} at the source.`)
  const there = yield* to.storage.read(to.store.find(tenantId))
  if (there === null && (yield* has(to, tenantId))) {
    return yield* refuse(`The target has an account ${tenantId} already: is it the same database?`)
  }
  const move: AccountMove = {
    tenantId,
    other,
    phase: "leaving",
    place: 0,
    cursor: null,
    moveId: yield* Ids.fresh(),
    updatedAt: yield* Instant.now
  }
  yield* from.storage.transact(from.store.save(move))
  return move
})

const putOff = ({ storage, store }: Installation, tenantId: Ids.AccountId, at: Instant.Instant) =>
  Effect.repeat(storage.transact(store.putOff(tenantId, at, rowsInPart)), { until: (n) => n === 0 })

const putBack = ({ storage, store }: Installation, tenantId: Ids.AccountId) =>
  Effect.repeat(storage.transact(store.putBack(tenantId, rowsInPart)), { until: (n) => n === 0 })

/** The account works on at the source. */
const release = Effect.fnUntraced(function* (from: Installation, tenantId: Ids.AccountId) {
  yield* putBack(from, tenantId)
  yield* from.storage.transact(from.store.forget(tenantId))
})

/** Waits until nothing of the account is under way, and nothing is due that a worker would begin. */
const quiet = Effect.fnUntraced(function* ({ from, tenantId, waitMs }: MoveOrder, move: AccountMove) {
  const begun = yield* Instant.now
  // Until then a process may let work in without knowing of the move.
  yield* Effect.sleep(Math.max(0, move.updatedAt + 2 * knownWithinMs - begun))
  for (;;) {
    const at = yield* Instant.now
    yield* putOff(from, tenantId, at)
    const underWay = yield* from.storage.read(from.store.underWay(tenantId))
    if (underWay.length === 0) return
    if (at - begun >= waitMs) {
      yield* release(from, tenantId)
      const list = underWay.map(({ n, what }) => `${n} ${what}`).join(", ")
      return yield* new AccountMoveTimedOut({
        detail: `After ${Math.round(waitMs / 1000)} s of waiting there were still ${list}. The account works on where it was: end these, or wait longer.`
      })
    }
    yield* Effect.sleep(lookMs)
  }
})

/** The copy that was begun, or a new one. */
const arriving = Effect.fnUntraced(function* ({ to }: MoveOrder, { moveId, other: _, ...move }: AccountMove) {
  const { tenantId } = move
  const there = yield* to.storage.read(to.store.find(tenantId))
  if (there?.phase === "arriving" && there.moveId === moveId) return there
  // What an earlier stay or another move has left.
  if (there !== null) yield* removeRows(to, { tenantId }, true)
  const begun: AccountMove = { ...move, moveId, phase: "arriving", other: "" }
  yield* to.storage.transact(to.store.save(begun))
  return begun
})

/** Begins the copy anew: it differs from what it was made of. */
const startAnew = ({ to }: MoveOrder, { tenantId }: AccountMove) =>
  Effect.andThen(removeRows(to, { tenantId }, true), to.storage.transact(to.store.forget(tenantId)))

/** The rows are at the target, whole; the source refuses from then on. */
const copied = Effect.fnUntraced(function* (order: MoveOrder, move: AccountMove) {
  yield* quiet(order, move)
  const begun = yield* arriving(order, move)
  yield* copyRows(order, begun)
  yield* Effect.onError(verify(order, begun), () => Effect.ignore(startAnew(order, begun)))
  const { from } = order
  yield* from.storage.transact(from.store.save({ ...move, phase: "moved", updatedAt: yield* Instant.now }))
})

/**
 * May be run again after any failure, with the same order: it goes on where it was. The account is never at work at both: the
 * source refuses before the target begins.
 */
export const moveAccount = tracedFn("moveAccount")(function* (order: MoveOrder) {
  const { from, tenantId, to } = order
  const move = yield* marked(order)
  if (move.phase === "leaving") yield* copied(order, move)
  const there = yield* to.storage.read(to.store.find(tenantId))
  if (there?.moveId === move.moveId) {
    yield* putBack(to, tenantId)
    yield* to.storage.transact(to.store.forget(tenantId))
  }
  yield* removeRows(from, { tenantId }, false)
  return { accountId: tenantId, tables: yield* tablesOf(to, tenantId) } satisfies MoveReport
})

/** Ends a move that has not come to its end: the account works on at the source. */
export const cancelMove = tracedFn("cancelMove")(function* (
  { from, to }: Pick<Copying, "from" | "to">,
  tenantId: Ids.AccountId
) {
  const move = yield* from.storage.read(from.store.find(tenantId))
  if (move?.phase !== "leaving") {
    return yield* refuse(
      move?.phase === "moved"
        ? `The account ${tenantId} has moved to ${move.other} already: move it back from there.`
        : `The account ${tenantId} is not being moved away from here.`
    )
  }
  const there = yield* to.storage.read(to.store.find(tenantId))
  if (there?.moveId === move.moveId) {
    yield* removeRows(to, { tenantId }, true)
    yield* to.storage.transact(to.store.forget(tenantId))
  }
  yield* release(from, tenantId)
})
