/** Which member an issuer of the installation speaks of, and what its word changes. Pure. Source: docs/reference/sign-in.md#oidc. */
import { emailKey, type Member, type MemberRole } from "./Member.ts"
import { losesLastOwner } from "./MemberRules.ts"

/** A person by the word of an issuer. */
export interface IssuedMember {
  readonly issuer: string
  /** By which the issuer knows the person, whatever their email becomes. */
  readonly subject: string
  readonly email: string
  readonly isEmailVerified: boolean
  readonly name: string | null
  readonly role: MemberRole
}

/** The member who came in as this person before, else the one with the email, where the issuer has verified it; null without one. */
export const memberOf = (team: ReadonlyArray<Member>, given: IssuedMember): Member | null => {
  const key = emailKey(given.email)
  return (
    team.find(({ oidcIssuer, oidcSubject }) => oidcIssuer === given.issuer && oidcSubject === given.subject) ??
    (given.isEmailVerified ? team.find((member) => member.emailKey === key) : undefined) ??
    null
  )
}

/** The member from now on. The last active owner stays one, whatever the issuer says. */
export const asIssued = (team: ReadonlyArray<Member>, before: Member, given: IssuedMember): Member => {
  const known: Member = {
    ...before,
    name: before.name ?? given.name,
    status: "active",
    oidcIssuer: given.issuer,
    oidcSubject: given.subject
  }
  const changed: Member = { ...known, role: given.role }
  return losesLastOwner(team, before, changed) ? known : changed
}
