/** Custom tools of the Responses API, which take any text, as functions of the chat API with one text as their argument. Pure. */
import { isObject } from "../kernel/index.ts"
import { parseObject } from "./JsonFields.ts"
import { isText, listOf, objectOf } from "./ResponsesJson.ts"
import type { Json } from "./Translation.ts"

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

/** The names of the request's custom tools. */
export const customNames = ({ tools }: Json): ReadonlySet<unknown> =>
  new Set(
    listOf(tools).flatMap((tool) => (isObject(tool) && tool.type === "custom" && isText(tool.name) ? [tool.name] : []))
  )
