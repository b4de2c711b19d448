/** The list of people who have opted out, in the caller's transaction. Source: docs/reference/opt-outs.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lockKey, seekRange } from "../../platform/numbers/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import * as Ids from "../MessagingIds.ts"
import {
  isAbout,
  keepsFrom,
  keysOf,
  type OptOut,
  type OptOutPerson,
  type OptOutSource,
  type PersonKeys
} from "./OptOut.ts"
import { preferenceEvent } from "./OptOutEvents.ts"
import { OptOutStore } from "./OptOutStore.ts"

/** What is added to the list. */
export interface NewOptOut extends Pick<OptOut, "phoneNumberId" | "scope" | "source" | "detail"> {
  readonly person: OptOutPerson
}

/** Somebody who has opted out at the channel's network, of marketing messages. */
export const atNetwork = { scope: "marketing", source: "platform", detail: null } as const

/** Which entries of a person end. */
export interface Resumed {
  readonly sources: ReadonlyArray<OptOutSource>
  /** Of this number alone; left out: of whatever number. */
  readonly phoneNumberId?: string
}

export class OptOutList extends Context.Service<
  OptOutList,
  {
    /**
     * Adds somebody, unless they are on the list for that number and scope already, or there is nothing to find them by. Returns the
     * events of what has changed: none where nothing has.
     */
    readonly add: (
      tenantId: Ids.AccountId,
      entry: NewOptOut
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
    /** Takes entries of a person from the list; returns an event for each. */
    readonly resume: (
      tenantId: Ids.AccountId,
      person: OptOutPerson,
      which: Resumed
    ) => Effect.Effect<ReadonlyArray<NewEvent>, StorageError, Tx | Read>
    /** True where a message of this category of templates on this number is not to go to a person. */
    readonly keeps: (
      tenantId: Ids.AccountId,
      person: OptOutPerson,
      of: { readonly phoneNumberId: string; readonly category: string | null }
    ) => Effect.Effect<boolean, StorageError, Read>
    /** Nobody adds one of these people, or takes them from the list, before the end of the transaction. */
    readonly lockPeople: (
      tenantId: Ids.AccountId,
      people: ReadonlyArray<OptOutPerson>
    ) => Effect.Effect<void, StorageError, Tx>
    /** All entries about a person, newest first. */
    readonly of: (
      tenantId: Ids.AccountId,
      person: OptOutPerson
    ) => Effect.Effect<ReadonlyArray<OptOut>, StorageError, Read>
  }
>()("@trunkline/core/messaging/opt-outs/OptOutList") {
  static readonly layer = Layer.effect(
    OptOutList,
    Effect.gen(function* () {
      const store = yield* OptOutStore

      const entriesOf = Effect.fnUntraced(function* (tenantId: Ids.AccountId, keys: PersonKeys) {
        const byPhone = keys.key === null ? [] : yield* store.near(tenantId, seekRange(keys.key))
        const byUser = keys.userId === null ? [] : yield* store.ofUser(tenantId, keys.userId)
        const all = new Map([...byPhone, ...byUser].map((entry) => [entry.id, entry]))
        return [...all.values()].filter((entry) => isAbout(entry, keys)).toSorted((a, b) => (a.id < b.id ? 1 : -1))
      })

      const locksOf = (tenantId: Ids.AccountId, { key, userId }: PersonKeys) => [
        ...(key === null ? [] : [`${tenantId}:${lockKey(key)}`]),
        ...(userId === null ? [] : [`${tenantId}:user:${userId}`])
      ]

      /** Two who add one person, or take them from the list, wait for each other. */
      const lockPerson = (tenantId: Ids.AccountId, keys: PersonKeys) => lock("opt-out", ...locksOf(tenantId, keys))

      const lockPeople = (tenantId: Ids.AccountId, people: ReadonlyArray<OptOutPerson>) => {
        const keys = people.flatMap((person) => keysOf(person) ?? [])
        const names = new Set(keys.flatMap((one) => locksOf(tenantId, one)))
        return names.size === 0 ? Effect.void : lock("opt-out", ...names)
      }

      const add = Effect.fnUntraced(function* (tenantId: Ids.AccountId, { person, ...given }: NewOptOut) {
        const keys = keysOf(person)
        if (keys === null) return []
        yield* lockPerson(tenantId, keys)
        const known = yield* entriesOf(tenantId, keys)
        const { phoneNumberId, scope } = given
        if (known.some((one) => one.phoneNumberId === phoneNumberId && one.scope === scope)) return []
        const entry: OptOut = {
          ...given,
          id: yield* Ids.fresh<"OptOut">(),
          tenantId,
          phone: keys.key === null ? null : person.phone,
          matchKey: keys.key,
          userId: keys.userId,
          createdAt: yield* Instant.now
        }
        yield* store.add(entry)
        return [preferenceEvent(entry, "stopped")]
      })

      const resume = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        person: OptOutPerson,
        { phoneNumberId, sources }: Resumed
      ) {
        const keys = keysOf(person)
        if (keys === null) return []
        yield* lockPerson(tenantId, keys)
        const ended = (yield* entriesOf(tenantId, keys)).filter(
          (one) => sources.includes(one.source) && (phoneNumberId === undefined || one.phoneNumberId === phoneNumberId)
        )
        for (const { id } of ended) yield* store.remove(tenantId, id)
        return ended.map((one) => preferenceEvent(one, "resumed"))
      })

      const of = (tenantId: Ids.AccountId, person: OptOutPerson) => {
        const keys = keysOf(person)
        return keys === null ? Effect.succeed([]) : entriesOf(tenantId, keys)
      }

      return OptOutList.of({
        add,
        resume,
        lockPeople,
        of,
        keeps: (tenantId, person, what) =>
          Effect.map(of(tenantId, person), (entries) => entries.some((entry) => keepsFrom(entry, what)))
      })
    })
  )
}
