/** Members of an account: who invites, changes, removes and links whom. Source: docs/reference/sign-in.md#members. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccountNotFound, Accounts, type AuditAction, actorOf, operator } from "../accounts/index.ts"
import { Plans } from "../billing/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { lock, Storage, type StorageError } from "../storage/index.ts"
import { AssignedWork } from "./Assignees.ts"
import { emailFault, emailKey, isEmail, type Member, type MemberRole, mentions, newMember } from "./Member.ts"
import { type LinkPurpose, linkDigest, type MemberLink, makeLinkText, type NewLink } from "./MemberLink.ts"
import { type Changer, concernsOwner, hasPlace, losesLastOwner, mayChangeOwners } from "./MemberRules.ts"
import { MemberStore } from "./MemberStore.ts"
import {
  EmailTaken,
  InvalidPerson,
  LastOwner,
  MemberNotFound,
  MembersExist,
  OwnersAlone,
  TeamFull
} from "./PeopleErrors.ts"
import { PeopleSettings } from "./PeopleSettings.ts"
import { SignInSessionStore } from "./SignInSessionStore.ts"
import { teamLock } from "./TeamLock.ts"

export interface NewMember {
  readonly email: string
  readonly role: MemberRole
  readonly name: string | null
}

export type MemberChange = Partial<Pick<Member, "name" | "role">>

/** An invited member, and the link by which they come in. */
export interface Invited extends NewLink {
  readonly member: Member
}

/** A member of an account. */
export interface OfAccount {
  readonly tenantId: Ids.AccountId
  readonly id: Ids.MemberId
}

export class Members extends Context.Service<
  Members,
  {
    /** Newest first; `q` is a part of the name or the email. */
    readonly list: (tenantId: Ids.AccountId, q: string | null, page: Page) => Effect.Effect<Paged<Member>, StorageError>
    /** The member of any account with this email. */
    readonly byEmail: (email: string) => Effect.Effect<Member, MemberNotFound | StorageError>
    /** Exact: of several who are invited at a time as many come in as there are places. */
    readonly invite: (
      tenantId: Ids.AccountId,
      given: NewMember,
      by: Changer
    ) => Effect.Effect<Invited, AccountNotFound | EmailTaken | InvalidPerson | OwnersAlone | TeamFull | StorageError>
    readonly change: (
      of: OfAccount,
      change: MemberChange,
      by: Changer
    ) => Effect.Effect<Member, LastOwner | MemberNotFound | OwnersAlone | StorageError>
    /** Ends their sessions and links, and unassigns what was assigned to them. What they did keeps their name. */
    readonly remove: (
      of: OfAccount,
      by: Changer
    ) => Effect.Effect<void, LastOwner | MemberNotFound | OwnersAlone | StorageError>
    /** A new link of a member, which makes earlier ones void. */
    readonly link: (of: OfAccount, by: Changer) => Effect.Effect<NewLink, MemberNotFound | OwnersAlone | StorageError>
    /** A link that makes the first owner of an account that has no member. */
    readonly ownerLink: (
      tenantId: Ids.AccountId
    ) => Effect.Effect<NewLink, AccountNotFound | MembersExist | StorageError>
    /** A link that makes the first account's owner, while the installation has no active member; null afterwards. */
    readonly firstOwnerLink: Effect.Effect<NewLink | null, StorageError>
  }
