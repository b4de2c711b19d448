/** Reads a model's analysis and trusts nothing of it: a field that is not asked for, or is not of its type, does not come through. Pure. */
import { replyOf } from "../../agents/replying/index.ts"
import { foreignJson, isObject } from "../../platform/kernel/index.ts"
import type { AnalysisField, AnalysisSettings } from "../agent/index.ts"
import type { Findings } from "./Analysis.ts"

const sentiments = ["positive", "neutral", "negative"] as const

/** Characters of a text. */
const maxText = 4000

const parsed = (text: string): Readonly<Record<string, unknown>> | null => {
  const value = foreignJson(text)
  return isObject(value) ? value : null
}

/** The object of an answer, also inside a code fence or between other words; null where there is none. */
const objectOf = (answer: string): Readonly<Record<string, unknown>> | null => {
  const text = replyOf(answer)
  return parsed(text) ?? parsed(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1))
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, maxText) : null

const scoreOf = (value: unknown): number | null =>
  typeof value === "number" && value >= 0 && value <= 1 ? value : null

const valueOf = ({ type }: AnalysisField, value: unknown): string | number | boolean | null => {
  if (type === "string") return textOf(value)
  if (type === "number") return typeof value === "number" && Number.isFinite(value) ? value : null
  return typeof value === "boolean" ? value : null
}

/** Null for an answer that is no JSON object. */
export const findingsOf = (answer: string, { fields, outcomes }: AnalysisSettings): Findings | null => {
  const found = objectOf(answer)
  if (found === null) return null
  const own = (name: string): unknown => (Object.hasOwn(found, name) ? found[name] : null)
  const outcome = textOf(own("outcome"))
  return {
    summary: textOf(own("summary")),
    outcome: outcomes.find((one) => one.trim() === outcome) ?? null,
    sentiment: sentiments.find((one) => one === own("sentiment")) ?? null,
    score: scoreOf(own("score")),
    results: Object.fromEntries(fields.map((field) => [field.name, valueOf(field, own(field.name))]))
  }
}
