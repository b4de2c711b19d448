/** Reads bodies of other systems: needed fields must be there, and unknown fields are ignored. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A part that is looked at by itself, should it be there. */
export const Part = Schema.optionalKey(Schema.Unknown)

/** Reads JSON by a schema; `undefined` for what does not fit. */
export const reading = <A, I>(schema: Schema.Codec<A, I>): ((json: unknown) => A | undefined) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (json) => Option.getOrUndefined(decode(json))
}

/** Reads the entries of a list that fit; none where there is no list. */
export const readingEach = <A, I>(schema: Schema.Codec<A, I>): ((json: unknown) => ReadonlyArray<A>) => {
  const read = reading(schema)
  return (json) => (Array.isArray(json) ? json.flatMap((one) => read(one) ?? []) : [])
}

/** Seconds as a number, or as its text, which some servers send; null for anything else. Zero is a figure like any other. */
export const secondsOf = (value: unknown): number | null => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : null
}
