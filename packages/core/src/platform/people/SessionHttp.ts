/** Handlers of signing in and out. */
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { Authentication, accessErrors, CrossOrigin, isFromOwnOrigin, isSecure, originOf } from "../accounts/index.ts"
import { DashboardFacts } from "../brand/index.ts"
import { RouteHandlers, withErrorCode } from "../http/index.ts"
import { answering, Forbidden } from "../http/PlatformErrors.ts"
import { contract } from "../http/RoomContract.ts"
import { Instant } from "../kernel/index.ts"
import { movingErrors } from "../moving/index.ts"
import { storageErrors } from "../storage/index.ts"
import { meOf } from "./MeHttp.ts"
import { peopleErrors } from "./PeopleErrors.ts"
import { PeopleSettings } from "./PeopleSettings.ts"
import { OwnPagesOnly, sessionGroup } from "./SessionApi.ts"
import { expiredCookie, setCookie } from "./SessionCookie.ts"
import { sessionCookieOf } from "./SessionPeople.ts"
import { type SignedIn, SignIn } from "./SignIn.ts"
import { visitOf } from "./VisitHttp.ts"

const answer = answering({ ...peopleErrors, ...accessErrors, ...movingErrors, ...storageErrors })

const api = contract.add(sessionGroup)

type Request = HttpServerRequest.HttpServerRequest

const withCookie = (header: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, { "set-cookie": header, "cache-control": "no-store" }))
  )

/** Every request is checked, whatever its method and its credential. */
export const middleware = Layer.effect(
  OwnPagesOnly,
  Effect.map(DashboardFacts, ({ publicUrl }) => {
    const dashboard = originOf(publicUrl)
    return OwnPagesOnly.of(
      Effect.fnUntraced(function* (handled) {
        if (isFromOwnOrigin(yield* HttpServerRequest.HttpServerRequest, dashboard)) return yield* handled
        yield* withErrorCode(accessErrors.CrossOrigin.code)
        return yield* new Forbidden({ detail: new CrossOrigin().message })
      })
    )
  })
)

export const layer = (channel: string) =>
  RouteHandlers.group(
    api,
    "session",
    Effect.fnUntraced(function* (handlers) {
      const signIn = yield* SignIn
      const settings = yield* PeopleSettings
      const { identify } = yield* Authentication
      const [name] = settings.cookieNames

      const began = Effect.fnUntraced(function* ({ cookie, principal }: SignedIn, request: Request) {
        const seconds = Math.floor(settings.maxMs / Instant.second)
        yield* withCookie(setCookie(cookie, seconds, { name, isSecure: isSecure(request) }))
        return meOf(principal, channel)
      })

      return handlers.handleAll({
        get: ({ request }) =>
          answer(
            identify("", request).pipe(
              Effect.map((principal) => meOf(principal, channel)),
              Effect.catchTag("Unauthenticated", () => Effect.void)
            )
          ),
        signIn: Effect.fnUntraced(function* ({ payload, request }) {
          return yield* began(yield* answer(signIn.signIn(payload, visitOf(request))), request)
        }),
        signOut: Effect.fnUntraced(function* ({ request }) {
          const cookie = sessionCookieOf(request, settings)
          if (cookie !== null) yield* answer(signIn.signOut(cookie))
          yield* withCookie(expiredCookie({ name, isSecure: isSecure(request) }))
        }),
        openLink: Effect.fnUntraced(function* ({ payload, request }) {
          const { accountName, expiresAt, ...opened } = yield* answer(signIn.open(payload.token, visitOf(request)))
          return { ...opened, account_name: accountName, expires_at: expiresAt }
        }),
        acceptLink: Effect.fnUntraced(function* ({ payload, request }) {
          const { email = null, name: given = null, password, token } = payload
          const accepted = signIn.accept({ token, password, name: given, email }, visitOf(request))
          return yield* began(yield* answer(accepted), request)
        })
      })
    })
  )
