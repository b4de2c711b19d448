/** Handlers of single sign-on. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isSecure } from "../accounts/index.ts"
import { RouteHandlers } from "../http/index.ts"
import { contract } from "../http/RoomContract.ts"
import { Instant } from "../kernel/index.ts"
import { cookieIn, expiredCookie, PeopleSettings, SignIn, setCookie, visitOf } from "../people/index.ts"
import { IssuerFailed, makeIssuer } from "./Issuer.ts"
import { issuedPerson, issuedRole } from "./IssuerClaims.ts"
import { oidcGroup } from "./OidcApi.ts"
import { attemptIn, attemptMs, attemptText, newAttempt } from "./OidcCookie.ts"
import { OidcSettings } from "./OidcSettings.ts"

const api = contract.add(oidcGroup)

/** The page as seen from the callback: relative, so that it is right below every prefix. */
const pageOfCallback = "../../../../dashboard/"

/** The page as seen from the start. */
const pageOfStart = "../../../dashboard/"

type Fault = "oidc" | "not_allowed" | "team_full"

/** None of the claim's values has a role here. */
class NotAllowed extends Data.TaggedError("NotAllowed") {}

const notConfigured = new IssuerFailed({ message: "no issuer is configured" })

const attemptSeconds = attemptMs / Instant.second

type Request = HttpServerRequest.HttpServerRequest

const queryOf = (url: string): string => url.slice(url.indexOf("?") + 1)

const faultPlace = (fault: Fault): string => `#/sign-in?error=${fault}`

/** With one cookie at most: what an attempt has kept is of no use once its code is. */
const sentOn = (location: string, cookie: string | null) =>
  HttpServerResponse.empty({
    status: 302,
    headers: {
      location,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      ...(cookie === null ? {} : { "set-cookie": cookie })
    }
  })

export const layer = () =>
  RouteHandlers.group(
    api,
    "oidc",
    Effect.fnUntraced(function* (handlers) {
      const people = yield* PeopleSettings
      const settings = yield* OidcSettings
      const signIn = yield* SignIn
      const issuer = settings === null ? null : makeIssuer(settings)
      const [sessionCookie] = people.cookieNames
      const ownCookie = `${sessionCookie}_oidc`

      const begun = Effect.fnUntraced(function* (place: string | undefined, isSecure: boolean) {
        if (issuer === null) return yield* notConfigured
        const attempt = newAttempt(place, yield* Instant.now)
        const address = yield* issuer.askAt(attempt)
        return sentOn(address, setCookie(attemptText(attempt), attemptSeconds, { name: ownCookie, isSecure }))
      })

      /** Signs in whom the issuer has sent back, or says why not. */
      const entered = Effect.fnUntraced(function* (request: Request, isSecure: boolean) {
        if (issuer === null || settings === null) return yield* notConfigured
        const attempt = attemptIn(cookieIn(request.headers.cookie, [ownCookie], isSecure), yield* Instant.now)
        if (attempt === null) return yield* new IssuerFailed({ message: "this browser has begun no sign-in" })
        const claims = yield* issuer.claimsFor(attempt, queryOf(request.url))
        const person = issuedPerson(claims)
        if (person === null) return yield* new IssuerFailed({ message: "the issuer names no person with an email" })
        const role = issuedRole(claims, settings)
        if (role === null) return yield* new NotAllowed()
        const { account, issuer: name } = settings
        const { cookie } = yield* signIn.enter({ ...person, role, issuer: name, account }, visitOf(request))
        const seconds = Math.floor(people.maxMs / Instant.second)
        return sentOn(pageOfCallback + attempt.place, setCookie(cookie, seconds, { name: sessionCookie, isSecure }))
      })

      return handlers.handleAll({
        start: ({ query, request }) =>
          begun(query.return, isSecure(request)).pipe(
            Effect.catch((error) =>
              Effect.as(
                Effect.logWarning("a sign-in at the issuer could not begin", error),
                sentOn(pageOfStart + faultPlace("oidc"), null)
              )
            )
          ),
        callback: ({ request }) => {
          const secure = isSecure(request)
          const refused = (fault: Fault) =>
            sentOn(pageOfCallback + faultPlace(fault), expiredCookie({ name: ownCookie, isSecure: secure }))
          return entered(request, secure).pipe(
            Effect.catchTags({
              NotAllowed: () => Effect.succeed(refused("not_allowed")),
              TeamFull: () => Effect.succeed(refused("team_full"))
            }),
            Effect.catch((error) =>
              Effect.as(Effect.logWarning("a sign-in at the issuer has failed", error), refused("oidc"))
            )
          )
        }
      })
    })
  )
