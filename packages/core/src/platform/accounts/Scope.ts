/** What a key may do. Symbolic here; the brand's channel word is put in where scopes are shown or read. Pure. */
import * as Schema from "effect/Schema"

/** `channel:` stands for the brand's word for its messaging channel. */
export const scopes = [
  "campaigns:read",
  "campaigns:write",
  "calls:read",
  "calls:write",
  "contacts:read",
  "contacts:write",
  "channel:read",
  "channel:write",
  "channel:send",
  "webhooks:write",
  "email:read",
  "email:write",
  "usage:read"
] as const

export type Scope = (typeof scopes)[number]
/** `*` grants every scope, those that are added later too. */
export type Grant = Scope | "*"

export const Grant = Schema.Literals([...scopes, "*"])

export const permissions = ["llm", "stt", "tts", "image", "search"] as const
export type Permission = (typeof permissions)[number]

/** No scope implies another, but `*` every one, and a write key of the email routes may read. Source: docs/reference/access.md#scopes. */
export const grants = (granted: ReadonlyArray<Grant>, wanted: Scope): boolean =>
  granted.includes("*") || granted.includes(wanted) || (wanted === "email:read" && granted.includes("email:write"))

/** The scope under the brand's own channel word. */
export const render = (scope: Grant, channel: string): string => scope.replace(/^channel:/, `${channel}:`)

/** Reads a scope under the brand's own channel word; undefined when there is no such scope. */
export const parse = (text: string, channel: string): Grant | undefined =>
  ([...scopes, "*"] as ReadonlyArray<Grant>).find((scope) => render(scope, channel) === text)
