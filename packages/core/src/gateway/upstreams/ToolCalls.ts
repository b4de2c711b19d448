/** Calls of functions as models write them: some repeat ids or leave them out, and some write arguments that are no JSON object. Pure. */
import { foreignJson, isObject } from "../../platform/kernel/index.ts"
import type { ToolCall } from "./ChatWork.ts"

/** The id, or a similar one where another call has it. It is added to the ids in use. */
export const distinctId = (id: string, taken: Set<string>): string => {
  let distinct = id
  for (let n = 2; taken.has(distinct); n++) distinct = `${id}_${n}`
  taken.add(distinct)
  return distinct
}

/** The arguments of a call, where a blank text is an empty object; null where they are no JSON object. Some models write the object into a text once more. */
export const argumentsOf = (written: string): { readonly [name: string]: unknown } | null => {
  const once = written.trim() === "" ? {} : foreignJson(written)
  const read = typeof once === "string" ? foreignJson(once) : once
  return isObject(read) ? read : null
}

/** A call for the history of a chat, with a name and arguments that every API takes: some refuse the whole chat for one call. */
export const wellFormedCall = ({ arguments: written, id, name }: ToolCall): ToolCall => ({
  id,
  name: name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
  arguments: isObject(foreignJson(written)) ? written : JSON.stringify(argumentsOf(written) ?? {})
})
