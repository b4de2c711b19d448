/** How people sign in with a password or a link, and out again. Source: docs/reference/sign-in.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Account, AccountNotFound, Accounts, actorOf, type Caller, type Principal } from "../accounts/index.ts"
import { Plans } from "../billing/index.ts"
import { Instant, sha256Hex, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { lock, Storage, type StorageError } from "../storage/index.ts"
import { asIssued, type IssuedMember, memberOf } from "./IssuedMember.ts"
import { emailFault, emailKey, isEmail, type Member, type MemberRole, newMember } from "./Member.ts"
import { isUsable, type LinkPurpose, linkDigest, type MemberLink } from "./MemberLink.ts"
import { hasPlace } from "./MemberRules.ts"
import { MemberStore } from "./MemberStore.ts"
import { isPassword, passwordDigest } from "./PasswordDigest.ts"
import {
  EmailTaken,
  InvalidPerson,
  LinkNotFound,
  SignInRefused,
  TeamFull,
  type TooManyFailures
} from "./PeopleErrors.ts"
import { PeopleSettings } from "./PeopleSettings.ts"
import { makeCookieValue } from "./SessionCookie.ts"
import { lockKeyOf, makeSignInGuard } from "./SignInGuard.ts"
import { ofAddress, ofEmail } from "./SignInLimit.ts"
import { endOf, isOver, keptUserAgent, type SignInSession } from "./SignInSession.ts"
import { SignInSessionStore } from "./SignInSessionStore.ts"
import { teamLock } from "./TeamLock.ts"

/** Where somebody comes from. */
export interface Visit {
  /** What counts as one client: see docs/reference/http-conventions.md#ip-limit. */
  readonly client: string
  /** Null where nobody knows it. */
  readonly address: string | null
  readonly userAgent: string | undefined
}

/** Somebody who has signed in. */
export interface SignedIn {
  readonly principal: Principal
  /** The value of the session's cookie, which is known this once. */
  readonly cookie: string
}

/** What a link is for. What nobody knows yet is null. */
export interface OpenedLink {
  readonly purpose: LinkPurpose
  readonly email: string | null
  readonly name: string | null
  readonly role: MemberRole
  readonly accountName: string
  readonly expiresAt: Instant.Instant
}

export interface AcceptedLink {
  readonly token: string
  readonly password: string
  readonly name: string | null
  /** Of the first owner; all others have theirs. */
  readonly email: string | null
}

/** A member of a session, as requests are made by. */
export const callerOf = (
  { email, id: subject, name, role }: Pick<Member, "email" | "id" | "name" | "role">,
  { expiresAt, id }: Pick<SignInSession, "expiresAt" | "id">
): Caller => ({ _tag: "User", subject, name, role, signIn: { _tag: "Session", id, email, expiresAt } })

const memberActor = ({ id, name }: Pick<Member, "id" | "name">) => ({ id: `user:${id}`, name })

