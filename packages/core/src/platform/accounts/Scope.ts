/** What callers may do. Symbolic here; the brand's channel word is put in where scopes are shown or read. Pure. Source: docs/reference/access.md#scopes. */
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

/** Scopes that people alone can have: no key has them, `*` included. */
export const peopleScopes = ["keys:manage", "members:manage", "audit:read"] as const

export type Scope = (typeof scopes)[number] | (typeof peopleScopes)[number]

/** What a key has been given. `*` grants every scope that keys can have, those that are added later too. */
export type Grant = (typeof scopes)[number] | "*"

export const Grant = Schema.Literals([...scopes, "*"])

/** What a person has been given. `*` grants every scope. */
export type PersonGrant = Scope | "*"

export const permissions = ["llm", "stt", "tts", "image", "search"] as const
export type Permission = (typeof permissions)[number]

const allScopes: ReadonlyArray<Scope> = [...scopes, ...peopleScopes]

const ofPeople: ReadonlySet<Scope> = new Set(peopleScopes)

/** True of a scope that no key can have. */
export const isOfPeople = (scope: Scope): boolean => ofPeople.has(scope)

/** No scope implies another, but `*` every one, and a write key of the email routes may read. */
const grants = (granted: ReadonlyArray<PersonGrant>, wanted: Scope): boolean =>
  granted.includes("*") || granted.includes(wanted) || (wanted === "email:read" && granted.includes("email:write"))

/** Whether a key with these scopes may do it. */
export const grantsKey = (granted: ReadonlyArray<Grant>, wanted: Scope): boolean =>
  !isOfPeople(wanted) && grants(granted, wanted)

/** Whether a person with these scopes may do it. */
export const grantsPerson = grants

/** The scope under the brand's own channel word. */
export const render = (scope: PersonGrant, channel: string): string => scope.replace(/^channel:/, `${channel}:`)

const reader = (channel: string, known: ReadonlyArray<PersonGrant>) => (text: string) =>
  known.find((scope) => render(scope, channel) === text)

/** Reads a scope of a key under the brand's own channel word; undefined where keys have no such scope. */
export const parse = (text: string, channel: string): Grant | undefined =>
  reader(channel, [...scopes, "*"])(text) as Grant | undefined

/** Reads a scope of a person under the brand's own channel word; undefined where there is none. */
export const parseOfPerson = (text: string, channel: string): PersonGrant | undefined =>
  reader(channel, [...allScopes, "*"])(text)

/** Those of all scopes that `may` allows. */
export const allowed = (may: (scope: Scope) => boolean): ReadonlyArray<Scope> => allScopes.filter(may)
