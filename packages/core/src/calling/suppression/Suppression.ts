/** The one service that every outbound call asks, and the use cases of the account's do-not-call list. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { Accounts, type Actor, operator } from "../../platform/accounts/index.ts"
import { Instant, type Page, type Paged, traced, tracedFn } from "../../platform/kernel/index.ts"
import { lockKey, type MatchKey, samePerson, seekRange, usable } from "../../platform/numbers/index.ts"
import {
  AccountLimits,
  AccountTotals,
  checkRoom,
  type LimitReached,
  lock,
  lockShared,
  type Read,
  Storage,
  type StorageError,
  type Tx
} from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import type { SuppressionEntry } from "./SuppressionEntry.ts"
import { EntryNotFound } from "./SuppressionErrors.ts"
import { SuppressionStore } from "./SuppressionStore.ts"

/** Port: ends the calls that a new entry covers. Telephony implements it. */
export class SuppressedCalls extends Context.Service<
  SuppressedCalls,
  {
    /**
     * Marks those calls of the account, queued or ringing, as to be cancelled whose number the additions cover. In the transaction of
     * the additions.
     */
    readonly mark: (
      tenantId: Ids.AccountId,
      isCovered: (key: MatchKey) => Effect.Effect<boolean, StorageError, Read>,
      at: Instant.Instant
    ) => Effect.Effect<ReadonlyArray<Ids.CallId>, StorageError, Tx | Read>
    /** Cancels what was marked, at the carrier. After the commit; a crash in between is made good by the call worker. */
    readonly cancel: (calls: ReadonlyArray<Ids.CallId>) => Effect.Effect<void>
  }
>()("@trunkline/core/calling/suppression/SuppressedCalls") {}

export interface NewEntry {
  readonly phone: string
  readonly reason: string | null
}

export interface Added {
  readonly added: number
  /** Already on the list, or without a usable number. */
  readonly skipped: number
  readonly skippedInvalid: number
}

/**
 * Additions to one list wait for each other, so that no two of them insert the same numbers in another order, and each is
 * checked against the total that the others have left.
 */
export const lockAdditions = (tenantId: Ids.AccountId) => lock("suppression-additions", tenantId)

/** Which entries of the list are shown. Null asks for nothing. */
export interface EntrySearch {
  /** Only entries that suppress this number, however it is written. */
  readonly phone: string | null
  /** Only entries whose reason has this text in it, in any case. */
  readonly reason: string | null
}

/** Entries that are in memory at a time while a file of them is written. */
const batchSize = 500

export class Suppression extends Context.Service<
  Suppression,
  {
    /** True when a number must not be called. Inside a transaction ask `claim` instead. */
    readonly listed: (tenantId: Ids.AccountId, key: MatchKey) => Effect.Effect<boolean, StorageError, Read>
    /**
     * True when a number must not be called. Additions that could change the answer wait until the transaction ends: either the
     * addition is committed first and the answer is true, or the caller's commit is first and the addition finds the caller's call.
     */
    readonly claim: (tenantId: Ids.AccountId, key: MatchKey) => Effect.Effect<boolean, StorageError, Tx | Read>
    /** Adds numbers. Those already listed are skipped. Once this answers, no new call to any of them is committed. Source: docs/reference/suppression.md#promise. */
    readonly add: (
      tenantId: Ids.AccountId,
      entries: ReadonlyArray<NewEntry>
    ) => Effect.Effect<Added, LimitReached | StorageError>
    /** The same for what somebody has asked for on a call: it is on the list however long that is. */
    readonly addRequested: (tenantId: Ids.AccountId, entry: NewEntry) => Effect.Effect<Added, StorageError>
    /**
     * The same within the caller's transaction, whose locks of calls come after it. Returns the calls that are to be cancelled once
     * it is committed.
     */
    readonly addWithin: (
      tenantId: Ids.AccountId,
      entry: NewEntry
    ) => Effect.Effect<ReadonlyArray<Ids.CallId>, StorageError, Tx | Read>
    readonly cancel: (calls: ReadonlyArray<Ids.CallId>) => Effect.Effect<void>
    /** Removes one entry. The number stays suppressed while any other entry matches it. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.EntryId,
      actor?: Actor
    ) => Effect.Effect<void, EntryNotFound | StorageError>
    /** Newest first. A number that cannot be dialed is suppressed by no entry. */
    readonly list: (
      tenantId: Ids.AccountId,
      page: Page,
      search?: EntrySearch
    ) => Effect.Effect<Paged<SuppressionEntry>, StorageError>
    /** Some of the same entries: the newest of those before one of them, and the last of these where there may be more. */
    readonly batch: (
      tenantId: Ids.AccountId,
      search: EntrySearch,
      before: Ids.EntryId | null
    ) => Effect.Effect<
      { readonly items: ReadonlyArray<SuppressionEntry>; readonly next: Ids.EntryId | null },
      StorageError
    >
  }
