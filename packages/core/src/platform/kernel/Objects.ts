/** Objects among values whose form is not known. Pure. */
import { isRawNumber } from "./ExactJson.ts"

/** True of an object that is no array: the form of a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
