/** Edits and deletions that channels deliver, of messages that are stored and of others that come later. Source: docs/reference/messaging.md#edits. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import * as Ids from "../MessagingIds.ts"
import { storedContent } from "../messages/ContentTranslation.ts"
import type { InboundMessage, MessageChange } from "../messages/InboundBatch.ts"
import type { Message } from "../messages/Message.ts"
import { afterChanges, changed } from "../messages/MessageChanges.ts"
import { MessageStore } from "../messages/MessageStore.ts"
import { UnmatchedStatusStore } from "../messages/UnmatchedStatusStore.ts"

/** A delivered edit or deletion. */
export type InboundChange = InboundMessage & { readonly change: MessageChange }

export const isChange = (given: InboundMessage): given is InboundChange =>
  given.change !== undefined && given.change !== null

/** Makes what changes messages, as parts of a transaction. */
export const inboundChanges = Effect.gen(function* () {
  const messages = yield* MessageStore
  const unmatched = yield* UnmatchedStatusStore

  /** Whose messages are changed: they are locked before the first write. */
  const owners = Effect.fnUntraced(function* (number: ConnectedNumber, all: ReadonlyArray<InboundMessage>) {
    const found: Array<Ids.CustomerId> = []
    for (const { change } of all.filter(isChange)) {
      const message = yield* messages.byMsgid(number.id, change.msgid)
      if (message !== null) found.push(message.customerId)
    }
    return found
  })

  /** Changes a message, or keeps the change until that is known. Needs the lock of the report. */
  const apply = Effect.fnUntraced(function* (
    number: ConnectedNumber,
    { at: changedAt, change: { edited, msgid }, isEcho }: InboundChange
  ): Effect.fn.Return<void, StorageError, Tx | Read> {
    const at = yield* Instant.now
    const now = edited === null ? null : storedContent(edited)
    const change = { edited: now, isEcho, at: Instant.earlier(changedAt ?? at, at) }
    const found = yield* messages.byMsgid(number.id, msgid)
    if (found === null) {
      const kept = {
        id: yield* Ids.fresh(),
        phoneId: number.id,
        msgid,
        status: "sent",
        fault: null,
        change,
        at
      } as const
      return yield* unmatched.add(kept)
    }
    // Who writes for the customer writes under this lock.
    yield* lock("customer", found.customerId)
    const after = changed((yield* messages.byId(found.id)) ?? found, change)
    if (after !== null) yield* messages.change(found, after)
  })

  /** A message that is about to be added, with what was changed of it before it came. `kept`: the ids of those. */
  const withKept = Effect.fnUntraced(function* (message: Message, msgid: string, kept: ReadonlySet<string>) {
    if (!kept.has(msgid)) return message
    const early = yield* unmatched.claim(message.phoneId, msgid)
    return afterChanges(
      message,
      early.map(({ change }) => change)
    )
  })

  return { apply, owners, withKept }
})