>()("@trunkline/core/platform/people/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { unassign } = yield* AssignedWork
      const storage = yield* Storage
      const store = yield* MemberStore
      const sessions = yield* SignInSessionStore
      const { invitationMs, linkMs } = yield* PeopleSettings

      /** The account, whose members nobody else changes until the transaction ends. */
      const locked = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        yield* lock("people", teamLock(tenantId))
        const account = yield* accounts.find(tenantId)
        return account ?? (yield* new AccountNotFound({ id: tenantId }))
      })

      const addLink = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        memberId: Ids.MemberId | null,
        purpose: LinkPurpose
      ) {
        const at = yield* Instant.now
        const text = makeLinkText()
        const link: MemberLink = {
          id: yield* Ids.fresh<"Link">(),
          tenantId,
          memberId,
          purpose,
          digest: linkDigest(text),
          expiresAt: Instant.plus(at, purpose === "invitation" ? invitationMs : linkMs),
          createdAt: at
        }
        yield* store.addLink(link)
        return { link, text } satisfies NewLink
      })

      const record = (by: Changer, action: AuditAction, { email, id, name, tenantId }: Member) =>
        accounts.record(tenantId, by === "operator" ? operator : actorOf(by), action, id, name ?? email)

      const invite = tracedFn("Members.invite")(function* (
        tenantId: Ids.AccountId,
        { email, name, role }: NewMember,
        by: Changer
      ) {
        if (!isEmail(email)) return yield* invalidEmail()
        const account = yield* locked(tenantId)
        if (concernsOwner(null, role) && !mayChangeOwners(by)) return yield* new OwnersAlone()
        const places = Plans.plans[account.plan].teamMembers
        const team = yield* store.ofAccount(tenantId)
        const member = newMember({
          id: yield* Ids.fresh<"Member">(),
          tenantId,
          email,
          name,
          role,
          createdAt: yield* Instant.now
        })
        if ((yield* store.byEmail(member.emailKey)) !== null) return yield* new EmailTaken()
        if (!hasPlace(team.length, places)) return yield* new TeamFull({ places: places ?? team.length })
        // Another account may add the same email at the same time.
        if (!(yield* store.add(member))) return yield* new EmailTaken()
        yield* record(by, "member.create", member)
        return { member, ...(yield* addLink(tenantId, member.id, "invitation")) } satisfies Invited
      }, storage.transact)

      /** A member whom nobody else changes until the transaction ends, with their team. */
      const owned = Effect.fnUntraced(function* ({ id, tenantId }: OfAccount) {
        yield* lock("people", teamLock(tenantId))
        const team = yield* store.ofAccount(tenantId)
        const member = team.find((one) => one.id === id)
        return member === undefined ? yield* new MemberNotFound({ id }) : { member, team }
      })

      const change = tracedFn("Members.change")(function* (of: OfAccount, given: MemberChange, by: Changer) {
        const { member, team } = yield* owned(of)
        if (concernsOwner(member, given.role) && !mayChangeOwners(by)) return yield* new OwnersAlone()
        const next: Member = { ...member, ...given }
        if (losesLastOwner(team, member, next)) return yield* new LastOwner()
        yield* store.save(next)
        yield* record(by, "member.change", next)
        return next
      }, storage.transact)

      const remove = tracedFn("Members.remove")(function* (of: OfAccount, by: Changer) {
        const { member, team } = yield* owned(of)
        if (concernsOwner(member, undefined) && !mayChangeOwners(by)) return yield* new OwnersAlone()
        const next: Member = { ...member, password: null, removedAt: yield* Instant.now }
        if (losesLastOwner(team, member, next)) return yield* new LastOwner()
        yield* store.save(next)
        yield* store.removeLinks(of.tenantId, of.id)
        yield* sessions.removeAll(of.id, null)
        yield* unassign(of.tenantId, of.id)
        yield* record(by, "member.delete", member)
      }, storage.transact)

      const link = tracedFn("Members.link")(function* (of: OfAccount, by: Changer) {
        const { member } = yield* owned(of)
        if (concernsOwner(member, undefined) && !mayChangeOwners(by)) return yield* new OwnersAlone()
        yield* store.removeLinks(of.tenantId, of.id)
        yield* record(by, "member.link", member)
        return yield* addLink(of.tenantId, of.id, member.status === "invited" ? "invitation" : "reset")
      }, storage.transact)

      const ownerLink = tracedFn("Members.ownerLink")(function* (tenantId: Ids.AccountId) {
        yield* locked(tenantId)
        if ((yield* store.ofAccount(tenantId)).length > 0) return yield* new MembersExist()
        yield* accounts.record(tenantId, operator, "member.link", null)
        return yield* addLink(tenantId, null, "setup")
      }, storage.transact)

      const firstOwnerLink = storage.transact(
        Effect.gen(function* () {
          if (yield* store.anyActive) return null
          const tenantId = yield* store.firstAccount
          if (tenantId === null) return null
          yield* accounts.record(tenantId, operator, "member.link", null)
          return yield* addLink(tenantId, null, "setup")
        })
      )

      const list = tracedFn("Members.list")(function* (
        tenantId: Ids.AccountId,
        q: string | null,
        { limit, offset }: Page
      ) {
        const team = yield* store.ofAccount(tenantId)
        const items = q === null ? team : team.filter(mentions(q))
        return { items: items.slice(offset, offset + limit), total: items.length }
      }, storage.read)

      const byEmail = tracedFn("Members.byEmail")(function* (email: string) {
        return (yield* store.byEmail(emailKey(email))) ?? (yield* new MemberNotFound({ id: email }))
      }, storage.read)

      return Members.of({ list, byEmail, invite, change, remove, link, ownerLink, firstOwnerLink })
    })
  )
}

const invalidEmail = () =>
  new InvalidPerson({
    faults: [{ field: "email", message: emailFault }]
  })
