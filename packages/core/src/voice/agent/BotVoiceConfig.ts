/** What the configuration of a bot says of its voice, and of what happens after a session. Pure. Source: docs/reference/voice-agent.md#configuration. */
import type { AgentFunction, JsonObject, SpeakModel, ThinkModel, TransferTarget } from "./AgentSettings.ts"
import { type GivenAgent, modelName, readBehaviour } from "./GivenAgent.ts"
import { type FieldFault, type Findings, GivenFields, noFindings } from "./GivenFields.ts"
import { readFunctions } from "./GivenFunctions.ts"
import { builtInNames } from "./VoiceTools.ts"

/** A field that an analysis fills in. */
export interface AnalysisField {
  readonly name: string
  readonly type: "string" | "number" | "boolean"
  readonly description: string
}

/** Source: docs/reference/voice-agent.md#analysis. */
export interface AnalysisSettings {
  readonly isEnabled: boolean
  /** Null: the model that the agent thinks with. */
  readonly model: string | null
  /** Of which one is chosen; empty where the outcome is not asked for. */
  readonly outcomes: ReadonlyArray<string>
  readonly fields: ReadonlyArray<AnalysisField>
  /** What the business wants to have looked at; null for nothing. */
  readonly prompt: string | null
}

export interface BotVoiceConfig {
  readonly agent: GivenAgent
  /** Null for the default. */
  readonly maxDurationSeconds: number | null
  /** Null where the agent has none. */
  readonly analysis: AnalysisSettings | null
}

/** Models that replace one that fails. */
export const maxFallbacks = 3
const maxTargets = 10
const maxAnalysisFields = 20

/** Keys of the answer that an analysis always has. */
const ownFields = new Set(["summary", "outcome", "sentiment", "score"])

/** Reads the keys of a bot's `config` that are about voice; all other keys are another's. */
export const readBotVoiceConfig = (
  config: JsonObject
): { readonly read: BotVoiceConfig; readonly faults: ReadonlyArray<FieldFault> } => {
  const findings = noFindings()
  const fields = new GivenFields(config, "config", findings)
  const named = (name: string) => notBlank(fields.text(name, { max: modelName.max }))
  const agent: GivenAgent = {
    ...readBehaviour(fields),
    listen: { model: named("stt_model"), fallback: named("stt_fallback_model") },
    think: {
      model: named("model"),
      temperature: fields.number("temperature", 0, 2),
      fallbacks: fallbacksOf(fields, "think_fallbacks")?.map((model): ThinkModel => ({ model, temperature: null }))
    },
    speak: {
      model: named("tts_model"),
      voice: named("voice"),
      fallbacks: fallbacksOf(fields, "speak_fallbacks")?.map((model): SpeakModel => ({ model, voice: null }))
    },
    functions: readFunctions(fields, true),
    tools: readTools(fields),
    transferTargets: readTargets(fields)
  }
  const read = {
    agent: { ...agent, language: notBlank(agent.language) },
    maxDurationSeconds: fields.whole("max_duration_seconds", 1, 7200) ?? null,
    analysis: readAnalysis(fields.object("analysis"))
  }
  return { read, faults: findings.faults }
}

/** A text of white space alone says nothing, as it always has in these keys. */
const notBlank = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === "" ? undefined : text.trim()

const fallbacksOf = (fields: GivenFields, name: string) => fields.texts(name, maxFallbacks, modelName.max)

const readTools = (fields: GivenFields): ReadonlyArray<string> | undefined =>
  fields.list("tools", builtInNames.size, (value, field, { faults }) => {
    if (typeof value === "string" && builtInNames.has(value)) return value
    faults.push({ field, message: `must be one of ${[...builtInNames].join(", ")}` })
    return undefined
  })

/** Names are compared in lists of their own kind. */
const unique = (fields: GivenFields, name: string | undefined, seen: Set<string>): void => {
  if (name !== undefined && seen.has(name)) fields.fault("name", "is the name of another entry")
  if (name !== undefined) seen.add(name)
}

const readTargets = (fields: GivenFields): ReadonlyArray<TransferTarget> | undefined => {
  const seen = new Set<string>()
  return fields.list("transfer_targets", maxTargets, (value, path, findings) => {
    const target = GivenFields.of(value, path, findings)
    if (target === undefined) return undefined
    const name = needed(target, "name", 64)
    const phone = needed(target, "phone", 32)
    const description = target.text("description", { max: 500 }) ?? ""
    unique(target, name, seen)
    return name === undefined || phone === undefined ? undefined : { name, phone, description }
  })
}

const needed = (fields: GivenFields, name: string, max: number): string | undefined => {
  if (fields.value(name) === undefined) return fields.fault(name, "is needed")
  return fields.text(name, { min: 1, max })
}

const readAnalysis = (fields: GivenFields | undefined): AnalysisSettings | null => {
  if (fields === undefined) return null
  const seen = new Set<string>()
  return {
    isEnabled: fields.flag("enabled") ?? false,
    model: notBlank(fields.text("model", { max: modelName.max })) ?? null,
    outcomes: fields.texts("outcomes", 50, 200) ?? [],
    fields:
      fields.list("fields", maxAnalysisFields, (value, path, findings) => readField(value, path, findings, seen)) ?? [],
    prompt: fields.text("prompt", { max: 10_000 }) ?? null
  }
}

const readField = (value: unknown, path: string, findings: Findings, seen: Set<string>): AnalysisField | undefined => {
  const field = GivenFields.of(value, path, findings)
  if (field === undefined) return undefined
  const name = fieldName(field)
  unique(field, name, seen)
  const type = field.oneOf("type", ["string", "number", "boolean"]) ?? "string"
  return name === undefined ? undefined : { name, type, description: field.text("description", { max: 500 }) ?? "" }
}

const fieldName = (field: GivenFields): string | undefined => {
  const name = needed(field, "name", 64)
  if (name === undefined) return undefined
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
    return field.fault("name", "must be letters, digits and _, and begin with a letter")
  }
  return ownFields.has(name) ? field.fault("name", `${name} is in every analysis: choose another name`) : name
}

const noAnalysis: AnalysisSettings = { isEnabled: false, model: null, outcomes: [], fields: [], prompt: null }

/**
 * The questions that an analysis answers about an agent's sessions. A wrong setting, as earlier releases may have stored it, counts for
 * nothing.
 */
export const analysisSettingsOf = (config: JsonObject): AnalysisSettings =>
  readBotVoiceConfig(config).read.analysis ?? noAnalysis

/** Functions with the headers that their configuration masks. */
export const withHeaders = (
  functions: ReadonlyArray<AgentFunction>,
  headers: FunctionHeaders
): ReadonlyArray<AgentFunction> =>
  functions.map((one) =>
    one.endpoint === null ? one : { ...one, endpoint: { ...one.endpoint, headers: headers[one.name] ?? {} } }
  )

/** The headers of functions by the functions' names. */
export type FunctionHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>
