/** The handler of the question who is asking. */
import * as Effect from "effect/Effect"
import { type Caller, CurrentPrincipal, type Principal, Scopes, type SignIn, scopesOf } from "../accounts/index.ts"
import { RouteHandlers } from "../http/index.ts"
import { answering } from "../http/PlatformErrors.ts"
import { contract } from "../http/RoomContract.ts"
import type { Instant } from "../kernel/index.ts"
import { storageErrors } from "../storage/index.ts"
import { type Me, meGroup } from "./MeApi.ts"
import { OwnSignIn, ownSession } from "./OwnSignIn.ts"
import { peopleErrors } from "./PeopleErrors.ts"
import { visitOf } from "./VisitHttp.ts"

const answer = answering({ ...peopleErrors, ...storageErrors })

const api = contract.add(meGroup)

/** How somebody has signed in, in the words of the wire. */
const signInOf = (signIn: SignIn) => {
  switch (signIn._tag) {
    case "Host":
      return { sign_in: "host", session_id: null, expires_at: null, email: null } as const
    case "Token":
      return { sign_in: "token", session_id: null, expires_at: signIn.expiresAt, email: null } as const
    case "Session":
      return { sign_in: "session", session_id: signIn.id, expires_at: signIn.expiresAt, email: signIn.email } as const
  }
}

const callerOf = (caller: Caller) =>
  caller._tag === "Key"
    ? ({
        kind: "key",
        subject: caller.key.id,
        name: caller.key.name,
        role: null,
        sign_in: "key",
        session_id: null,
        expires_at: caller.key.expiresAt as Instant.Instant | null,
        email: null
      } as const)
    : ({
        kind: "person",
        subject: caller.subject,
        name: caller.name,
        role: caller._tag === "User" ? caller.role : null,
        ...signInOf(caller.signIn)
      } as const)

/** The caller as the wire has it; `channel` is the brand's word in scopes. */
export const meOf = ({ account: { id, name, plan }, caller }: Principal, channel: string): Me => ({
  ...callerOf(caller),
  scopes: scopesOf(caller)
    .map((scope) => Scopes.render(scope, channel))
    .sort(),
  account: { id, name, plan }
})

export const layer = (channel: string) =>
  RouteHandlers.group(
    api,
    "me",
    Effect.fnUntraced(function* (handlers) {
      const own = yield* OwnSignIn
      return handlers.handleAll({
        get: () => Effect.map(CurrentPrincipal, (principal) => meOf(principal, channel)),
        change: Effect.fnUntraced(function* ({ payload }) {
          const principal = yield* CurrentPrincipal
          const mine = yield* answer(ownSession(principal))
          const { name } = yield* answer(own.rename(mine, payload.name))
          return meOf({ ...principal, caller: { ...mine.caller, name } }, channel)
        }),
        changePassword: Effect.fnUntraced(function* ({ payload, request }) {
          const mine = yield* answer(ownSession(yield* CurrentPrincipal))
          const given = { currentPassword: payload.current_password, password: payload.password }
          yield* answer(own.changePassword(mine, given, visitOf(request)))
        })
      })
    })
  )
