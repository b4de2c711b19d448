/** What an issuer says of a person, as far as it is believed, and the role that it gives. Pure. Source: docs/reference/sign-in.md#oidc. */
import { type MemberRole, memberRoles } from "../people/index.ts"

export type Claims = Readonly<Record<string, unknown>>

/** A person by the word of the issuer. */
export interface IssuedPerson {
  readonly subject: string
  readonly email: string
  /** The issuer says that the address is theirs. */
  readonly isEmailVerified: boolean
  readonly name: string | null
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null

const maxNameLength = 255

/** Null where the issuer does not say who somebody is. */
export const issuedPerson = (claims: Claims): IssuedPerson | null => {
  const subject = textOf(claims.sub)
  const email = textOf(claims.email)
  if (subject === null || email === null) return null
  const name = textOf(claims.name)
  return {
    subject,
    email,
    // Some issuers write it as a text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === "true",
    name: name === null ? null : [...name].slice(0, maxNameLength).join("")
  }
}

/** One text, several with blanks between, or a list. */
const wordsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value, ...value.split(/\s+/)]
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : []
}

/** The strongest of the roles that the values of the claim are given; null for a person who has none. */
export const issuedRole = (
  claims: Claims,
  { claim, roles }: { readonly claim: string; readonly roles: Readonly<Record<string, MemberRole>> }
): MemberRole | null => {
  const given = new Set(wordsOf(claims[claim]).flatMap((word) => (Object.hasOwn(roles, word) ? [roles[word]] : [])))
  return memberRoles.find((role) => given.has(role)) ?? null
}
