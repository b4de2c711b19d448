/** Identifies the principal of a request, and checks whether it may send requests, before anything else is read. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { DashboardFacts } from "../brand/index.ts"
import { Instant, sha256Hex } from "../kernel/index.ts"
import { type AccountMoved, AccountMoves, type AccountMoving } from "../moving/index.ts"
import * as Ids from "../PlatformIds.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { CrossOrigin, FeatureDisabled } from "./AccessErrors.ts"
import { AccessStore, type KeyAndAccount, type VersionedKey } from "./AccessStore.ts"
import { type Feature, inactiveDetail, isActive } from "./Account.ts"
import * as ApiKey from "./ApiKey.ts"
import { askingAccounts } from "./AskingAccounts.ts"
import {
  decode,
  type HostAuthenticate,
  type HostPerson,
  HostPrincipalRefused,
  type HostRequest,
  handedPrincipals
} from "./HostPrincipal.ts"
import { KeyUses } from "./KeyUses.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { isFromOwnPage, originOf } from "./OriginCheck.ts"
import { type Caller, manages, missing, type Principal } from "./Principal.ts"
import { render, type Scope } from "./Scope.ts"
import { SignedInSessions } from "./SignedInSessions.ts"
import { looksLikeToken, makeVerifier, TokenSettings } from "./Tokens.ts"

/**
 * `use`: a key may be remembered instead of read. Its principal then has a version, which must be compared in the transaction that
 * admits the request, and what is refused by a remembered key must be judged again with `renew`, which reads the key and remembers it.
 */
export type KeyMemory = "use" | "renew"

/** Which credentials a route accepts beside API keys. */
export interface AcceptedCredentials {
  readonly portal: boolean
  /** False: keys alone. The host is not asked, and no token is looked at. Left out: true. */
  readonly people?: boolean
  /** Left out: a key is read and not remembered. */
  readonly memory?: KeyMemory
}

/** A request as far as authentication reads it. */
export interface AuthenticatedRequest {
  readonly method: string
  /** Path and query below the mount point. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The host's own object for the request. */
  readonly source: object
}

export interface AuthenticationSettings {
  readonly keyPrefix: string
  readonly channel: string
  readonly authenticate: HostAuthenticate | null
  /** Origins whose pages may act for people whom the host has signed in, beside the request's own; null: no origin is checked. */
  readonly allowedOrigins: ReadonlySet<string> | null
}

