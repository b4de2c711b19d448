/** JSON whose form is not known, as it is written again. Pure. */
import { isObject } from "./Objects.ts"

/** Deeper than any request is. JSON that is nested more deeply takes all of the stack when it is written again. */
const maxDepth = 200

/** False of JSON that is nested too deeply, or has a number that no JSON can say again. */
export const isWritableJson = (value: unknown, depth = 0): boolean => {
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || value === null) return true
  return depth < maxDepth && Object.values(value).every((one) => isWritableJson(one, depth + 1))
}

/** The same value with the keys of all its objects in their order: two texts of one JSON value become one. */
export const sortedJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedJson)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortedJson(value[name])])
  )
}
