/** JSON whose form is not known, as it is written again. Pure. */
import { maxJsonDepth } from "./ForeignJson.ts"
import { isObject } from "./Objects.ts"

/** False of a value that is nested too deeply to be written as JSON, or has a number that no JSON can say. */
export const isWritableJson = (value: unknown, depth = 0): boolean => {
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || value === null) return true
  return depth < maxJsonDepth && Object.values(value).every((one) => isWritableJson(one, depth + 1))
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
