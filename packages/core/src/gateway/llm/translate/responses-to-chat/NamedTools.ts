/**
 * Tools of the Responses API as functions of the chat API: custom ones, which take any text, with one text as their argument, and those
 * of a namespace with its name in front. Pure.
 */
import { isObject } from "../../../../platform/kernel/index.ts"
import { parseObject } from "../../JsonFields.ts"
import { isText, listOf, objectOf } from "../../responses/ResponsesJson.ts"
import type { Json } from "../Translation.ts"

/** The schema of the argument. */
export const customParameters: Json = {
  type: "object",
  properties: { input: { type: "string", description: "The input of the tool, as it is" } },
  required: ["input"],
  additionalProperties: false
}

/** The input of a call as its arguments. */
export const customArguments = (input: string): string => JSON.stringify({ input })

/** The input of a call from its arguments. Some models write the input itself. */
export const customInput = (written: string): string => {
  const input = parseObject(written)?.input
  return isText(input) ? input : written
}

/** The description with the grammar that the input has to follow: a function of a chat has no field for it. */
export const customDescription = (description: unknown, format: unknown): string | null => {
  const { definition, syntax, type } = objectOf(format)
  const texts = [
    isText(description) ? description : "",
    type === "grammar" && isText(definition) ? `The input follows this grammar (${syntax}):\n${definition}` : ""
  ].filter((text) => text !== "")
  return texts.length === 0 ? null : texts.join("\n\n")
}

/** The name of a tool in a chat. */
export const chatNameOf = (name: string, namespace: unknown): string =>
  isText(namespace) && namespace !== "" ? `${namespace}__${name}` : name

/** A tool as its caller knows it. */
export interface NamedTool {
  readonly name: string
  /** Null of a tool outside of every namespace. */
  readonly namespace: string | null
  readonly isCustom: boolean
}

/** The request's custom tools, and all of its namespaces, by their names in a chat. */
export const toolsByChatName = ({ tools }: Json): ReadonlyMap<string, NamedTool> =>
  new Map(listOf(tools).flatMap((tool) => (isObject(tool) ? namedTools(tool, null) : [])))

const namedTools = (tool: Json, namespace: string | null): ReadonlyArray<readonly [string, NamedTool]> => {
  const { name, type } = tool
  if (!isText(name)) return []
  if (type === "namespace" && namespace === null) {
    return listOf(tool.tools).flatMap((inner) => (isObject(inner) ? namedTools(inner, name) : []))
  }
  const isCustom = type === "custom"
  return isCustom || namespace !== null ? [[chatNameOf(name, namespace), { name, namespace, isCustom }]] : []
}
