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

/** Makes the catalogue of these entries: those of the platform first, then those of emails. */
export const catalogueOf = (given: ReadonlyArray<EventEntry>): Catalogue => {
  const byName = new Map(given.map((entry) => [entry.name, entry]))
  const platform = given.filter(({ surface }) => surface === "platform")
  return {
    entries: [...platform, ...given.filter(({ surface }) => surface === "email")],
    platformNames: platform.map(({ name }) => name),
    find: (name) => byName.get(name) ?? null
  }
}

export class EventCatalogue extends Context.Service<EventCatalogue, Catalogue>()(
  "@trunkline/core/platform/events/EventCatalogue"
) {}
