/** What members do with their own sign-in: name, password, sessions. Source: docs/reference/sign-in.md#own. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, actorOf, type Caller, type Principal } from "../accounts/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { lock, Storage, type StorageError } from "../storage/index.ts"
import type { Member } from "./Member.ts"
import { MemberStore } from "./MemberStore.ts"
import { isPassword, passwordDigest } from "./PasswordDigest.ts"
import { InvalidPerson, SessionNeeded, SessionNotFound, type TooManyFailures } from "./PeopleErrors.ts"
import type { Visit } from "./SignIn.ts"
import { lockKeyOf, makeSignInGuard } from "./SignInGuard.ts"
import { ofAddress } from "./SignInLimit.ts"
import { isOver, type SignInSession } from "./SignInSession.ts"
import { SignInSessionStore } from "./SignInSessionStore.ts"
import { teamLock } from "./TeamLock.ts"

/** The session by which somebody asks, and whose it is. */
export interface OwnSession {
  readonly tenantId: Ids.AccountId
  readonly memberId: Ids.MemberId
  readonly sessionId: Ids.SessionId
  readonly caller: Exclude<Caller, { readonly _tag: "Key" }>
}

/** Fails for callers who have not signed in here. */
export const ownSession = ({ caller, tenantId }: Principal): Effect.Effect<OwnSession, SessionNeeded> =>
  caller._tag !== "Key" && caller.signIn._tag === "Session"
    ? Effect.succeed({ tenantId, memberId: Ids.as(caller.subject), sessionId: caller.signIn.id, caller })
    : Effect.fail(new SessionNeeded())

export class OwnSignIn extends Context.Service<
  OwnSignIn,
  {
    /** Gives oneself another name. */
    readonly rename: (own: OwnSession, name: string) => Effect.Effect<Member, SessionNeeded | StorageError>
    /** Sets another password, ends all other sessions, and makes links void. */
    readonly changePassword: (
      own: OwnSession,
      given: { readonly currentPassword: string; readonly password: string },
      visit: Visit
    ) => Effect.Effect<void, InvalidPerson | SessionNeeded | TooManyFailures | StorageError>
    /** One's own sessions that are not over, newest first. */
    readonly sessions: (own: OwnSession, page: Page) => Effect.Effect<Paged<SignInSession>, StorageError>
    readonly endSession: (own: OwnSession, id: Ids.SessionId) => Effect.Effect<void, SessionNotFound | StorageError>
  }
>()("@trunkline/core/platform/people/OwnSignIn") {
  static readonly layer = Layer.effect(
    OwnSignIn,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const storage = yield* Storage
      const members = yield* MemberStore
      const store = yield* SignInSessionStore
      const guard = yield* makeSignInGuard

      /** The member, whom nobody else changes until the transaction ends. */
      const locked = Effect.fnUntraced(function* ({ memberId, tenantId }: OwnSession) {
        yield* lock("people", teamLock(tenantId))
        const member = yield* members.find(tenantId, memberId)
        return member ?? (yield* new SessionNeeded())
      })

      const rename = tracedFn("OwnSignIn.rename")(function* (own: OwnSession, name: string) {
        const member = { ...(yield* locked(own)), name }
        yield* members.save(member)
        yield* accounts.record(own.tenantId, actorOf(own.caller), "member.change", own.memberId)
        return member
      }, storage.transact)

      const changePassword = tracedFn("OwnSignIn.changePassword")(function* (
        own: OwnSession,
        given: { readonly currentPassword: string; readonly password: string },
        visit: Visit
      ) {
        const counts = [ofAddress(visit.client)]
        const before = yield* storage.read(members.find(own.tenantId, own.memberId))
        const isRight = yield* isPassword(
          given.currentPassword,
          before?.password ?? null,
          storage.read(guard.check(counts))
        )
        if (!isRight) {
          const note = Effect.andThen(guard.check(counts), guard.note(counts))
          yield* storage.transact(Effect.andThen(lock("people", ...counts.map(lockKeyOf)), note))
          return yield* wrongPassword()
        }
        const password = yield* passwordDigest(given.password)
        yield* storage.transact(
          Effect.gen(function* () {
            const member = yield* locked(own)
            if (member.password !== before?.password) return yield* wrongPassword()
            yield* members.save({ ...member, password })
            yield* members.removeLinks(member.tenantId, member.id)
            yield* store.removeAll(member.id, own.sessionId)
            yield* accounts.record(
              member.tenantId,
              actorOf(own.caller),
              "member.password",
              member.id,
              member.name ?? member.email
            )
          })
        )
      })

      const sessions = tracedFn("OwnSignIn.sessions")(function* (own: OwnSession, { limit, offset }: Page) {
        const at = yield* Instant.now
        const open = (yield* store.ofMember(own.memberId)).filter((one) => !isOver(one, at))
        return { items: open.slice(offset, offset + limit), total: open.length }
      }, storage.read)

      const endSession = tracedFn("OwnSignIn.endSession")(function* (own: OwnSession, id: Ids.SessionId) {
        if (!(yield* store.remove(own.memberId, id))) return yield* new SessionNotFound({ id })
        yield* accounts.record(own.tenantId, actorOf(own.caller), "session.delete", id)
      }, storage.transact)

      return OwnSignIn.of({ rename, changePassword, sessions, endSession })
    })
  )
}

const wrongPassword = () =>
  new InvalidPerson({ faults: [{ field: "currentPassword", message: "This is not your present password" }] })
