/** Reads JSON whose form is not known. Null stands for an absent field. Pure. */
import { exactForeignJson, isObject } from "../../platform/kernel/index.ts"
import type { Json } from "./translate/Translation.ts"

/** The fields that are there: without those that are null or undefined. */
export const present = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

/** The fields of an object that are there; null for anything else. */
export const objectOf = (value: unknown): Json | null => (isObject(value) ? present(value) : null)

export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A text that is not empty. */
export const filledTextOf = (value: unknown): string | null => (value === "" ? null : textOf(value))

export const listOf = (value: unknown): ReadonlyArray<unknown> | null => (Array.isArray(value) ? value : null)

/** A JSON object from its text, where a blank text is an empty object; null for anything else. */
export const parseObject = (text: string): Json | null => {
  if (text.trim() === "") return {}
  const value = exactForeignJson(text)
  return isObject(value) ? value : null
}
