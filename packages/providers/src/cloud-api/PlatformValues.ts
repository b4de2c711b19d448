/** Values of what the platform delivers: each is read as what it must be, or it is missing. Pure. */
import { Instant, isLonger, isObject, type JsonObject, PhoneNumber } from "@trunkline/core/provider"

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** One that stands where several may is one of them. */
export const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : isObject(value) ? [value] : []

/** Some senders write numbers where the platform has texts. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value !== "" ? value : null
}

/** Longer than any id is, and short enough to be a key of an index in every database. */
const maxIdLength = 512

export const idOf = (value: unknown): string | null => {
  const id = textOf(value)
  return id !== null && !isLonger(id, maxIdLength) ? id : null
}

/** Digits of a phone number. An id of a person may have digits too, and is none. */
export const phoneOf = (value: unknown): string | null => {
  const text = textOf(value)
  if (text === null || !/^\+?[\d\s().-]+$/.test(text)) return null
  const digits = PhoneNumber.fold(text)
  return digits.length >= 5 && digits.length <= 20 ? digits : null
}

/** 2001 to 2100, in seconds: outside of that it is no second, or nobody's clock. */
const [firstSecond, lastSecond] = [1e9, 4_102_444_800]

export const instantOf = (value: unknown): Instant.Instant | null => {
  const seconds = Number(textOf(value) ?? Number.NaN)
  return seconds >= firstSecond && seconds <= lastSecond ? Instant.make(seconds * Instant.second) : null
}
