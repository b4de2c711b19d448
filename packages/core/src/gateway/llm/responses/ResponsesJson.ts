/** Small readers of JSON whose form is not known, and the refusal of what has no place. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../../../platform/kernel/index.ts"
import { type Json, Untranslatable } from "../translate/Translation.ts"

export type Refusable<A> = Result.Result<A, Untranslatable>

export const refuse = (param: string, message: string): Refusable<never> =>
  Result.fail(new Untranslatable({ param, message }))

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const isText = (value: unknown): value is string => typeof value === "string"

/** Null stands for an absent field everywhere in these bodies. */
export const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

/** The fields that are there. */
export const presentFields = (object: Json): ReadonlyArray<readonly [name: string, value: unknown]> =>
  Object.entries(object).filter(([, value]) => !isAbsent(value))

/** Refuses the first field that is not among `known`. `param` is where the object stands in the request. */
export const onlyFields = (object: Json, known: ReadonlyArray<string>, param: string): Refusable<Json> => {
  const unknown = presentFields(object).find(([name]) => !known.includes(name))
  return unknown === undefined
    ? Result.succeed(object)
    : refuse(param, `The upstream of this model has no place for "${unknown[0]}" in ${param}. Leave it out.`)
}
