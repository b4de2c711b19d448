/**
 * An agent as the fields of its form: which settings have a field, what is sent of what has been changed, and what becomes of it when
 * somebody else saves the same agent. Pure.
 */
import type { Bot, BotChange } from "@trunkline/client"

/** Settings with a field of their own, and where they stand in `config`. All others are one text of JSON. */
const settings = {
  model: ["model"],
  temperature: ["temperature"],
  greeting: ["greeting"],
  language: ["language"],
  first_speaker: ["first_speaker"],
  tts_model: ["tts_model"],
  voice: ["voice"],
  stt_model: ["stt_model"],
  silence_ms: ["turn", "silence_ms"],
  nudge_max: ["nudge_max"],
  max_duration_seconds: ["max_duration_seconds"],
  barge_in: ["turn", "barge_in"],
  record_calls: ["record_calls"]
} as const satisfies Readonly<Record<string, readonly [string] | readonly [string, string]>>

type Setting = keyof typeof settings

export type AgentField = "name" | "system_prompt" | Setting | "more"

export type AgentValues = Readonly<Record<AgentField, string>>

const settingNames = Object.keys(settings) as ReadonlyArray<Setting>

export const agentFields: ReadonlyArray<AgentField> = ["name", "system_prompt", ...settingNames, "more"]

const numbers: ReadonlySet<string> = new Set(["temperature", "silence_ms", "nudge_max", "max_duration_seconds"])

/** Flags, by what they are where nothing is said. */
const flags: Readonly<Record<string, boolean>> = { barge_in: true, record_calls: false }

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const read = (config: Json, [first, second]: ReadonlyArray<string>): unknown => {
  const value = config[first as string]
  return second === undefined ? value : isObject(value) ? value[second] : undefined
}

/** The settings with another value at a place; undefined takes it out, and what is empty by that. */
const written = (config: Json, [first, second]: ReadonlyArray<string>, value: unknown): Json => {
  const name = first as string
  if (second === undefined) {
    const { [name]: _, ...others } = config
    return value === undefined ? others : { ...config, [name]: value }
  }
  const before = config[name]
  // What stands there is no object: it is nobody's to replace, and the server says what is wrong with it.
  if (before !== undefined && !isObject(before)) return config
  const inner = written(before ?? {}, [second], value)
  return written(config, [name], Object.keys(inner).length === 0 ? undefined : inner)
}

const textOf = (name: Setting, value: unknown): string => {
  if (name in flags) return (typeof value === "boolean" ? value : flags[name]) === true ? "yes" : ""
  if (value === undefined || value === null) return name === "first_speaker" ? "agent" : ""
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** What has no field of its own. */
const othersOf = (config: Json): Json =>
  settingNames.reduce((rest, name) => written(rest, settings[name], undefined), config)

export const agentValues = (agent: Pick<Bot, "name" | "system_prompt" | "config"> | null): AgentValues => {
  const config = agent?.config ?? {}
  const others = othersOf(config)
  return {
    name: agent?.name ?? "",
    system_prompt: agent?.system_prompt ?? "",
    ...(Object.fromEntries(settingNames.map((name) => [name, textOf(name, read(config, settings[name]))])) as Record<
      Setting,
      string
    >),
    more: Object.keys(others).length === 0 ? "" : JSON.stringify(others, null, 2)
  }
}

const valueOf = (name: Setting, text: string): unknown => {
  if (name in flags) return text === "yes"
  const trimmed = text.trim()
  if (trimmed === "") return undefined
  // What is no number goes to the server as it is, which says what is wrong with it.
  return numbers.has(name) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}

/** The settings of the field "Other settings"; null where the text is no JSON object. */
export const moreSettings = (text: string): Json | null => {
  if (text.trim() === "") return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** Names of settings in the text of the others that have a field of their own. */
export const misplaced = (others: Json): ReadonlyArray<string> =>
  settingNames.filter((name) => read(others, settings[name]) !== undefined)

/**
 * What is sent: only what has been changed. `config` is replaced as a whole by the server, so that it has all that is stored, `stored`,
 * with the changes.
 */
export const agentChange = (stored: Json, before: AgentValues, values: AgentValues): BotChange => {
  const changed = (name: AgentField): boolean => values[name] !== before[name]
  const touched = settingNames.filter(changed)
  const kept = settingNames.reduce((config, name) => {
    const value = read(stored, settings[name])
    return value === undefined ? config : written(config, settings[name], value)
  }, moreSettings(values.more) ?? {})
  const config = touched.reduce(
    (present, name) => written(present, settings[name], valueOf(name, values[name])),
    changed("more") ? kept : stored
  )
  return {
    ...(changed("name") ? { name: values.name.trim() } : {}),
    ...(changed("system_prompt")
      ? { system_prompt: values.system_prompt.trim() === "" ? null : values.system_prompt }
      : {}),
    ...(touched.length > 0 || changed("more") ? { config } : {})
  }
}

/** The field of a fault that the server names by its path, and what to say of it: `config.turn.silence_ms`. */
export const fieldOfFault = (
  path: ReadonlyArray<string | number>
): { readonly field: AgentField; readonly at: string } | null => {
  const [first, ...inner] = path.filter((part) => part !== "body").map(String)
  if (first === "name" || first === "system_prompt") return { field: first, at: "" }
  if (first !== "config") return null
  const field = settingNames.find((name) => settings[name].every((part, nth) => inner[nth] === part))
  return field === undefined ? { field: "more", at: inner.join(".") } : { field, at: "" }
}

export interface Rebased {
  /** Fields that somebody else has changed, and nobody here: theirs hold. */
  readonly adopted: ReadonlyArray<AgentField>
  /** Fields that both have changed: what is typed here stays, and theirs is shown. */
  readonly contested: ReadonlyArray<AgentField>
}

/** What somebody else's change means for what is typed here. `before` is what both began with. */
export const rebased = (before: AgentValues, mine: AgentValues, theirs: AgentValues): Rebased => {
  const theirChanges = agentFields.filter((name) => theirs[name] !== before[name] && theirs[name] !== mine[name])
  return {
    adopted: theirChanges.filter((name) => mine[name] === before[name]),
    contested: theirChanges.filter((name) => mine[name] !== before[name])
  }
}

/** The lines of a text that differ from another one, between those that both begin and end with. */
export const differingLines = (theirs: string, mine: string): string => {
  const [lines, others] = [theirs.split("\n"), mine.split("\n")]
  const shorter = Math.min(lines.length, others.length)
  let first = 0
  while (first < shorter && lines[first] === others[first]) first += 1
  let last = 0
  while (last < shorter - first && lines.at(-1 - last) === others.at(-1 - last)) last += 1
  const shown = lines.slice(first, lines.length - last)
  return [...(first > 0 ? ["…"] : []), ...shown, ...(last > 0 ? ["…"] : [])].join("\n")
}

/** Whether an agent answers: `draft` is one without a prompt. */
export const agentStatus = ({ is_active, system_prompt }: Pick<Bot, "is_active" | "system_prompt">): string =>
  !is_active ? "off" : (system_prompt ?? "").trim() === "" ? "draft" : "active"
