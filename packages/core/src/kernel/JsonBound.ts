/** The size of a JSON value that somebody else has made. Pure. */
import { utf8Length } from "./Length.ts"
import { isWritableJson } from "./WritableJson.ts"

/** What is wrong with a value that may have `maxKib` KiB as JSON; null where it fits. */
export const jsonFault = (value: unknown, maxKib: number): string | null => {
  if (!isWritableJson(value)) return "Nested too deeply"
  const written = JSON.stringify(value) ?? ""
  const isTooLong = written.length > maxKib * 1024 || utf8Length(written) > maxKib * 1024
  return isTooLong ? `Expected at most ${maxKib} KiB of JSON` : null
}
