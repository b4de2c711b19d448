/** The tools of a messages request as the chat API has them. Pure. */
import * as Result from "effect/Result"
import { objectOf, present } from "./JsonFields.ts"
import { eachAt, objectAt, refuse, type Translated, textAt } from "./RequestFields.ts"
import type { Json } from "./Translation.ts"

/** Null where there are none. */
export const messagesTools = (tools: unknown): Translated<ReadonlyArray<Json> | null> =>
  Result.map(eachAt(tools, "tools", toolOf), (list) => (list.length === 0 ? null : list))

const toolFields = ["type", "name", "description", "input_schema", "strict", "cache_control"]

const toolOf = (value: unknown, at: string): Translated<Json> =>
  Result.gen(function* () {
    if ((objectOf(value)?.type ?? "custom") !== "custom") {
      return yield* refuse(
        `${at}.type`,
        "This model takes tools of type `custom` alone. Describe the tool with a name and an `input_schema`."
      )
    }
    const { description, input_schema, name, strict } = yield* objectAt(value, at, toolFields)
    return {
      type: "function",
      function: present({
        name: yield* textAt(name, `${at}.name`),
        description,
        parameters: input_schema,
        strict: strict === true ? true : null
      })
    }
  })

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
