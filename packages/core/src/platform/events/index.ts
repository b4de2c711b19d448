/**
 * Decides how the product reports what happened: after the change is committed, and never without it.
 *
 * Promises  EVNT-1 an event is written in the transaction of its change: both are there or neither.
 *           EVNT-2 listeners of this process hear an event after its commit, and never of one that was rolled back.
 *           EVNT-3 reading by cursor never misses an event that commits late.
 *           EVNT-4 the product's events carry what the catalogue says, under the brand's field names, to every reader.
 * Needs     OutboxStore.                         Emits  nothing by itself.
 * Not here  delivery to webhooks.
 * Read      Event.ts, then Outbox.ts. Source: docs/reference/events.md.
 */

export type { EventDataOf } from "@trunkline/client/webhooks"
export {
  campaignCompletedEvent,
  campaignEvents,
  campaignFailedEvent,
  campaignStartedEvent
} from "./CampaignEventEntries.ts"
export type {
  Event,
  EventName,
  EventOf,
  NewEvent,
  PlatformEventName,
  PublishedEvent,
  TypedEvent
} from "./Event.ts"
export { type Catalogue, catalogueOf, EventCatalogue } from "./EventCatalogue.ts"
export { describeEvents, eventSentence } from "./EventDescription.ts"
export { EventRefused, eventErrors } from "./EventErrors.ts"
export { EventFanOut } from "./EventFanOut.ts"
export * as EventFields from "./EventFields.ts"
export { type FieldNames, neutralFieldNames, toCatalogueNames, toWireNames } from "./FieldNames.ts"
export { EventFieldNames, type Handler, Outbox } from "./Outbox.ts"
export { cursorForm, OutboxStore, type PublishKey, type Recorded } from "./OutboxStore.ts"
export {
  paymentRequestCancelled,
  paymentRequestExpired,
  paymentRequestOutcomes,
  paymentRequestPaid
} from "./PaymentRequestEventEntries.ts"
export { type Publication, Publishing } from "./Publishing.ts"
export { type EventFault, eventFaults, type ReadableEvent, readEvent } from "./ReadEvent.ts"
