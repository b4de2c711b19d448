/** The tools of a messages request as the chat API has them. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../../../../platform/kernel/index.ts"
import { objectOf, present } from "../../JsonFields.ts"
import { eachAt, objectAt, refuse, type Translated, textAt } from "../RequestFields.ts"
import type { Json } from "../Translation.ts"

/** Null where there are none. */
export const messagesTools = (tools: unknown): Translated<ReadonlyArray<Json> | null> =>
  Result.map(eachAt(tools, "tools", toolOf), (list) => (list.length === 0 ? null : list))

/** The last ones are hints, which change how an answer comes, and not what it is. */
const toolFields = [
  ...["type", "name", "description", "input_schema", "strict"],
  ...["cache_control", "eager_input_streaming", "input_examples"]
]

/** Fields with a value that has no effect. */
const isNeutral = ([name, value]: readonly [name: string, value: unknown]): boolean =>
  (name === "defer_loading" && value === false) ||
  (name === "allowed_callers" && Array.isArray(value) && value.every((caller) => caller === "direct"))

const toolOf = (value: unknown, at: string): Translated<Json> =>
  Result.gen(function* () {
    if ((objectOf(value)?.type ?? "custom") !== "custom") {
      return yield* refuse(
        `${at}.type`,
        "This model takes tools of type `custom` alone. Describe the tool with a name and an `input_schema`."
      )
    }
    const fields = objectOf(value)
    const meant =
      fields === null ? value : Object.fromEntries(Object.entries(fields).filter((field) => !isNeutral(field)))
    const { description, input_schema, name, strict } = yield* objectAt(meant, at, toolFields)
    return {
      type: "function",
      function: present({
        name: yield* textAt(name, `${at}.name`),
        description,
        parameters: parametersOf(input_schema),
        strict: strict === true ? true : null
      })
    }
  })

/** The chat API requires the properties of an object. */
const parametersOf = (schema: unknown): unknown =>
  isObject(schema) && (schema.type ?? "object") === "object"
    ? { ...schema, properties: schema.properties ?? {} }
    : schema

const choices: ReadonlyMap<unknown, string> = new Map([
  ["auto", "auto"],
  ["any", "required"],
  ["none", "none"]
])

/** `tool_choice` and `parallel_tool_calls`. */
export const messagesToolChoice = (value: unknown): Translated<Json> =>
  Result.gen(function* () {
    if (value === undefined) return {}
    const known = ["type", "name", "disable_parallel_tool_use"]
    const { disable_parallel_tool_use, name, type } = yield* objectAt(value, "tool_choice", known)
    const parallel_tool_calls = disable_parallel_tool_use === true ? false : null
    if (type === "tool") {
      const called = { type: "function", function: { name: yield* textAt(name, "tool_choice.name") } }
      return { tool_choice: called, parallel_tool_calls }
    }
    const tool_choice = choices.get(type)
    if (tool_choice !== undefined) return { tool_choice, parallel_tool_calls }
    return yield* refuse("tool_choice.type", "`tool_choice.type` must be `auto`, `any`, `tool` or `none`.")
  })
