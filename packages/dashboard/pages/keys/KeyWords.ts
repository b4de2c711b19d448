/** What a key may be given, in the words of the API. */
import type { ApiKey } from "@trunkline/client"
import { settings } from "../frame/Settings.ts"

export const permissions = ["llm", "stt", "tts", "image", "search"] as const

/** Everything that keys can have, also what is added later. */
export const everything = "*"

/** The brand's word stands for its channel. */
export const scopes: ReadonlyArray<string> = [
  "campaigns:read",
  "campaigns:write",
  "calls:read",
  "calls:write",
  "contacts:read",
  "contacts:write",
  `${settings.brand.channel}:read`,
  `${settings.brand.channel}:write`,
  `${settings.brand.channel}:send`,
  "webhooks:write",
  "email:read",
  "email:write",
  "usage:read"
]

/** Words with commas or spaces between them. */
export const wordsIn = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter((word) => word !== "")

/** One who chooses a scope does not mean everything any more, and the other way round. */
export const scopesAfter = (chosen: ReadonlyArray<string>, scope: string, isOn: boolean): ReadonlyArray<string> => {
  if (!isOn) return chosen.filter((one) => one !== scope)
  return scope === everything ? [everything] : [...chosen.filter((one) => one !== everything), scope]
}

/** By which people know a key. */
export const nameOf = ({ name, prefix }: Pick<ApiKey, "name" | "prefix">): string => name ?? prefix