export class SignIn extends Context.Service<
  SignIn,
  {
    /** Nobody learns from the answer or its time whether there is such a member. */
    readonly signIn: (
      given: { readonly email: string; readonly password: string },
      visit: Visit
    ) => Effect.Effect<SignedIn, SignInRefused | TooManyFailures | StorageError>
    /** What a link is for, which uses nothing up. */
    readonly open: (
      text: string,
      visit: Visit
    ) => Effect.Effect<OpenedLink, LinkNotFound | TooManyFailures | StorageError>
    /** Sets the password, ends all sessions of the member, and signs in. Of several at a time one succeeds. */
    readonly accept: (
      given: AcceptedLink,
      visit: Visit
    ) => Effect.Effect<SignedIn, EmailTaken | InvalidPerson | LinkNotFound | TooManyFailures | StorageError>
    /** Signs in whom an issuer knows, as a member that it makes where there is none. Of several at a time as many come in as there are places. */
    readonly enter: (
      given: IssuedMember & { readonly account: Ids.AccountId | null },
      visit: Visit
    ) => Effect.Effect<SignedIn, AccountNotFound | EmailTaken | InvalidPerson | TeamFull | StorageError>
    /** Ends the session of a cookie, where it has one. */
    readonly signOut: (cookie: string) => Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/platform/people/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const storage = yield* Storage
      const members = yield* MemberStore
      const sessions = yield* SignInSessionStore
      const guard = yield* makeSignInGuard
      const settings = yield* PeopleSettings

      /** Begins a session, in the transaction that has found out who it is. */
      const beginSession = Effect.fnUntraced(function* (member: Member, visit: Visit) {
        const at = yield* Instant.now
        const cookie = makeCookieValue()
        const session: SignInSession = {
          id: yield* Ids.fresh<"Session">(),
          tenantId: member.tenantId,
          memberId: member.id,
          digest: sha256Hex(cookie),
          createdAt: at,
          lastUsedAt: at,
          expiresAt: endOf(at, at, settings),
          userAgent: keptUserAgent(visit.userAgent),
          address: visit.address
        }
        yield* sessions.add(session)
        yield* accounts.record(member.tenantId, memberActor(member), "session.create", session.id)
        const account = yield* accounts.find(member.tenantId)
        if (account === null) return yield* Effect.die(new Error("the account of a member does not exist"))
        const principal = { tenantId: account.id, account, caller: callerOf(member, session) }
        return { principal, cookie } satisfies SignedIn
      })

      const signIn = tracedFn("SignIn.signIn")(function* (
        { email, password }: { readonly email: string; readonly password: string },
        visit: Visit
      ) {
        const key = emailKey(email)
        const [mine, others] = [ofEmail(key), ofAddress(visit.client)]
        const counts = [mine, others]
        const found = yield* storage.read(members.byEmail(key))
        const isRight = yield* isPassword(password, found?.password ?? null, storage.read(guard.check(counts)))
        const signedIn = yield* storage.transact(
          Effect.gen(function* () {
            const team = isRight && found !== null ? [teamLock(found.tenantId)] : []
            yield* lock("people", ...counts.map(lockKeyOf), ...team)
            // Others who have tried at the same time may have used the failures up.
            yield* guard.check(counts)
            const member = isRight && found !== null ? yield* members.find(found.tenantId, found.id) : null
            if (member === null || member.password !== found?.password) {
              yield* guard.note(counts)
              return null
            }
            yield* guard.forget(mine)
            const seen: Member = { ...member, lastSeenAt: yield* Instant.now }
            yield* members.save(seen)
            return yield* beginSession(seen, visit)
          })
        )
        return signedIn ?? (yield* new SignInRefused())
      })

      /** The link with this text as long as it opens something, with its member. */
      const usable = Effect.fnUntraced(function* (text: string) {
        const link = yield* members.linkByDigest(linkDigest(text))
        if (link === null) return null
        const team = yield* members.ofAccount(link.tenantId)
        const activeMembers = team.filter(({ status }) => status === "active").length
        if (!isUsable(link, { activeMembers, at: yield* Instant.now })) return null
        const member = team.find(({ id }) => id === link.memberId) ?? null
        return member === null && link.memberId !== null ? null : { link, member }
      })

      /** The usable link with this text, or a failure, which is counted. */
      const found = Effect.fnUntraced(function* (text: string, visit: Visit) {
        const counts = [ofAddress(visit.client)]
        const known = yield* storage.read(Effect.andThen(guard.check(counts), usable(text)))
        if (known !== null) return known
        yield* storage.transact(Effect.andThen(lock("people", ...counts.map(lockKeyOf)), guard.note(counts)))
        return yield* new LinkNotFound()
      })

      const open = tracedFn("SignIn.open")(function* (text: string, visit: Visit) {
        const { link, member } = yield* found(text, visit)
        const account = yield* storage.read(accounts.find(link.tenantId))
        return {
          purpose: link.purpose,
          email: member?.email ?? null,
          name: member?.name ?? null,
          role: member?.role ?? "owner",
          accountName: account?.name ?? "",
          expiresAt: link.expiresAt
        } satisfies OpenedLink
      })

      /** The account's first owner, whom a link of the server's start makes. */
      const firstOwner = Effect.fnUntraced(function* (
        { tenantId }: MemberLink,
        { email, name }: Pick<AcceptedLink, "name"> & { readonly email: string },
        password: string
      ) {
        const at = yield* Instant.now
        const owner: Member = {
          ...newMember({ id: yield* Ids.fresh<"Member">(), tenantId, email, name, role: "owner", createdAt: at }),
          status: "active",
          password,
          lastSeenAt: at
        }
        if (!(yield* members.add(owner))) return yield* new EmailTaken()
        yield* members.removeLinks(tenantId, null)
        yield* accounts.record(tenantId, memberActor(owner), "member.create", owner.id, name ?? email)
        return owner
      })

      /** The link's member with a new password. */
      const entered = Effect.fnUntraced(function* (before: Member, name: string | null, password: string) {
        const member: Member = {
          ...before,
          name: name ?? before.name,
          password,
          status: "active",
          lastSeenAt: yield* Instant.now
        }
        yield* members.save(member)
        yield* members.removeLinks(member.tenantId, member.id)
        yield* sessions.removeAll(member.id, null)
        yield* guard.forget(ofEmail(member.emailKey))
        return member
      })

      const accept = tracedFn("SignIn.accept")(function* (given: AcceptedLink, visit: Visit) {
        const known = yield* found(given.token, visit)
        const email = known.member?.email ?? given.email?.trim() ?? null
        if (email === null) return yield* invalidEmail("Field required")
        if (!isEmail(email)) {
          return yield* invalidEmail(emailFault)
        }
        const password = yield* passwordDigest(given.password)
        const signedIn = yield* storage.transact(
          Effect.gen(function* () {
            yield* lock("people", lockKeyOf(ofEmail(emailKey(email))), teamLock(known.link.tenantId))
            const now = yield* usable(given.token)
            if (now === null || !(yield* members.takeLink(now.link.id))) return null
            const member =
              now.member === null
                ? yield* firstOwner(now.link, { email, name: given.name }, password)
                : yield* entered(now.member, given.name, password)
            yield* accounts.record(
              member.tenantId,
              memberActor(member),
              "member.password",
              member.id,
              member.name ?? member.email
            )
            return yield* beginSession(member, visit)
          })
        )
        return signedIn ?? (yield* new LinkNotFound())
      })

      /** The member, in the lock of the team: as the issuer says from now on, or a new one where there is a place. */
      const issued = Effect.fnUntraced(function* (account: Account, given: IssuedMember) {
        const team = yield* members.ofAccount(account.id)
        const at = yield* Instant.now
        const before = memberOf(team, given)
        if (before !== null) {
          const member = { ...asIssued(team, before, given), lastSeenAt: at }
          yield* members.save(member)
          if (before.status === "invited") yield* members.removeLinks(account.id, member.id)
          if (member.role !== before.role)
            yield* accounts.record(account.id, memberActor(member), "member.change", member.id)
          return member
        }
        const places = Plans.plans[account.plan].teamMembers
        if (!hasPlace(team.length, places)) return yield* new TeamFull({ places: places ?? team.length })
        const { email, issuer, name, role, subject } = given
        const member: Member = {
          ...newMember({ id: yield* Ids.fresh<"Member">(), tenantId: account.id, email, name, role, createdAt: at }),
          status: "active",
          oidcIssuer: issuer,
          oidcSubject: subject,
          lastSeenAt: at
        }
        if (!(yield* members.add(member))) return yield* new EmailTaken()
        yield* accounts.record(account.id, memberActor(member), "member.create", member.id)
        return member
      })

      const enter = tracedFn("SignIn.enter")(function* (
        given: IssuedMember & { readonly account: Ids.AccountId | null },
        visit: Visit
      ) {
        if (!isEmail(given.email)) return yield* invalidEmail(emailFault)
        const tenantId = given.account ?? (yield* members.firstAccount)
        if (tenantId === null) return yield* new AccountNotFound({ id: "the first one" })
        yield* lock("people", teamLock(tenantId))
        const account = yield* accounts.find(tenantId)
        if (account === null) return yield* new AccountNotFound({ id: tenantId })
        return yield* beginSession(yield* issued(account, given), visit)
      }, storage.transact)

      const signOut = tracedFn("SignIn.signOut")(function* (cookie: string) {
        const session = yield* sessions.byDigest(sha256Hex(cookie))
        if (session === null || isOver(session, yield* Instant.now)) return
        if (!(yield* sessions.remove(session.memberId, session.id))) return
        const caller = callerOf({ ...session, id: session.memberId }, session)
        yield* accounts.record(session.tenantId, actorOf(caller), "session.delete", session.id)
      }, storage.transact)

      return SignIn.of({ signIn, open, accept, enter, signOut })
    })
  )
}

const invalidEmail = (message: string) => new InvalidPerson({ faults: [{ field: "email", message }] })
