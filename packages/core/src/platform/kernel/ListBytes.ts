/** Where a list ends that has large entries. Pure. Source: docs/reference/http-conventions.md#lists. */
import { utf8Length } from "./Length.ts"

/** Bytes of a list as JSON, its brackets and commas included. */
export const maxListBytes = 8 * 1024 * 1024

/** As many of the first entries as fit into a list, and one at least. */
export const withinListBytes = <A>(entries: ReadonlyArray<A>): ReadonlyArray<A> => {
  let bytes = 1
  const end = entries.findIndex((entry) => {
    bytes += utf8Length(JSON.stringify(entry)) + 1
    return bytes > maxListBytes
  })
  return end === -1 ? entries : entries.slice(0, Math.max(end, 1))
}
