/** Reads a client's `Settings`: every fault at once, and values that are cut or have no effect as warnings. Pure. Source: docs/reference/voice-agent.md#settings. */

import { argumentsOf, distinctId } from "../../gateway/upstreams/index.ts"
import { encodings, type SoundFormat, sampleRates } from "../../platform/audio/index.ts"
import { afterPoints, codePoints, isLonger, isObject } from "../../platform/kernel/index.ts"
import * as Ids from "../VoiceIds.ts"
import type { ContextMessage } from "./AgentSettings.ts"
import { maxFallbacks } from "./BotVoiceConfig.ts"
import { type GivenAgent, maxLanguage, modelName, readBehaviour } from "./GivenAgent.ts"
import { type FieldFault, type Findings, GivenFields, noFindings } from "./GivenFields.ts"
import { functionName, readFunctions } from "./GivenFunctions.ts"

/** What a client is warned of. */
export interface SettingsWarning {
  readonly code: "PROMPT_TOO_LONG" | "CONTEXT_TRUNCATED" | "SETTINGS_FIELDS_IGNORED"
  readonly description: string
}

/** `Settings` as far as they can be read. */
export interface ReadSettings {
  /** Where there are any, nothing of the rest may be applied. */
  readonly faults: ReadonlyArray<FieldFault>
  /** The bot that the client names; null where it describes the agent itself, or has none to name. */
  readonly botId: Ids.BotId | null
  readonly given: GivenAgent
  readonly input: SoundFormat
  readonly output: SoundFormat
  readonly sendsHistory: boolean
  readonly warnings: ReadonlyArray<SettingsWarning>
}

export interface SettingsRefused {
  readonly code: "INVALID_SETTINGS"
  readonly description: string
}

const maxPrompt = 25_000
const maxContext = 100
const maxContextLength = 60_000
/** Entries that are looked at: faults are found in every one, also in those that are dropped. */
const maxRead = 10_000

/** Reads the message. With a session's token only `context` and `language` of the agent count. */
export const readSettings = (message: unknown, isTokens: boolean): ReadSettings => {
  const findings = noFindings()
  const warnings: Array<SettingsWarning> = []
  if (!isObject(message)) findings.faults.push({ field: "", message: "Settings must be a JSON object" })
  const settings = new GivenFields(isObject(message) ? message : {}, "", findings)
  settings.skip("type")
  const audio = settings.object("audio")
  const flags = settings.object("flags")
  const read = {
    input: readFormat(audio, "input"),
    output: readFormat(audio, "output"),
    sendsHistory: flags?.flag("history") ?? true,
    ...readAgent(settings, isTokens, findings, warnings)
  }
  for (const one of [audio, flags, settings]) one?.ignoreRest()
  return { ...read, faults: findings.faults, warnings: [...warnings, ...ignoredWarning(findings)] }
}

const ignoredWarning = ({ ignored }: Findings): ReadonlyArray<SettingsWarning> =>
  ignored.length === 0
    ? []
    : [{ code: "SETTINGS_FIELDS_IGNORED", description: `These fields have no effect: ${ignored.join(", ")}` }]

const readFormat = (audio: GivenFields | undefined, direction: "input" | "output"): SoundFormat => {
  const format = audio?.object(direction)
  const encoding = format?.oneOf("encoding", encodings) ?? encodings[0]
  const rates = sampleRates[encoding]
  const sampleRate = format?.oneOf("sample_rate", rates) ?? rates[0]!
  format?.oneOf("container", ["none"])
  format?.ignoreRest()
  return { encoding, sampleRate }
}

const readAgent = (
  settings: GivenFields,
  isTokens: boolean,
  findings: Findings,
  warnings: Array<SettingsWarning>
): { readonly botId: Ids.BotId | null; readonly given: GivenAgent } => {
  const named = settings.value("agent")
  if (typeof named === "string") {
    const isId = Ids.isUuid(named.toLowerCase())
    if (isTokens) findings.ignored.push("agent")
    else if (!isId) settings.fault("agent", "is no agent of this account")
    return { botId: isTokens || !isId ? null : Ids.as<"Bot">(named.toLowerCase()), given: {} }
  }
  const agent = settings.object("agent")
  if (agent === undefined) return { botId: null, given: {} }
  const given = isTokens
    ? { language: agent.text("language", { max: maxLanguage }) }
    : { ...readBehaviour(agent), ...readStages(agent, findings, warnings) }
  const context = readContext(agent.object("context"), warnings)
  agent.ignoreRest()
  return { botId: null, given: { ...given, context } }
}

