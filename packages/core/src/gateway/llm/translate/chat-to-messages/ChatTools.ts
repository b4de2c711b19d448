/** The tools of a chat request as the messages API has them. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../../../../platform/kernel/index.ts"
import { objectOf, present } from "../../JsonFields.ts"
import { eachAt, objectAt, refuse, type Translated, textAt } from "../RequestFields.ts"
import type { Json } from "../Translation.ts"

/** Null where there are none. */
export const chatTools = (tools: unknown): Translated<ReadonlyArray<Json> | null> =>
  Result.map(eachAt(tools, "tools", toolOf), (list) => (list.length === 0 ? null : list))

const toolOf = (value: unknown, at: string): Translated<Json> =>
  Result.gen(function* () {
    if (objectOf(value)?.type !== "function") {
      return yield* refuse(at, `This model takes tools of type \`function\` alone. Remove \`${at}\`, or make it one.`)
    }
    const tool = yield* objectAt(value, at, ["type", "function", "cache_control"])
    const inside = `${at}.function`
    const fields = yield* objectAt(tool.function, inside, functionFields)
    return present({
      name: yield* textAt(fields.name, `${inside}.name`),
      description: fields.description,
      input_schema: schemaOf(fields.parameters),
      strict: fields.strict === true ? true : null,
      cache_control: tool.cache_control ?? fields.cache_control
    })
  })

const functionFields = ["name", "description", "parameters", "strict", "cache_control"]

/** The messages API requires the type. */
const schemaOf = (parameters: unknown): unknown => {
  if (parameters === undefined) return { type: "object", properties: {} }
  return isObject(parameters) ? { ...parameters, type: parameters.type ?? "object" } : parameters
}

/** `tool_choice` with `parallel_tool_calls`. */
export const chatToolChoice = (fields: Json, hasTools: boolean): Translated<Json | null> =>
  Result.map(choiceOf(fields.tool_choice), (choice) =>
    fields.parallel_tool_calls === false && hasTools && choice?.type !== "none"
      ? { ...(choice ?? { type: "auto" }), disable_parallel_tool_use: true }
      : choice
  )

const choices: Readonly<Record<string, string>> = { auto: "auto", none: "none", required: "any" }

const choiceOf = (value: unknown): Translated<Json | null> =>
  Result.gen(function* () {
    if (value === undefined) return null
    const type = typeof value === "string" && Object.hasOwn(choices, value) ? choices[value] : undefined
    if (type !== undefined) return { type }
    if (objectOf(value)?.type !== "function") {
      return yield* refuse(
        "tool_choice",
        "This model takes a `tool_choice` of `auto`, `none`, `required`, or one function. Send one of them."
      )
    }
    const choice = yield* objectAt(value, "tool_choice", ["type", "function"])
    const { name } = yield* objectAt(choice.function, "tool_choice.function", ["name"])
    return { type: "tool", name: yield* textAt(name, "tool_choice.function.name") }
  })
