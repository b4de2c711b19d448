/** Bodies of requests as a caller would send them: said by the room whose routes they are. Pure. */
import * as Context from "effect/Context"

/** An example of the JSON body of each of a group's operations, by the operation's name; the description of the API shows it. */
export const BodyExamples = Context.Reference<Readonly<Record<string, Readonly<Record<string, unknown>>>>>(
  "@trunkline/core/platform/http/BodyExamples",
  { defaultValue: () => ({}) }
)
