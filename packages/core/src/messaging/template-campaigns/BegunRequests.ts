/**
 * Notes which requests are about to begin, before they do: whatever a killed process had not noted may be sent by another one. Requests
 * of the same few milliseconds are noted together, over all campaigns. Source: docs/reference/template-campaigns.md#sending.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import { Instant } from "../../platform/kernel/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import { TemplateContactStore } from "./TemplateCampaignStore.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** Choice: long enough for a commit, and short, since what is noted and does not begin stays unknown. */
const intervalMs = 25

/** Requests that are noted in one transaction. */
const maxNoted = 256

/** A request and the recording of its answer have this time; after that its process has ended. */
const settleMs = 45 * Instant.second

interface Waiting {
  readonly id: TemplateContact["id"]
  readonly mayBegin: Deferred.Deferred<boolean>
}

/** When the request of a slot, in microseconds, is noted: at the same instant as its neighbours, and an interval ahead at least. */
export const notedAt = (slot: number): number => (Math.floor(slot / 1000 / intervalMs) - 1) * intervalMs

/** Makes what notes that a request begins; false where the request must not be made any more, or could not be noted. */
export const begunRequests = Effect.gen(function* () {
  const contacts = yield* TemplateContactStore
  const storage = yield* Storage
  const queue = yield* Queue.unbounded<Waiting>()

  const noteAll = Effect.gen(function* () {
    const waiting = yield* Queue.takeBetween(queue, 1, maxNoted)
    const settleBy = Instant.plus(yield* Instant.now, settleMs)
    const ids = waiting.map(({ id }) => id)
    // The commit waits for the disk: after a power cut, what may have begun is never sent again.
    const noted = yield* Effect.exit(storage.transact(contacts.begin(ids, settleBy)))
    // The contacts wait again, once their time is over.
    if (Exit.isFailure(noted)) yield* Effect.logError("noting which messages are about to be sent", noted.cause)
    const begun = new Set(Exit.isSuccess(noted) ? noted.value : [])
    for (const { id, mayBegin } of waiting) yield* Deferred.succeed(mayBegin, begun.has(id))
  })
  yield* Effect.forkScoped(Effect.forever(noteAll))

  return Effect.fnUntraced(function* ({ id }: Pick<TemplateContact, "id">) {
    const mayBegin = yield* Deferred.make<boolean>()
    yield* Queue.offer(queue, { id, mayBegin })
    return yield* Deferred.await(mayBegin)
  })
})
