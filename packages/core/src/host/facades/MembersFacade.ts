/** People of an account who sign in with a password, as an operator manages them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "../../platform/http/Fields.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import {
  MemberRecord,
  type MemberRole,
  Members,
  maxEmailLength,
  memberRoles,
  type NewLink
} from "../../platform/people/index.ts"
import { accountId, anyAccountId, argument, operatorPages, record } from "../Arguments.ts"
import type { Method, PageOptions } from "../Facade.ts"

const email = argument("email", Fields.text(1, maxEmailLength))

const newMember = Schema.Struct({
  email: Fields.text(1, maxEmailLength),
  role: Schema.optionalKey(Schema.Literals(memberRoles)),
  name: Schema.optionalKey(Fields.name(255))
})

const memberChange = Schema.Struct({
  role: Schema.optionalKey(Schema.Literals(memberRoles)),
  name: Schema.optionalKey(Fields.name(255))
})

/** A member as they are shown. */
export interface MemberShown {
  /** A UUID. */
  readonly id: string
  /** As it was written. */
  readonly email: string
  /** Null where nobody has said it. */
  readonly name: string | null
  /** What the member may do: docs/reference/access.md#roles. */
  readonly role: MemberRole
  /** `invited` until they have set a password. */
  readonly status: "invited" | "active"
  /** When they made their latest request, to a minute; null for somebody who has not come yet. */
  readonly lastSeenAt: Instant.Instant | null
  /** When they were invited, in milliseconds of UTC. */
  readonly createdAt: Instant.Instant
}

/** What follows `/dashboard/#link=` at the mount point. It is shown this once. */
export interface LinkText {
  /** `setup` makes the first owner, `invitation` lets a new member in, `reset` sets another password. */
  readonly purpose: "setup" | "invitation" | "reset"
  /** `lnk_` and 40 letters and digits. */
  readonly token: string
  /** From then on the link does not work. */
  readonly expiresAt: Date
}

/** People who sign in here with a password. Source: docs/reference/sign-in.md#members. */
export interface MembersFacade {
  /** Invites a member, who is a `member` unless it is said, and answers the link by which they set a password. */
  readonly createMember: (
    accountId: string,
    member: { readonly email: string; readonly role?: MemberRole; readonly name?: string }
  ) => Promise<MemberShown & { readonly link: LinkText }>
  /** All members of an account, those who are invited too, newest first. `limit` is 100 by default. */
  readonly listMembers: (accountId: string, page?: PageOptions) => Promise<ReadonlyArray<MemberShown>>
  /** Changes the member with this email. Throws `member_not_found`, and `last_owner` for the last active owner. */
  readonly changeMember: (
    email: string,
    change: { readonly role?: MemberRole; readonly name?: string }
  ) => Promise<MemberShown>
  /** Removes the member with this email, and ends their sessions and links. */
  readonly removeMember: (email: string) => Promise<void>
  /** Makes a new link of the member with this email; earlier ones are void. */
  readonly createMemberLink: (email: string) => Promise<LinkText>
  /** Makes a link that makes the first owner of an account that has no member. Throws `members_exist`. */
  readonly createOwnerLink: (accountId: string) => Promise<LinkText>
}

const linkText = ({ link, text }: NewLink): LinkText => ({
  purpose: link.purpose,
  token: text,
  expiresAt: new Date(link.expiresAt)
})

const found = (given: string) =>
  Effect.map(
    Members.use((members) => members.byEmail(given)),
    ({ id, tenantId }) => ({ id, tenantId })
  )

export const membersFacade = (method: Method): MembersFacade => ({
  createMember: method([accountId, record("member", newMember)], (id, { email: given, name = null, role = "member" }) =>
    Effect.map(
      Members.use((members) => members.invite(id, { email: given, name, role }, "operator")),
      (invited) => ({ ...MemberRecord.shown(invited.member), link: linkText(invited) })
    )
  ),
  listMembers: method([anyAccountId, operatorPages], (id, page) =>
    Effect.map(
      Members.use((members) => members.list(id, null, page)),
      ({ items }) => items.map(MemberRecord.shown)
    )
  ),
  changeMember: method([email, record("change", memberChange)], (given, change) =>
    Effect.flatMap(found(given), (of) =>
      Effect.map(
        Members.use((members) => members.change(of, change, "operator")),
        MemberRecord.shown
      )
    )
  ),
  removeMember: method([email], (given) =>
    Effect.flatMap(found(given), (of) => Members.use((members) => members.remove(of, "operator")))
  ),
  createMemberLink: method([email], (given) =>
    Effect.flatMap(found(given), (of) =>
      Effect.map(
        Members.use((members) => members.link(of, "operator")),
        linkText
      )
    )
  ),
  createOwnerLink: method([accountId], (id) =>
    Effect.map(
      Members.use((members) => members.ownerLink(id)),
      linkText
    )
  )
})
