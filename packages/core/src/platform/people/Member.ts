/** A person of an account who signs in here. Pure. Source: docs/reference/sign-in.md#members. */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../kernel/index.ts"

/** The roles that a member may have. */
export const memberRoles = ["owner", "admin", "member", "viewer"] as const

export const MemberRole = Schema.Literals(memberRoles)
export type MemberRole = typeof MemberRole.Type

export const memberEntity = Schema.Struct({
  id: Ids.schema<"Member">(),
  tenantId: Ids.schema<"Account">(),
  /** As it was written. */
  email: Schema.String,
  /** By which the member is found: see `emailKey`. */
  emailKey: Schema.String,
  name: Schema.NullOr(Schema.String),
  role: MemberRole,
  status: Schema.Literals(["invited", "active"]),
  /** The digest of the password; null while there is none. */
  password: Schema.NullOr(Schema.String),
  /** Who signs the person in elsewhere, and as whom; null while nobody does. */
  oidcIssuer: Schema.NullOr(Schema.String),
  oidcSubject: Schema.NullOr(Schema.String),
  lastSeenAt: Schema.NullOr(Instant.Iso),
  createdAt: Instant.Iso,
  /** When the member was removed: what they did keeps their name. Null while they belong to the account. */
  removedAt: Schema.NullOr(Instant.Iso)
})

export interface Member extends Schema.Struct.Type<typeof memberEntity.fields> {}

/** A member who has not come yet. */
export const newMember = (
  given: Pick<Member, "id" | "tenantId" | "email" | "name" | "role" | "createdAt">
): Member => ({
  ...given,
  emailKey: emailKey(given.email),
  status: "invited",
  password: null,
  oidcIssuer: null,
  oidcSubject: null,
  lastSeenAt: null,
  removedAt: null
})

/** How a member is shown. */
export const MemberRecord = Entity.recordOf(memberEntity, [
  "id",
  "email",
  "name",
  "role",
  "status",
  "lastSeenAt",
  "createdAt"
])

/** Two emails of one person: case does not count. */
export const emailKey = (email: string): string => email.trim().toLowerCase().normalize("NFC")

export const maxEmailLength = 254

export const emailFault = `Expected an email address of at most ${maxEmailLength} characters`

/** True of what mail can be sent to, as far as its form says. */
export const isEmail = (text: string): boolean => {
  const at = text.indexOf("@")
  return (
    at > 0 && at === text.lastIndexOf("@") && at < text.length - 1 && text.length <= maxEmailLength && !/\s/.test(text)
  )
}

/** Whether a text is a part of the name or the email, whatever its case. */
export const mentions =
  (q: string) =>
  ({ email, name }: Pick<Member, "email" | "name">): boolean =>
    [email, name ?? ""].some((text) => text.toLowerCase().includes(q.toLowerCase()))
