/** Values that stand in the place of `{{name}}` in prompts and sentences. Pure. Source: docs/reference/voice-agent.md#variables. */
import { afterPoints } from "../../platform/kernel/index.ts"

/** Values by their names. */
export type Variables = Readonly<Record<string, string>>

/** The contact of a call, as far as it is known. */
export interface VariableContact {
  readonly name?: string | null
  readonly phone?: string | null
  readonly email?: string | null
  readonly company?: string | null
  readonly custom?: Readonly<Record<string, unknown>>
}

/** A value is cut after this many code points: it is a name or a number, and no text. */
const maxValue = 1000

/** The variables of a session: those of its contact, then those that the session was made with, which win. */
export const variablesOf = (contact: VariableContact | null, session: Variables = {}): Variables => {
  const { company, custom = {}, email, name, phone } = contact ?? {}
  const own = { name, first_name: name?.trim().split(/\s+/)[0], phone, email, company }
  return Object.fromEntries([
    ...Object.entries(own).map(([key, value]) => [key, value ?? ""]),
    ...Object.entries(custom).map(([key, value]) => [`custom.${key}`, textOf(value)]),
    ...Object.entries(session)
  ])
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** A name between two braces, with blanks around it. */
const placeholder = /\{\{([^{}]{1,200})\}\}/g

const filled = (template: string, shown: (name: string) => string): string => {
  // A prompt may have a name many times, and its value may be long.
  const values = new Map<string, string>()
  return template.replace(placeholder, (_, between: string) => {
    const name = between.trim()
    const value = values.get(name) ?? shown(name)
    values.set(name, value)
    return value
  })
}

/** A sentence with the values in it. A name that is not known is empty; a value is never looked at for names. */
export const filledSentence = (template: string, variables: Variables): string =>
  filled(template, (name) => valueOf(name, variables)).trim()

/** Stand around a value in a prompt. No value has them itself. */
export const [opening, closing] = ["⟦", "⟧"] as const

/** A prompt with the values in it, each on one line and between marks, so that it cannot pass for an instruction. */
export const filledPrompt = (template: string, variables: Variables): string =>
  filled(template, (name) => {
    const value = valueOf(name, variables)
    return value === "" ? "" : `${opening}${value}${closing}`
  })

const valueOf = (name: string, variables: Variables): string => {
  const value = Object.hasOwn(variables, name) ? variables[name]! : ""
  const line = value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(opening, "")
    .replaceAll(closing, "")
    .trim()
  return line.slice(0, afterPoints(line, 0, maxValue))
}
