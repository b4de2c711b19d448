/** The events of a product: those of the rooms that it has. Source: docs/reference/events.md#catalogue. */
import * as Context from "effect/Context"
import type { EventEntry } from "../room/index.ts"

export interface Catalogue {
  readonly entries: ReadonlyArray<EventEntry>
  /** The names of the events that webhooks of the platform receive. */
  readonly platformNames: ReadonlyArray<string>
  /** Null for a name that no entry has. */
  readonly find: (name: string) => EventEntry | null
}

/** Makes the catalogue of these entries, in the order of their places. What several rooms emit is one entry. */
export const catalogueOf = (given: ReadonlyArray<EventEntry>): Catalogue => {
  const entries = [...new Set(given)].toSorted((one, other) => one.place - other.place)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return {
    entries,
    platformNames: entries.filter(({ surface }) => surface === "platform").map(({ name }) => name),
    find: (name) => byName.get(name) ?? null
  }
}

export class EventCatalogue extends Context.Service<EventCatalogue, Catalogue>()(
  "@trunkline/core/platform/events/EventCatalogue"
) {}
