/** What a person may do by role, and how the words that hosts write for it are read. Pure. Source: docs/reference/access.md#roles. */
import { peopleScopes, type Scope, scopes } from "./Scope.ts"

export type Role = "owner" | "admin" | "member" | "viewer" | "read_only" | (string & {})

/** The roles that mean something here. Any other word may do what a member does. */
export const roles = ["owner", "admin", "member", "viewer", "read_only"] as const

/** What people who run the account may do, and no other role. */
const managing: ReadonlyArray<Scope> = ["webhooks:write", "usage:read", ...peopleScopes]

const reading = scopes.filter((scope) => scope.endsWith(":read") && !managing.includes(scope))
const working = scopes.filter((scope) => !managing.includes(scope))
const everything: ReadonlyArray<Scope> = [...working, ...managing]

const setOf = (granted: ReadonlyArray<Scope>): ReadonlySet<Scope> => new Set(granted)

const ofMembers = setOf(working)

/** The scopes of each role. */
const table: ReadonlyMap<Role, ReadonlySet<Scope>> = new Map([
  ["owner", setOf(everything)],
  ["admin", setOf(everything)],
  ["member", ofMembers],
  ["viewer", setOf(reading)],
  ["read_only", setOf(reading)]
])

/** Whether a role may do it. */
export const roleGrants = (role: Role, scope: Scope): boolean => (table.get(role) ?? ofMembers).has(scope)

/** True of what only people who run the account may do. */
export const isManaging = (scope: Scope): boolean => managing.includes(scope)

/** Words of the host's own, as `roleWord` writes them, with the roles that they mean. */
export type RoleWords = ReadonlyMap<string, Role>

/** Identity providers send capitals, and hosts blanks: neither counts. */
export const roleWord = (text: string): string => text.trim().toLowerCase()

/**
 * The role that a claim names. Without a claim it is a member's, and a list of one text is that text. Whatever else cannot be read as
 * a role may only read: its host meant something, and nobody knows what.
 */
export const roleOf = (claim: unknown, words: RoleWords = new Map()): Role => {
  if (claim === undefined) return "member"
  const named: unknown = Array.isArray(claim) && claim.length === 1 ? claim[0] : claim
  const word = typeof named === "string" ? roleWord(named) : ""
  return word === "" ? "read_only" : (words.get(word) ?? word)
}