>()("@trunkline/core/calling/suppression/Suppression") {
  static readonly layer = Layer.effect(
    Suppression,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const store = yield* SuppressionStore
      const storage = yield* Storage
      const calls = yield* SuppressedCalls
      const totals = yield* AccountTotals
      const { suppressionEntries: max } = yield* AccountLimits

      const listed = Effect.fnUntraced(function* (tenantId: Ids.AccountId, key: MatchKey) {
        const { from, to } = seekRange(key)
        const near = yield* store.keysBetween(tenantId, from, to)
        return near.some((entry) => samePerson(entry, key))
      })

      const claim = Effect.fnUntraced(function* (tenantId: Ids.AccountId, key: MatchKey) {
        // An import covers more numbers than a transaction can have locks: it locks the list.
        yield* lockShared("suppression", tenantId)
        yield* lock("suppression", `${tenantId}:${lockKey(key)}`)
        return yield* listed(tenantId, key)
      })

      const addAll = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        usableEntries: ReadonlyArray<NewEntry & { readonly key: MatchKey }>
      ) {
        const at = yield* Instant.now
        const next = yield* Ids.source
        const added: Array<MatchKey> = []
        if (usableEntries.length > 0) yield* lockAdditions(tenantId)
        // Locks are acquired in one order everywhere, so that two batches never wait for each other.
        for (const shard of [...new Set(usableEntries.map(({ key }) => lockKey(key)))].sort()) {
          yield* lock("suppression", `${tenantId}:${shard}`)
        }
        for (const { key, phone, reason } of usableEntries) {
          const entry = {
            id: Ids.as<"SuppressionEntry">(next()),
            tenantId,
            phone,
            matchKey: key,
            reason,
            createdAt: at
          }
          if (yield* store.add(entry)) added.push(key)
        }
        const isCovered = (to: MatchKey) => Effect.succeed(added.some((key) => samePerson(key, to)))
        const marked = added.length === 0 ? [] : yield* calls.mark(tenantId, isCovered, at)
        return { added: added.length, marked }
      })

      const checkTotal = Effect.fnUntraced(function* (tenantId: Ids.AccountId, adding: number) {
        if (max === null || adding === 0) return
        const total = yield* totals.read(tenantId, "suppression_entries")
        yield* checkRoom("suppressionEntries", max, { present: total - adding, adding })
      })

      const withKeys = (entries: ReadonlyArray<NewEntry>) =>
        entries.flatMap((entry) => {
          const number = usable(entry.phone)
          return number === undefined ? [] : [{ ...entry, key: number.key }]
        })

      const addWith = Effect.fnUntraced(function* <E = never>(
        tenantId: Ids.AccountId,
        entries: ReadonlyArray<NewEntry>,
        check: (added: number) => Effect.Effect<void, E | StorageError, Read>
      ) {
        const valid = withKeys(entries)
        const { added, marked } = yield* storage.transact(
          Effect.tap(addAll(tenantId, valid), (done) => check(done.added))
        )
        yield* calls.cancel(marked)
        return { added, skipped: entries.length - added, skippedInvalid: entries.length - valid.length }
      })

      const add = flow(
        (tenantId: Ids.AccountId, entries: ReadonlyArray<NewEntry>) =>
          addWith(tenantId, entries, (added) => checkTotal(tenantId, added)),
        traced("Suppression.add")
      )

      const addRequested = flow(
        (tenantId: Ids.AccountId, entry: NewEntry) => addWith(tenantId, [entry], () => Effect.void),
        traced("Suppression.addRequested")
      )

      const remove = tracedFn("Suppression.remove")(function* (
        tenantId: Ids.AccountId,
        id: Ids.EntryId,
        actor: Actor = operator
      ) {
        if (!(yield* store.remove(tenantId, id))) return yield* new EntryNotFound({ id })
        yield* accounts.record(tenantId, actor, "suppression.delete", id)
      }, storage.transact)

      /** At most as many as one seek finds. */
      const suppressing = Effect.fnUntraced(function* (tenantId: Ids.AccountId, phone: string, reason: string | null) {
        const number = usable(phone)
        if (number === undefined) return []
        const near = yield* storage.read(store.near(tenantId, seekRange(number.key), reason))
        return near.filter(({ matchKey }) => samePerson(matchKey, number.key))
      })

      const list = tracedFn("Suppression.list")(function* (
        tenantId: Ids.AccountId,
        page: Page,
        { phone, reason }: EntrySearch = { phone: null, reason: null }
      ) {
        if (phone !== null) {
          const all = yield* suppressing(tenantId, phone, reason)
          return { items: all.slice(page.offset, page.offset + page.limit), total: all.length }
        }
        return yield* storage.read(
          Effect.all({ items: store.list(tenantId, reason, page), total: store.count(tenantId, reason) })
        )
      })

      const batch = tracedFn("Suppression.batch")(function* (
        tenantId: Ids.AccountId,
        { phone, reason }: EntrySearch,
        before: Ids.EntryId | null
      ) {
        if (phone !== null) return { items: yield* suppressing(tenantId, phone, reason), next: null }
        const items = yield* storage.read(store.before(tenantId, reason, before, batchSize))
        return { items, next: items.at(-1)?.id ?? null }
      })

      return Suppression.of({
        listed,
        claim,
        add,
        addRequested,
        addWithin: (tenantId, entry) => Effect.map(addAll(tenantId, withKeys([entry])), ({ marked }) => marked),
        cancel: calls.cancel,
        remove,
        list,
        batch
      })
    })
  )
}