const readStages = (agent: GivenFields, findings: Findings, warnings: Array<SettingsWarning>): GivenAgent => ({
  listen: readListen(agent.object("listen")),
  ...readThink(agent.value("think"), "agent.think", findings, warnings),
  speak: readSpeak(agent.value("speak"), "agent.speak", findings)
})

/** `listen` of an agent, also of `UpdateListen`. */
export const readListen = (listen: GivenFields | undefined): GivenAgent["listen"] => {
  if (listen === undefined) return undefined
  const provider = listen.object("provider")
  provider?.skip("type")
  const read = {
    model: provider?.text("model", modelName),
    language: provider?.text("language", { min: 1, max: maxLanguage })
  }
  provider?.ignoreRest()
  listen.ignoreRest()
  return read
}

/** One entry, or a list of entries: the first is used, the others replace it. */
const choicesOf = (value: unknown, path: string, findings: Findings): ReadonlyArray<GivenFields> => {
  if (value === undefined) return []
  const entries: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  if (entries.length > maxFallbacks + 1 || entries.length === 0) {
    findings.faults.push({ field: path, message: `must be an object, or a list of 1 to ${maxFallbacks + 1} of them` })
    return []
  }
  return entries.flatMap(
    (entry, nth) => GivenFields.of(entry, Array.isArray(value) ? `${path}.${nth}` : path, findings) ?? []
  )
}

/** The provider of an entry, whose `endpoint` is the operator's to say. */
const providerOf = (entry: GivenFields): GivenFields | undefined => {
  if (entry.value("endpoint") !== undefined) {
    entry.fault("endpoint", "cannot be set: the operator's routes say where a model runs")
  }
  const provider = entry.object("provider")
  provider?.skip("type")
  return provider
}

/** The model of a fallback, which has no default. */
const fallbackModel = (entry: GivenFields, model: string | undefined): string =>
  model ?? entry.fault("provider", "needs a model") ?? ""

/** `think` of an agent, also of `UpdateThink`: its models, its prompt and its functions. */
export const readThink = (
  value: unknown,
  path: string,
  findings: Findings,
  warnings: Array<SettingsWarning>
): Pick<GivenAgent, "think" | "prompt" | "functions"> => {
  const isList = Array.isArray(value)
  const [first, ...others] = choicesOf(value, path, findings)
  if (first === undefined) return {}
  const readModel = (entry: GivenFields) => {
    const provider = providerOf(entry)
    const read = { model: provider?.text("model", modelName), temperature: provider?.number("temperature", 0, 2) }
    provider?.ignoreRest()
    return read
  }
  const model = readModel(first)
  const prompt = readPrompt(first, warnings)
  const functions = readFunctions(first, false)
  const fallbacks = others.map((entry) => {
    const read = readModel(entry)
    return { model: fallbackModel(entry, read.model), temperature: read.temperature ?? null }
  })
  for (const entry of [first, ...others]) entry.ignoreRest()
  return { think: { ...model, fallbacks: isList ? fallbacks : undefined }, prompt, functions }
}

const readPrompt = (entry: GivenFields, warnings: Array<SettingsWarning>): string | undefined => {
  const prompt = entry.text("prompt", { max: Number.MAX_SAFE_INTEGER / 2 })
  return prompt === undefined ? undefined : cutPrompt(prompt, warnings)
}

/** A prompt of at most 25,000 characters. */
export const cutPrompt = (prompt: string, warnings: Array<SettingsWarning>): string => {
  if (!isLonger(prompt, maxPrompt)) return prompt
  warnings.push({ code: "PROMPT_TOO_LONG", description: `The prompt was cut to ${maxPrompt} characters.` })
  return prompt.slice(0, afterPoints(prompt, 0, maxPrompt))
}

