/** What an agent's configuration says about the analysis of its sessions. Pure. Source: docs/voice-agent.md#analysis. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isObject } from "../kernel/index.ts"

export const maxFields = 20

const text = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isMinLength(minimum), Schema.isMaxLength(maximum))

/** What stands in every analysis cannot be a field of one. */
export const ownNames: ReadonlyArray<string> = ["summary", "outcome", "sentiment", "score"]

const AnalysisField = Schema.Struct({
  name: text(1, 64).check(
    Schema.makeFilter((name: string) => !ownNames.includes(name) || `${name} is part of every analysis already`)
  ),
  type: Schema.Literals(["string", "number", "boolean"]),
  description: Schema.optionalKey(Schema.NullOr(text(0, 1000)))
})

const AnalysisFields = Schema.Array(AnalysisField).check(
  Schema.isMaxLength(maxFields),
  Schema.makeFilter(
    (fields: ReadonlyArray<{ readonly name: string }>) =>
      new Set(fields.map(({ name }) => name)).size === fields.length || "Expected names that differ"
  )
)

const parts = {
  enabled: Schema.Boolean,
  model: text(1, 255),
  outcomes: Schema.Array(text(1, 200)).check(Schema.isMaxLength(100)),
  fields: AnalysisFields,
  prompt: text(0, 25_000)
}

/** `config.analysis`, for whom checks a configuration when it is written. */
export const AnalysisConfigInput = Schema.Struct({
  enabled: Schema.optionalKey(Schema.NullOr(parts.enabled)),
  model: Schema.optionalKey(Schema.NullOr(parts.model)),
  outcomes: Schema.optionalKey(Schema.NullOr(parts.outcomes)),
  fields: Schema.optionalKey(Schema.NullOr(parts.fields)),
  prompt: Schema.optionalKey(Schema.NullOr(parts.prompt))
})

/** One thing that the model is to find out. */
export interface AnalysisField {
  readonly name: string
  readonly type: "string" | "number" | "boolean"
  readonly description?: string | null
}

export interface AnalysisConfig {
  readonly isEnabled: boolean
  /** Null: the agent's own. */
  readonly model: string | null
  /** Of which one fits; empty where none are named. */
  readonly outcomes: ReadonlyArray<string>
  readonly fields: ReadonlyArray<AnalysisField>
  /** What the account adds to the task; null for nothing. */
  readonly prompt: string | null
}

const part = <A>(schema: Schema.Codec<A, unknown>, given: unknown): A | null => {
  const read = Schema.decodeUnknownResult(schema)(given)
  return Result.isSuccess(read) ? read.success : null
}

/** What a configuration says. A part that is not what it must be, as earlier releases may have stored it, counts for nothing. */
export const analysisConfigOf = (config: Readonly<Record<string, unknown>>): AnalysisConfig => {
  const given = isObject(config.analysis) ? config.analysis : {}
  return {
    isEnabled: given.enabled === true,
    model: part(parts.model, given.model),
    outcomes: part(parts.outcomes, given.outcomes) ?? [],
    fields: part(parts.fields, given.fields) ?? [],
    prompt: part(parts.prompt, given.prompt)
  }
}
