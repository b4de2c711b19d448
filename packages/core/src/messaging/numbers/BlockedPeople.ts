/** Under which names a blocked person is remembered. Pure. Source: docs/reference/messaging.md#number-management. */
import { usable } from "../../platform/numbers/index.ts"
import { digitsOf } from "../messages/index.ts"

/** A telephone number is its match key, however it is written; any other text is the network's id of a person. */
export const blockedAs = (person: string): string => {
  const phone = digitsOf(person)
  return phone === undefined ? person : (usable(phone)?.key ?? person)
}

/** The names of one person, or of several, each once; null and an empty text are none. */
export const blockedNames = (people: ReadonlyArray<string | null>): ReadonlyArray<string> => [
  ...new Set(people.flatMap((person) => (person === null || person === "" ? [] : [blockedAs(person)])))
]