export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: Schema.Literals(["invalid", "key_expired"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

const sessionOver = "Your session is over. Sign in again."

const invalid = (detail: string) => new Unauthenticated({ reason: "invalid", detail })

export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", {
  code: Schema.Literals(["account_inactive", "account_terminated", "permission_denied"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export interface Needs {
  readonly scope: Scope | null
  /** A second scope that is needed. Left out: none. */
  readonly alsoScope?: Scope | null
  readonly feature: Feature | null
  /** What is managed, in the words of a refusal, where a person must be an owner or admin; null where every role will do. */
  readonly manager: string | null
  /** Every role will do although the scope is one to write with. Left out: false. */
  readonly rolesRead?: boolean
  /** `alone`: no key may ask. `without scope`: people need no scope. Left out: they are asked for what a key is asked for. */
  readonly people?: "alone" | "without scope" | null
}

/** Why nobody is known to be asking, or the account's work is refused. */
export type NotIdentified = Unauthenticated | CrossOrigin | AccountMoving | AccountMoved | StorageError

export class Authentication extends Context.Service<
  Authentication,
  {
    /**
     * Who is asking: 401. `credential` is what follows `Bearer`, or empty. The host's own principal comes first, then the
     * credential, then the cookie of a session. What a cookie has signed in changes nothing by a page of another origin: 403. A portal token will do only where `portal` is true; where it is left out, it will not. Fails for an account that
     * moves to another installation, or has moved. Dies with `HostPrincipalRefused` when the host's principal is malformed.
     */
    readonly identify: (
      credential: string,
      request: AuthenticatedRequest,
      accepted?: AcceptedCredentials
    ) => Effect.Effect<Principal, NotIdentified>
    /**
     * The principal of a key that is in memory, for a route of keys alone; null where it must be identified. It has a version, which
     * must be compared in the transaction that admits the request, and whether its account stays here is still to be checked.
     */
    readonly remembered: (
      credential: string,
      request: Pick<AuthenticatedRequest, "source">,
      at: Instant.Instant
    ) => Principal | null
    /** The principal of a key that was identified before, for work that goes on without its request. */
    readonly identifyKey: (id: Ids.KeyId) => Effect.Effect<Principal, Unauthenticated | StorageError>
    /** Account, then feature, then scope or role, in this order. Source: docs/reference/access.md#order. */
    readonly admit: (principal: Principal, needs: Needs) => Effect.Effect<void, NotAllowed | FeatureDisabled>
  }
>()("@trunkline/core/platform/accounts/Authentication") {
  static readonly layer = ({ allowedOrigins, authenticate, channel, keyPrefix }: AuthenticationSettings) =>
    Layer.effect(
      Authentication,
      Effect.gen(function* () {
        const store = yield* AccessStore
        const storage = yield* Storage
        const verify = yield* makeVerifier(yield* TokenSettings)
        const moves = yield* AccountMoves
        const sessions = yield* SignedInSessions
        const uses = yield* KeyUses
        const dashboard = originOf((yield* DashboardFacts).publicUrl)
        const ofHosts = allowedOrigins === null ? null : { allowed: allowedOrigins, dashboard }
        const ofSessions = { allowed: new Set<string>(), dashboard }
        const known = new KnownKeys()

        /** The principal of a key that asks now. */
        const used = (...[hash, found, at, version]: Parameters<typeof principalBy>) => {
          const principal = principalBy(hash, found, at, version)
          if (found !== null && Result.isSuccess(principal)) uses.note(found.key, at)
          return principal
        }

        const asking = (...by: Parameters<typeof principalBy>) => Effect.suspend(() => Effect.fromResult(used(...by)))

        // Every request comes through here: each generator would cost as much as a look into a table in memory.
        const byKey = (text: string, { memory }: AcceptedCredentials) => {
          const hash = sha256Hex(text)
          if (memory !== undefined) return byKnownKey(hash, memory === "use" ? known.find(hash) : null)
          return Effect.flatMap(storage.read(store.keyByHash(hash)), (found) =>
            Effect.flatMap(Instant.now, (at) => asking(hash, found, at))
          )
        }

        const byKnownKey = (
          hash: string,
          remembered: VersionedKey | null
        ): Effect.Effect<Principal, Unauthenticated | StorageError> =>
          remembered === null
            ? Effect.flatMap(storage.read(store.keyByHash(hash)), (found) => {
                if (found !== null) known.add(hash, found)
                return Effect.flatMap(Instant.now, (at) => asking(hash, found, at))
              })
            : Effect.flatMap(Instant.now, (at) =>
                // What has expired in memory may have been prolonged.
                Effect.catch(asking(hash, remembered, at, remembered.version), () => byKnownKey(hash, null))
              )

        const remembered: Authentication["Service"]["remembered"] = (credential, { source }, at) => {
          const hash = credential.startsWith(keyPrefix) ? sha256Hex(credential) : null
          const key = hash === null ? null : known.find(hash)
          if (hash === null || key === null) return null
          const found = used(hash, key, at, key.version)
          if (Result.isFailure(found)) return null
          askingAccounts.set(source, found.success.tenantId)
          return found.success
        }

        const identifyKey = Effect.fnUntraced(function* (id: Ids.KeyId) {
          const found = yield* storage.read(
            Effect.gen(function* () {
              const key = yield* store.findKey(id)
              const account = key === null ? null : yield* store.findAccount(key.tenantId)
              return key === null || account === null ? null : { key, account }
            })
          )
          return yield* Effect.fromResult(principalBy(found?.key.hash ?? "", found, yield* Instant.now))
        })

        const byAccount = Effect.fnUntraced(function* (accountId: string, caller: Caller) {
          const account = Ids.isUuid(accountId) ? yield* storage.read(store.findAccount(Ids.as(accountId))) : null
          if (account === null) return yield* invalid("The account of this sign-in does not exist.")
          return { tenantId: account.id, account, caller } satisfies Principal
        })

        const byToken = Effect.fnUntraced(function* (token: string, accepted: AcceptedCredentials) {
          const claims = yield* Effect.mapError(verify(token, yield* Instant.now, accepted), ({ detail }) =>
            invalid(detail)
          )
          const { account, expiresAt, name, role, subject } = claims
          return yield* byAccount(account, { _tag: "User", subject, name, role, signIn: { _tag: "Token", expiresAt } })
        })

        const keysAlone = `This route takes API keys alone: send Authorization: Bearer and a key that begins with ${keyPrefix}.`

        const byCredential = (credential: string, accepted: AcceptedCredentials) => {
          if (credential.startsWith(keyPrefix)) return byKey(credential, accepted)
          if (accepted.people === false) return Effect.fail(invalid(keysAlone))
          if (looksLikeToken(credential)) return byToken(credential, accepted)
          const detail =
            credential === ""
              ? "Authentication is needed: send Authorization: Bearer followed by an API key or a dashboard token."
              : `The credential is neither an API key, which begins with ${keyPrefix}, nor a token.`
          return Effect.fail(invalid(detail))
        }

        /** Null where the request has no session. A header of the request counts first, whatever it is. */
        const bySession = (request: AuthenticatedRequest): Effect.Effect<Principal, NotIdentified> | null => {
          if (request.headers.authorization !== undefined) return null
          const found = sessions.find(request)
          if (found === null) return null
          if (!isFromOwnPage(request, ofSessions)) return Effect.fail(new CrossOrigin())
          return Effect.flatMap(found, (person) =>
            person === null ? Effect.fail(invalid(sessionOver)) : byAccount(person.accountId, person.caller)
          )
        }

        const asked = (ask: () => unknown): Effect.Effect<HostPerson | null> =>
          Effect.flatMap(
            Effect.promise(async () => ask()),
            (given) => {
              if (given === null || given === undefined) return Effect.succeed(null)
              const person = decode(given, channel)
              return Result.isSuccess(person)
                ? Effect.succeed(person.success)
                : Effect.die(new HostPrincipalRefused(person.failure))
            }
          )

        /** Whom the host has signed in: handed over with the request, else found by its own check. */
        const byHost = (request: AuthenticatedRequest): Effect.Effect<HostPerson | null> | null => {
          const handed = handedPrincipals.get(request.source)
          const given = handed === undefined ? null : asked(typeof handed === "function" ? handed : () => handed)
          const checked = authenticate === null ? null : asked(() => authenticate(shown(request)))
          if (given === null || checked === null) return given ?? checked
          return Effect.flatMap(given, (person) => (person === null ? checked : Effect.succeed(person)))
        }

        const identify: Authentication["Service"]["identify"] = (credential, request, accepted = { portal: false }) => {
          const takesPeople = accepted.people !== false
          const host = takesPeople ? byHost(request) : null
          const others = () => (takesPeople ? bySession(request) : null) ?? byCredential(credential, accepted)
          const known =
            host === null
              ? others()
              : Effect.flatMap(host, (person): Effect.Effect<Principal, NotIdentified> => {
                  if (person === null) return others()
                  return ofHosts === null || isFromOwnPage(request, ofHosts)
                    ? byAccount(person.accountId, person.caller)
                    : Effect.fail(new CrossOrigin())
                })
          return Effect.tap(known, ({ tenantId }) => {
            askingAccounts.set(request.source, tenantId)
            return moves.check(tenantId)
          })
        }

        const admit: Authentication["Service"]["admit"] = (
          { account, caller },
          { alsoScope = null, feature, manager, people = null, rolesRead = false, scope }
        ) => {
          if (!isActive(account)) {
            const code = account.status === "terminated" ? "account_terminated" : "account_inactive"
            return Effect.fail(new NotAllowed({ code, detail: inactiveDetail(account) }))
          }
          if (feature !== null && !account[feature]) return Effect.fail(new FeatureDisabled({ accountId: account.id }))
          if (manager !== null && !manages(caller)) {
            return Effect.fail(
              new NotAllowed({ code: "permission_denied", detail: `Only owners/admins can manage ${manager}` })
            )
          }
          if (people === "alone" && caller._tag === "Key") {
            const detail = "No API key may do this. Sign in as a person of the account."
            return Effect.fail(new NotAllowed({ code: "permission_denied", detail }))
          }
          const needsNone = people === "without scope" ? caller._tag !== "Key" : rolesRead && caller._tag === "User"
          const lackingOf = (one: Scope | null) =>
            one === null || needsNone ? null : missing(caller, one, render(one, channel))
          const lacking = lackingOf(scope) ?? lackingOf(alsoScope)
          return lacking === null
            ? Effect.void
            : Effect.fail(new NotAllowed({ code: "permission_denied", detail: lacking }))
        }

        return Authentication.of({ identify, remembered, identifyKey, admit })
      })
    )
}

/** Whether a key that was found is the one that asks, and may be used. `version`: that of a key in memory. */
const principalBy = (
  hash: string,
  found: KeyAndAccount | null,
  at: Instant.Instant,
  version: number | null = null
): Result.Result<Principal, Unauthenticated> => {
  const match = found === null ? "foreign" : ApiKey.matchOf(found.key, hash, at)
  if (found === null || found.key.revokedAt !== null || match === "foreign") {
    return Result.fail(invalid("This API key is unknown or has been revoked."))
  }
  const { account, key } = found
  if (match === "replaced") {
    const detail = `This API key was replaced by another one, and has not worked since ${Instant.toIso(key.previousUntil!)}. Use the new one.`
    return Result.fail(invalid(detail))
  }
  if (ApiKey.isExpired(key, at)) {
    const detail = `This API key expired at ${Instant.toIso(key.expiresAt!)}. Use another one.`
    return Result.fail(new Unauthenticated({ reason: "key_expired", detail }))
  }
  const caller: Caller = version === null ? { _tag: "Key", key } : { _tag: "Key", key, version }
  return Result.succeed({ tenantId: account.id, account, caller })
}

/** The request as the host's own check sees it. The pseudo headers of HTTP/2 are no headers. */
const shown = ({ headers, method, url }: AuthenticatedRequest): HostRequest => ({
  method,
  url,
  headers: new Headers(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith(":")
    )
  )
})
