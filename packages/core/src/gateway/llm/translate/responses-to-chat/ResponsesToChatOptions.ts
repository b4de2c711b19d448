/** Tools, form of the answer and reasoning of a request of the Responses API, as the chat API has them. Pure. */
import * as Result from "effect/Result"
import { isObject } from "../../../../platform/kernel/index.ts"
import { present } from "../../JsonFields.ts"
import { isAbsent, isText, onlyFields, type Refusable, refuse } from "../../responses/ResponsesJson.ts"
import type { Json } from "../Translation.ts"
import { chatNameOf, customDescription, customParameters } from "./NamedTools.ts"

export const chatTools = (tools: unknown): Refusable<Json> =>
  Result.gen(function* () {
    if (!Array.isArray(tools)) return yield* refuse("tools", "Send the tools as a list.")
    const functions = (yield* Result.all(tools.map(toolsOf))).flat()
    // Servers of the chat API refuse an empty list.
    return functions.length === 0 ? {} : { tools: functions }
  })

/** Where a tool stands: its place for a refusal, and its namespace. */
interface ToolPlace {
  readonly param: string
  readonly namespace: { readonly name: string; readonly description: unknown } | null
}

/** Without a generator: there may be tens of thousands of them. */
const toolsOf = (tool: unknown, at: number): Refusable<ReadonlyArray<Json>> => {
  const param = `tools[${at}]`
  return isObject(tool) && tool.type === "namespace"
    ? namespaceOf(tool, param)
    : Result.map(toolOf(tool, { param, namespace: null }), (one) => [one])
}

const namespaceOf = (namespace: Json, param: string): Refusable<ReadonlyArray<Json>> =>
  Result.flatMap(onlyFields(namespace, ["type", "name", "description", "tools"], param), (given) => {
    const { description, name, tools } = given
    if (!isText(name)) return refuse(`${param}.name`, "Send each namespace of tools with a name.")
    if (!Array.isArray(tools)) return refuse(`${param}.tools`, "Send each namespace with a list of tools.")
    const placeOf = (at: number) => ({ param: `${param}.tools[${at}]`, namespace: { name, description } })
    return Result.all(tools.map((tool: unknown, at) => toolOf(tool, placeOf(at))))
  })

/** Fields of a tool that have no place, and the value that has no effect. */
const neutral: Json = { async: false, defer_loading: false }

const toolFields = ["type", "name", "description", "parameters", "strict"]
const customFields = ["type", "name", "description", "format"]

const toolOf = (tool: unknown, { namespace, param }: ToolPlace): Refusable<Json> => {
  if (!isObject(tool) || (tool.type !== "function" && tool.type !== "custom")) {
    return refuse(
      param,
      "The upstream of this model takes tools of type function, custom or namespace. Leave the others out."
    )
  }
  const meant = Object.fromEntries(
    Object.entries(tool).filter(([name, value]) => !(Object.hasOwn(neutral, name) && neutral[name] === value))
  )
  const isCustom = tool.type === "custom"
  return Result.flatMap(onlyFields(meant, isCustom ? customFields : toolFields, param), (given) => {
    const { format, name, parameters, strict } = given
    if (!isText(name)) return refuse(`${param}.name`, `Send each tool of type ${tool.type} with a name.`)
    const own = isCustom ? customDescription(given.description, format) : given.description
    const called = {
      name: chatNameOf(name, namespace?.name),
      description: namespace === null ? own : joined(namespace.description, own)
    }
    return Result.succeed({
      type: "function",
      function: present(isCustom ? { ...called, parameters: customParameters } : { ...called, parameters, strict })
    })
  })
}

/** The description of a tool, after that of its namespace. */
const joined = (...descriptions: ReadonlyArray<unknown>): string | null => {
  const texts = descriptions.filter((text) => isText(text) && text !== "")
  return texts.length === 0 ? null : texts.join("\n\n")
}

export const chatToolChoice = (choice: unknown): Refusable<Json> => {
  if (choice === "auto" || choice === "none" || choice === "required") return Result.succeed({ tool_choice: choice })
  if (isObject(choice) && (choice.type === "function" || choice.type === "custom") && isText(choice.name)) {
    const { name } = choice
    return Result.map(onlyFields(choice, ["type", "name"], "tool_choice"), () => ({
      tool_choice: { type: "function", function: { name } }
    }))
  }
  return refuse("tool_choice", "Send tool_choice as auto, none, required or a function with its name.")
}

export const chatFormat = (text: unknown): Refusable<Json> =>
  Result.gen(function* () {
    if (!isObject(text)) return yield* refuse("text", "Send text as an object.")
    yield* onlyFields(text, ["format", "verbosity"], "text")
    const response_format = isAbsent(text.format) ? null : yield* formatOf(text.format)
    return present({ response_format, verbosity: text.verbosity })
  })

const formatOf = (format: unknown): Refusable<Json> =>
  Result.gen(function* () {
    const { type } = isObject(format) ? format : { type: null }
    if (!isObject(format) || (type !== "text" && type !== "json_object" && type !== "json_schema")) {
      return yield* refuse("text.format", "Send text.format with the type text, json_object or json_schema.")
    }
    const schemaFields = type === "json_schema" ? ["name", "description", "schema", "strict"] : []
    const { type: _, ...rest } = yield* onlyFields(format, ["type", ...schemaFields], "text.format")
    return type === "json_schema" ? { type, json_schema: present(rest) } : { type }
  })

/** A summary is the wish to read more of the reasoning; no answer of the chat API has one. */
export const chatReasoning = (reasoning: unknown): Refusable<Json> =>
  Result.gen(function* () {
    if (!isObject(reasoning)) return yield* refuse("reasoning", "Send reasoning as an object.")
    yield* onlyFields(reasoning, ["effort", "summary"], "reasoning")
    return present({ reasoning_effort: reasoning.effort })
  })
