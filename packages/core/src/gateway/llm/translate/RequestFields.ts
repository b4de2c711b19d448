/** Reads the fields of a request that is translated, and refuses what has no place in the other API. Pure. */
import * as Result from "effect/Result"
import { listOf, objectOf, textOf } from "../JsonFields.ts"
import { type Json, Untranslatable } from "./Translation.ts"

/** A part of a request in the other API. */
export type Translated<A> = Result.Result<A, Untranslatable>

/** `param` is the path of a field as the caller wrote it, such as `messages[0].content`. */
export const refuse = (param: string, message: string): Translated<never> =>
  Result.fail(new Untranslatable({ param, message }))

/** Refuses a field that the other API lacks. */
export const refuseField = (param: string): Translated<never> =>
  refuse(param, `This model does not accept \`${param}\`. Remove it, or use another model.`)

/** The fields of an object that are there. Any that is not in `known` is refused. `at` is the path of the object. */
export const objectAt = (value: unknown, at: string, known: ReadonlyArray<string>): Translated<Json> => {
  const fields = objectOf(value)
  if (fields === null) return refuse(at, `\`${at}\` must be an object.`)
  return onlyKnown(fields, known, at)
}

/** The same fields; the first that is not in `known` is refused. */
export const onlyKnown = (fields: Json, known: ReadonlyArray<string>, at = ""): Translated<Json> => {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown === undefined) return Result.succeed(fields)
  return refuseField(at === "" ? unknown : `${at}.${unknown}`)
}

export const textAt = (value: unknown, at: string): Translated<string> => {
  const text = textOf(value)
  return text === null ? refuse(at, `\`${at}\` must be a text.`) : Result.succeed(text)
}

/** Translates each entry of a list with its path. An absent list is empty. */
export const eachAt = <A>(
  value: unknown,
  at: string,
  translate: (entry: unknown, at: string) => Translated<A>
): Translated<ReadonlyArray<A>> => {
  const list = listOf(value ?? [])
  if (list === null) return refuse(at, `\`${at}\` must be a list.`)
  return Result.all(list.map((entry, nth) => translate(entry, `${at}[${nth}]`)))
}
