/** Implements the port of platform/accounts: whose session a request's cookie is. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AddressedRequest, type HostPerson, isSecure, SignedInSessions } from "../accounts/index.ts"
import { Ids, Instant, sha256Hex } from "../kernel/index.ts"
import { Storage } from "../storage/index.ts"
import { MemberStore } from "./MemberStore.ts"
import { PeopleSettings, type SignInSettings } from "./PeopleSettings.ts"
import { cookieIn } from "./SessionCookie.ts"
import { callerOf } from "./SignIn.ts"
import { isOver, usedNow } from "./SignInSession.ts"
import { type SessionOfMember, SignInSessionStore } from "./SignInSessionStore.ts"

/** The value of the session's cookie in a request; null where there is none. */
export const sessionCookieOf = (
  request: AddressedRequest,
  { cookieNames }: Pick<SignInSettings, "cookieNames">
): string | null => {
  const { cookie } = request.headers
  return cookie === undefined ? null : cookieIn(cookie, cookieNames, isSecure(request))
}

const personOf = (session: SessionOfMember): HostPerson => ({
  accountId: session.tenantId,
  caller: callerOf({ ...session, id: session.memberId }, session) as HostPerson["caller"]
})

export const layer = Layer.effect(
  SignedInSessions,
  Effect.gen(function* () {
    const storage = yield* Storage
    const store = yield* SignInSessionStore
    const members = yield* MemberStore
    const settings = yield* PeopleSettings

    /** The session goes on also where its use cannot be written. */
    const used = (session: SessionOfMember, at: Instant.Instant) => {
      const use = usedNow(session, at, settings)
      if (use === null) return Effect.succeed(session)
      const { id, memberId } = session
      return storage
        .transactWith({ durability: "relaxed" })(store.used({ id, memberId, ...use }))
        .pipe(
          Effect.catch((error) => Effect.logWarning("the use of a session could not be written", error)),
          Effect.as({ ...session, ...use })
        )
    }

    const goesOn: SignedInSessions["Service"]["goesOn"] = Effect.fnUntraced(function* ({ caller, tenantId }) {
      if (caller._tag !== "User" || caller.signIn._tag !== "Session") return false
      const { id } = caller.signIn
      const memberId = Ids.as<"Member">(caller.subject)
      const at = yield* Instant.now
      return yield* storage.read(
        Effect.gen(function* () {
          const member = yield* members.find(tenantId, memberId)
          if (member === null || member.role !== caller.role) return false
          return (yield* store.ofMember(memberId)).some((session) => session.id === id && !isOver(session, at))
        })
      )
    })

    // Plain functions instead of a generator, which costs as much as a point read from memory.
    return SignedInSessions.of({
      goesOn,
      find: (request) => {
        if (!settings.isOn) return null
        const cookie = sessionCookieOf(request, settings)
        if (cookie === null) return null
        return Effect.flatMap(storage.read(store.byDigest(sha256Hex(cookie))), (session) =>
          session === null
            ? Effect.succeed(null)
            : Effect.flatMap(Instant.now, (at) =>
                isOver(session, at) ? Effect.succeed(null) : Effect.map(used(session, at), personOf)
              )
        )
      }
    })
  })
)
