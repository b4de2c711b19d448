/** The events of the whole product, for tests that compare them with pages and types. */
import { eventCatalogue } from "../../../src/host/Everything.ts"
import type { EventName } from "../../../src/platform/events/index.ts"
import type { EventEntry } from "../../../src/platform/room/index.ts"

const namesOf = (of: EventEntry["surface"]) =>
  // The generated types have the same names: EventTypes.test.ts.
  eventCatalogue.entries.filter(({ surface }) => surface === of).map(({ name }) => name as EventName)

export const platformEvents = namesOf("platform")
export const emailEvents = namesOf("email")

export const catalogueEntry = (name: string): EventEntry => {
  const entry = eventCatalogue.find(name)
  if (entry === null) throw new Error(`there is no event ${name}`)
  return entry
}
