/** The list of people who have opted out, for callers of the API. Source: docs/reference/opt-outs.md#routes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor, operator } from "../../platform/accounts/index.ts"
import { type NewEvent, Outbox } from "../../platform/events/index.ts"
import { type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { type ConnectedNumberNotFound, ConnectedNumbers } from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import { keysOf, type OptOut } from "./OptOut.ts"
import { OptOutAtPlatform, OptOutNotFound } from "./OptOutErrors.ts"
import { preferenceEvent } from "./OptOutEvents.ts"
import { type NewOptOut, OptOutList } from "./OptOutList.ts"
import { type OptOutFilter, OptOutStore } from "./OptOutStore.ts"

/** What a caller adds. */
export type GivenOptOut = Pick<NewOptOut, "person" | "phoneNumberId" | "scope" | "detail">

export interface AddedOptOuts {
  readonly added: number
  /** On the list already for that number and scope, or without a usable number. */
  readonly skipped: number
  readonly skippedInvalid: number
}

export class OptOuts extends Context.Service<
  OptOuts,
  {
    /** Once this answers, no message of a campaign to any of them is begun. */
    readonly add: (
      tenantId: Ids.AccountId,
      entries: ReadonlyArray<GivenOptOut>,
      actor?: Actor
    ) => Effect.Effect<AddedOptOuts, ConnectedNumberNotFound | StorageError>
    /** Newest first. `phone` finds those that are about this number, however it is written. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: OptOutFilter & { readonly phone: string | null },
      page: Page
    ) => Effect.Effect<Paged<OptOut>, StorageError>
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.OptOutId,
      actor?: Actor
    ) => Effect.Effect<void, OptOutAtPlatform | OptOutNotFound | StorageError>
  }
>()("@trunkline/core/messaging/opt-outs/OptOuts") {
  static readonly layer = Layer.effect(
    OptOuts,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const numbers = yield* ConnectedNumbers
      const outbox = yield* Outbox
      const people = yield* OptOutList
      const storage = yield* Storage
      const store = yield* OptOutStore

      const add = tracedFn("OptOuts.add")(function* (
        tenantId: Ids.AccountId,
        entries: ReadonlyArray<GivenOptOut>,
        actor: Actor = operator
      ) {
        const usable = entries.filter(({ person }) => keysOf(person) !== null)
        const named = new Set(entries.flatMap(({ phoneNumberId }) => phoneNumberId ?? []))
        const events = yield* storage.transact(
          Effect.gen(function* () {
            for (const phoneNumberId of named) yield* numbers.owned(tenantId, phoneNumberId)
            const made: Array<NewEvent> = []
            for (const entry of usable) {
              made.push(...(yield* people.add(tenantId, { ...entry, source: "api" })))
            }
            if (made.length > 0) yield* accounts.record(tenantId, actor, "opt_out.add", null)
            return yield* outbox.append(made)
          })
        )
        yield* outbox.publish(events)
        return {
          added: events.length,
          skipped: entries.length - events.length,
          skippedInvalid: entries.length - usable.length
        }
      })

      const list = tracedFn("OptOuts.list")(function* (
        tenantId: Ids.AccountId,
        { phone, ...filter }: OptOutFilter & { readonly phone: string | null },
        page: Page
      ) {
        if (phone === null) {
          return yield* storage.read(
            Effect.all({ items: store.list(tenantId, filter, page), total: store.count(tenantId, filter) })
          )
        }
        const { phoneNumberId, source } = filter
        const all = (yield* storage.read(people.of(tenantId, { phone, userId: null }))).filter(
          (one) =>
            (source === null || one.source === source) &&
            (phoneNumberId === null || one.phoneNumberId === phoneNumberId)
        )
        return { items: all.slice(page.offset, page.offset + page.limit), total: all.length }
      })

      const remove = tracedFn("OptOuts.remove")(function* (
        tenantId: Ids.AccountId,
        id: Ids.OptOutId,
        actor: Actor = operator
      ) {
        const events = yield* storage.transact(
          Effect.gen(function* () {
            const entry = yield* store.find(tenantId, id)
            if (entry === null) return yield* new OptOutNotFound({ id })
            if (entry.source === "platform") return yield* new OptOutAtPlatform({ id })
            if (!(yield* store.remove(tenantId, id))) return yield* new OptOutNotFound({ id })
            yield* accounts.record(tenantId, actor, "opt_out.delete", id, entry.phone ?? entry.userId)
            return yield* outbox.append([preferenceEvent(entry, "resumed")])
          })
        )
        yield* outbox.publish(events)
      })

      return OptOuts.of({ add, list, remove })
    })
  )
}
