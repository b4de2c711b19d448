/** What a person may do by role, and how the words that hosts write for it are read. Pure. Source: docs/reference/access.md#roles. */
export type Role = "owner" | "admin" | "member" | "viewer" | "read_only" | (string & {})

/** The roles that mean something here. Any other word reads and writes, as a member does. */
export const roles = ["owner", "admin", "member", "viewer", "read_only"] as const

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