/** `speak` of an agent, also of `UpdateSpeak`. */
export const readSpeak = (value: unknown, path: string, findings: Findings): GivenAgent["speak"] => {
  const [first, ...others] = choicesOf(value, path, findings)
  if (first === undefined) return undefined
  const readVoice = (entry: GivenFields) => {
    const provider = providerOf(entry)
    const [model, other] = [provider?.text("model", modelName), provider?.text("model_id", modelName)]
    const read = { model: model ?? other, voice: provider?.text("voice", modelName) }
    provider?.ignoreRest()
    return read
  }
  const voice = readVoice(first)
  const fallbacks = others.map((entry) => {
    const read = readVoice(entry)
    return { model: fallbackModel(entry, read.model), voice: read.voice ?? null }
  })
  for (const entry of [first, ...others]) entry.ignoreRest()
  return { ...voice, fallbacks: Array.isArray(value) ? fallbacks : undefined }
}

const readContext = (
  context: GivenFields | undefined,
  warnings: Array<SettingsWarning>
): ReadonlyArray<ContextMessage> | undefined => {
  if (context === undefined) return undefined
  const read = context.list("messages", maxRead, readContextMessage)
  context.ignoreRest()
  return read === undefined ? undefined : withOwnIds(newestOf(read.flat(), warnings))
}

/** A message, or calls of functions that have ended: the two forms of `History`. */
const readContextMessage = (value: unknown, path: string, findings: Findings): ReadonlyArray<ContextMessage> => {
  const entry = GivenFields.of(value, path, findings)
  if (entry === undefined) return []
  entry.skip("type")
  if (entry.value("function_calls") !== undefined) {
    const calls = entry.list("function_calls", maxRead, readEndedCall)
    entry.ignoreRest()
    return calls ?? []
  }
  if (entry.value("role") === undefined) entry.fault("role", "is needed: user or assistant")
  if (entry.value("content") === undefined) entry.fault("content", "is needed: a text")
  const role = entry.oneOf("role", ["user", "assistant"])
  const content = entry.text("content", anyLength)
  entry.ignoreRest()
  return role === undefined || content === undefined ? [] : [{ role, content }]
}

const readEndedCall = (value: unknown, path: string, findings: Findings): ContextMessage | undefined => {
  const call = GivenFields.of(value, path, findings)
  if (call === undefined) return undefined
  call.skip("client_side")
  const name = call.value("name")
  if (typeof name !== "string" || !functionName.test(name))
    call.fault("name", "must be 1 to 64 letters, digits, _ or -")
  if (call.value("response") === undefined) call.fault("response", "is needed: a text")
  const written = call.text("arguments", anyLength) ?? ""
  if (argumentsOf(written) === null) call.fault("arguments", "must be the text of a JSON object")
  const [id, result] = [call.text("id", { max: 255 }), call.text("response", anyLength)]
  call.ignoreRest()
  if (typeof name !== "string" || result === undefined) return undefined
  return { role: "tool", id: id ?? "", name, arguments: written, result }
}

/** A call without an id, or with another's, gets one of its own. */
const withOwnIds = (messages: ReadonlyArray<ContextMessage>): ReadonlyArray<ContextMessage> => {
  const ids = new Set<string>()
  return messages.map((one) =>
    one.role === "tool" ? { ...one, id: distinctId(one.id === "" ? "call" : one.id, ids) } : one
  )
}

/** Bounded by all of them together. */
const anyLength = { max: Number.MAX_SAFE_INTEGER / 2 }

const lengthOf = (message: ContextMessage): number =>
  message.role === "tool" ? codePoints(message.arguments) + codePoints(message.result) : codePoints(message.content)

/** The newest messages that fit, oldest first. */
const newestOf = (
  messages: ReadonlyArray<ContextMessage>,
  warnings: Array<SettingsWarning>
): ReadonlyArray<ContextMessage> => {
  let [count, left] = [0, maxContextLength]
  for (const message of messages.toReversed()) {
    left -= lengthOf(message)
    if (left < 0 || count === maxContext) break
    count += 1
  }
  if (count === messages.length) return messages
  warnings.push({
    code: "CONTEXT_TRUNCATED",
    description: `The oldest ${messages.length - count} messages of the context were dropped: it may have ${maxContext}, of ${maxContextLength} characters together.`
  })
  return messages.slice(messages.length - count)
}
