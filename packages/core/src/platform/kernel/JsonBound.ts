/** The size of a JSON value that somebody else has made. Pure. */
import { jsonPieces } from "./JsonPieces.ts"
import { utf8Length } from "./Length.ts"
import { isWritableJson } from "./WritableJson.ts"

/** Why a value has no place in `maxKib` KiB of JSON; null where it fits. */
export const jsonFault = (value: unknown, maxKib: number): string | null => {
  if (!isWritableJson(value)) return "Nested too deeply"
  let bytes = 0
  for (const piece of jsonPieces(value)) {
    bytes += utf8Length(piece)
    if (bytes > maxKib * 1024) return `Expected at most ${maxKib} KiB of JSON`
  }
  return null
}
