/** Handlers of members and of a member's own sessions. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { accessErrors, CurrentPrincipal, mountPointOf } from "../accounts/index.ts"
import { DashboardFacts } from "../brand/index.ts"
import { RouteHandlers } from "../http/index.ts"
import { list, pageOf } from "../http/Lists.ts"
import { answering } from "../http/PlatformErrors.ts"
import { contract } from "../http/RoomContract.ts"
import type * as Ids from "../PlatformIds.ts"
import { storageErrors } from "../storage/index.ts"
import { MemberRecord } from "./Member.ts"
import { linkAddress } from "./MemberLink.ts"
import { Members } from "./Members.ts"
import { memberPages, membersGroup, membersPath, sessionPages, sessionsGroup } from "./MembersApi.ts"
import { OwnSignIn, ownSession } from "./OwnSignIn.ts"
import { PeopleAlone, peopleErrors } from "./PeopleErrors.ts"
import { SignInSessionRecord } from "./SignInSession.ts"

const answer = answering({ ...accessErrors, ...peopleErrors, ...storageErrors })

const membersApi = contract.add(membersGroup)

const membersLayer = RouteHandlers.group(
  membersApi,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const { publicUrl } = yield* DashboardFacts
    const addressOf = (request: HttpServerRequest.HttpServerRequest, text: string) =>
      linkAddress(publicUrl ?? mountPointOf(request, membersPath), text)
    const record = MemberRecord.toWire
    const owned = (id: Ids.MemberId) =>
      Effect.map(CurrentPrincipal, ({ caller, tenantId }) => ({ of: { tenantId, id }, by: caller }))

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { caller, tenantId } = yield* CurrentPrincipal
        if (caller._tag === "Key") return yield* answer(Effect.fail(new PeopleAlone()))
        const page = pageOf(query, memberPages.standard)
        return yield* list(yield* answer(members.list(tenantId, query.q?.trim() ?? null, page)), record)
      }),
      invite: Effect.fnUntraced(function* ({ payload, request }) {
        const { caller, tenantId } = yield* CurrentPrincipal
        const { email, name = null, role } = payload
        const { link, member, text } = yield* answer(members.invite(tenantId, { email, role, name }, caller))
        return { ...record(member), link: addressOf(request, text), link_expires_at: link.expiresAt }
      }),
      change: Effect.fnUntraced(function* ({ params, payload }) {
        const { by, of } = yield* owned(params.member_id)
        return record(yield* answer(members.change(of, payload, by)))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { by, of } = yield* owned(params.member_id)
        yield* answer(members.remove(of, by))
      }),
      link: Effect.fnUntraced(function* ({ params, request }) {
        const { by, of } = yield* owned(params.member_id)
        const { link, text } = yield* answer(members.link(of, by))
        const purpose = link.purpose === "reset" ? ("reset" as const) : ("invitation" as const)
        return { purpose, url: addressOf(request, text), expires_at: link.expiresAt }
      })
    })
  })
)

const sessionsApi = contract.add(sessionsGroup)

const sessionsLayer = RouteHandlers.group(
  sessionsApi,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const own = yield* OwnSignIn
    const asking = Effect.flatMap(CurrentPrincipal, (principal) => answer(ownSession(principal)))

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const mine = yield* asking
        return yield* list(yield* answer(own.sessions(mine, pageOf(query, sessionPages.standard))), (session) => ({
          ...SignInSessionRecord.toWire(session),
          current: session.id === mine.sessionId
        }))
      }),
      end: Effect.fnUntraced(function* ({ params }) {
        yield* answer(own.endSession(yield* asking, params.session_id))
      })
    })
  })
)

export const layer = Layer.mergeAll(membersLayer, sessionsLayer)
