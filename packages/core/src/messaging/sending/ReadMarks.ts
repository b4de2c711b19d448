/** Marks a customer's messages as read on the channel. Nobody waits for it, and nothing is lost when it fails. Source: docs/reference/messaging.md#inbound. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { Instant } from "../../platform/kernel/index.ts"
import type { Recipient } from "../channels/ChannelConnection.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { Outgoing } from "./Outgoing.ts"

/** The last message of a customer's that was stored. */
export interface Seen {
  readonly number: ConnectedNumber
  readonly msgid: string
  readonly from: Recipient | null
}

/** Reading one message marks those before it: a customer who keeps writing is marked read once in each interval. */
const restMs = Instant.second

/** Concurrent requests: they are not urgent, and must not delay others. */
const concurrency = 16

/** Makes a process's marker: it takes what was seen of each customer, by any name of the customer's, and answers at once. */
export const readMarks = Effect.gen(function* () {
  const outgoing = yield* Outgoing
  const scope = yield* Effect.scope
  const slots = yield* Semaphore.make(concurrency)
  /** Of customers who have a fiber: what it has not marked yet. */
  const unmarked = new Map<string, Seen | null>()

  const mark = Effect.fnUntraced(function* ({ from, msgid, number }: Seen) {
    const { channel, connection } = yield* outgoing.senderOf(number)
    if (!channel.traits.readMarks) return
    const marked = channel.markRead(connection, { id: msgid, from, typing: false })
    yield* Effect.retry(marked, { schedule: Schedule.exponential("1 second"), times: 2 })
  })

  const marking = Effect.fnUntraced(function* (customer: string) {
    for (let seen = unmarked.get(customer); seen; seen = unmarked.get(customer)) {
      unmarked.set(customer, null)
      yield* Effect.ignoreCause(Semaphore.withPermit(slots, mark(seen)))
      yield* Effect.sleep(restMs)
    }
    unmarked.delete(customer)
  })

  return Effect.fnUntraced(function* (seen: ReadonlyMap<string, Seen>) {
    for (const [customer, one] of seen) {
      const isBusy = unmarked.has(customer)
      unmarked.set(customer, one)
      if (!isBusy) yield* Effect.forkIn(marking(customer), scope)
    }
  })
})
