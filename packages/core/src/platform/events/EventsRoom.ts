/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { nothing, storeTopics } from "../changes/index.ts"
import { Counts, type ReadMetrics, type RoomMetrics, room } from "../room/index.ts"
import { eventErrors } from "./EventErrors.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import { paymentRequestEvents } from "./PaymentRequestEventEntries.ts"
import { Publishing } from "./Publishing.ts"

const metrics = {
  declared: {
    trunkline_events_total: {
      type: "counter",
      labels: ["event"],
      of: "process",
      help: "Events that this process has committed"
    }
  },
  reader: Effect.map(Outbox, (outbox): ReadMetrics => {
    const events = new Counts()
    outbox.on("*", ({ event }) => Effect.sync(() => events.add({ event })))
    return () => ({ trunkline_events_total: events.samples })
  })
} satisfies RoomMetrics

/** What an event is about is changed by another store. */
const changes = [storeTopics(OutboxStore, { append: nothing, claimKey: nothing })]

export const Room = room({
  name: "platform/events",
  stores: [OutboxStore],
  changes,
  parts: Outbox.layer,
  layer: Publishing.layer,
  events: paymentRequestEvents,
  errors: eventErrors,
  metrics
})
