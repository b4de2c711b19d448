/** Ids as hosts pass them. */
import { Ids } from "../kernel/index.ts"
import { TrunklineError } from "./TrunklineError.ts"

/** An id from outside, folded; anything else is refused before it reaches a store. */
export const uuid = (text: string): string => {
  const folded = text.toLowerCase()
  if (!Ids.isUuid(folded)) throw new TrunklineError("id_invalid", 422, `${JSON.stringify(text)} is not a UUID`)
  return folded
}
