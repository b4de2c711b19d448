/** Finds out who is asking, and whether they may ask at all, before a request is looked at any further. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { AccessStore, type KeyAndAccount } from "./AccessStore.ts"
import { type Feature, inactiveDetail, isActive } from "./Account.ts"
import * as ApiKey from "./ApiKey.ts"
import { manages, missing, type Principal, type Role } from "./Principal.ts"
import { render, type Scope } from "./Scope.ts"
import { looksLikeToken, TokenSettings, verifier } from "./Tokens.ts"

/** What the host's own check of a request came to. */
export interface HostPrincipal {
  readonly accountId: string
  readonly subject: string
  readonly role?: Role
}

/** Which credentials a route takes beside API keys. */
export interface Takes {
  readonly portal: boolean
  /** False: keys alone. The host is not asked, and no token is looked at. Left out: true. */
  readonly people?: boolean
}

/** A request as far as a check of its own needs it. */
export interface HostRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Null lets the product's own keys and tokens be tried. Source: docs/access.md#authenticate. */
export type HostAuthenticate = (request: HostRequest) => Promise<HostPrincipal | null>

export interface AuthenticationSettings {
  readonly keyPrefix: string
  readonly channel: string
  readonly authenticate: HostAuthenticate | null
}

export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: Schema.Literals(["invalid", "key_expired"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

const invalid = (detail: string) => new Unauthenticated({ reason: "invalid", detail })

export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}

/** The account does not have the feature: to it, the route does not exist. */
export class FeatureOff extends Schema.TaggedError<FeatureOff>()("FeatureOff", {}) {
  override get message() {
    return "Not Found"
  }
}

export interface Needs {
  readonly scope: Scope | null
  readonly feature: Feature | null
  /** A person must be an owner or admin. */
  readonly manager: boolean
}

export class Authentication extends Context.Service<
  Authentication,
  {
    /**
     * Who is asking: 401. `credential` is what follows `Bearer`, or empty. A portal token will do only where `portal` is
     * true; where it is left out, it will not.
     */
    readonly identify: (
      credential: string,
      request: HostRequest,
      takes?: Takes
    ) => Effect.Effect<Principal, Unauthenticated | StorageError>
    /** Account, then feature, then scope or role, in this order. Source: docs/access.md#order. */
    readonly admit: (principal: Principal, needs: Needs) => Effect.Effect<void, NotAllowed | FeatureOff>
  }
>()("@trunkline/core/access/Authentication") {
  static readonly layer = ({ authenticate, channel, keyPrefix }: AuthenticationSettings) =>
    Layer.effect(
      Authentication,
      Effect.gen(function* () {
        const store = yield* AccessStore
        const storage = yield* Storage
        const verify = verifier(yield* TokenSettings)

        const judged = (hash: string, found: KeyAndAccount | null, at: Instant.Instant) => {
          if (found === null || found.key.revokedAt !== null || !ApiKey.sameDigest(found.key.hash, hash)) {
            return Effect.fail(invalid("This API key is unknown or has been revoked."))
          }
          const { account, key } = found
          if (ApiKey.isExpired(key, at)) {
            const detail = `This API key expired at ${Instant.toIso(key.expiresAt!)}. Use another one.`
            return Effect.fail(new Unauthenticated({ reason: "key_expired", detail }))
          }
          return Effect.succeed<Principal>({ tenantId: account.id, account, caller: { _tag: "Key", key } })
        }

        // Every request comes through here: each generator would cost as much as a look into a table in memory.
        const byKey = (text: string) => {
          const hash = ApiKey.digest(text)
          return Effect.flatMap(storage.read(store.keyByHash(hash)), (found) =>
            Effect.flatMap(Instant.now, (at) => judged(hash, found, at))
          )
        }

        const byAccount = Effect.fnUntraced(function* (accountId: string, subject: string, role: Role) {
          const account = Ids.isUuid(accountId) ? yield* storage.read(store.findAccount(Ids.as(accountId))) : null
          if (account === null) return yield* invalid("The token's account does not exist.")
          return { tenantId: account.id, account, caller: { _tag: "User", subject, role } } satisfies Principal
        })

        const byToken = Effect.fnUntraced(function* (token: string, takes: Takes) {
          const claims = yield* Effect.mapError(verify(token, yield* Instant.now, takes), ({ detail }) =>
            invalid(detail)
          )
          return yield* byAccount(claims.account, claims.subject, claims.role)
        })

        const keysAlone = `This route takes API keys alone: send Authorization: Bearer and a key that begins with ${keyPrefix}.`

        const byCredential = (credential: string, takes: Takes) => {
          if (credential.startsWith(keyPrefix)) return byKey(credential)
          if (takes.people === false) return Effect.fail(invalid(keysAlone))
          if (looksLikeToken(credential)) return byToken(credential, takes)
          const detail =
            credential === ""
              ? "Authentication is needed: send Authorization: Bearer followed by an API key or a dashboard token."
              : `The credential is neither an API key, which begins with ${keyPrefix}, nor a token.`
          return Effect.fail(invalid(detail))
        }

        const identify: Authentication["Service"]["identify"] = (credential, request, takes = { portal: false }) =>
          authenticate === null || takes.people === false
            ? byCredential(credential, takes)
            : Effect.flatMap(
                Effect.promise(() => authenticate(request)),
                (host) =>
                  host === null
                    ? byCredential(credential, takes)
                    : byAccount(host.accountId.toLowerCase(), host.subject, host.role ?? "member")
              )

        const admit: Authentication["Service"]["admit"] = ({ account, caller }, { feature, manager, scope }) => {
          if (!isActive(account)) return Effect.fail(new NotAllowed({ detail: inactiveDetail(account) }))
          if (feature !== null && !account[feature]) return Effect.fail(new FeatureOff())
          if (manager && !manages(caller)) {
            return Effect.fail(new NotAllowed({ detail: "Only owners/admins can manage webhooks" }))
          }
          const lacking = scope === null ? null : missing(caller, scope, render(scope, channel))
          return lacking === null ? Effect.void : Effect.fail(new NotAllowed({ detail: lacking }))
        }

        return Authentication.of({ identify, admit })
      })
    )
}
