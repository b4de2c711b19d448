/** Tokens: a dashboard's, signed with a shared secret or with a key of a published set, and the portal's, made here. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { FetchImplementation, JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from "jose"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { personName } from "./HostPrincipal.ts"
import { type Role, type RoleWords, roleOf } from "./Role.ts"

/** Fetches a key set. */
export type FetchKeys = FetchImplementation

/** Source: docs/reference/access.md#tokens. */
export interface TokenSettings {
  /** The shared secret of HS256 tokens; null where there is none. */
  readonly secret: Uint8Array | null
  /** The key set of asymmetric tokens: where to fetch it, or the set itself. */
  readonly keySet:
    | { readonly _tag: "Url"; readonly url: string; readonly fetch: FetchKeys }
    | { readonly _tag: "Keys"; readonly keys: JSONWebKeySet }
    | null
  readonly claims: { readonly subject: string; readonly name: string; readonly account: string; readonly role: string }
  /** Who must have issued a token; null for anybody who has a key. */
  readonly issuer: string | null
  /** For whom a token must be: for one of these, or for anybody where there is none. */
  readonly audiences: ReadonlyArray<string>
  readonly roles: RoleWords
}

export const TokenSettings = Context.Reference<TokenSettings>("@trunkline/core/platform/accounts/TokenSettings", {
  defaultValue: () => ({
    secret: null,
    keySet: null,
    claims: { subject: "sub", name: "name", account: "tenant_id", role: "role" },
    issuer: null,
    audiences: [],
    roles: new Map()
  })
})

export interface TokenClaims {
  readonly subject: string
  readonly account: string
  readonly role: Role
  /** Null where the token does not say it. */
  readonly name: string | null
}

/** What a token says that is accepted. */
export interface AcceptedToken extends TokenClaims {
  readonly expiresAt: Instant.Instant
}

/** Why a token is refused, as a sentence. */
export type TokenRefused = { readonly _tag: "TokenRefused"; readonly detail: string }

/** Loaded with the first token, or for a key set: a host without tokens does not wait for it. */
const jose = () => import("jose")

const asymmetric = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]

/** Three parts between dots, the first of which is a JSON object: what no API key looks like. */
export const looksLikeToken = (credential: string): boolean => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(credential)

/** The audience of portal tokens: a token with it opens the portal and nothing else. */
export const portalAudience = "webhooks-portal"

/**
 * The claims of a portal token have names of their own, none of which a dashboard token has: so it says nothing to
 * another service of the host that checks dashboard tokens with the same secret and does not look at audiences.
 */
const portalClaims = { account: "portal_account", subject: "portal_subject" } as const

/** The role of a portal token. Source: docs/reference/access.md#portal-tokens. */
const portalRole = "admin"

const keysOf = async (keySet: NonNullable<TokenSettings["keySet"]>): Promise<JWTVerifyGetKey> => {
  const { createLocalJWKSet, createRemoteJWKSet, customFetch } = await jose()
  return keySet._tag === "Url"
    ? createRemoteJWKSet(new URL(keySet.url), { [customFetch]: keySet.fetch })
    : createLocalJWKSet(keySet.keys)
}

/**
 * Makes a verifier for these settings. A fetched key set is cached, and fetched again when a new key appears. Portal tokens
 * are accepted only where a route accepts them.
 */
export const makeVerifier = Effect.fnUntraced(function* (settings: TokenSettings) {
  const { claims, keySet, roles, secret } = settings
  const keys = keySet === null ? null : yield* Effect.promise(() => keysOf(keySet))

  const payloadOf = async (token: string, at: Instant.Instant): Promise<Verified> => {
    const { jwtVerify } = await jose()
    const options = { requiredClaims: ["exp"], currentDate: new Date(at) }
    const symmetric = JSON.parse(atob(token.split(".")[0]!.replace(/-/g, "+").replace(/_/g, "/"))).alg === "HS256"
    // The algorithm decides which of our keys may be used, never the other way round.
    if (symmetric && secret !== null)
      return { symmetric, payload: (await jwtVerify(token, secret, { ...options, algorithms: ["HS256"] })).payload }
    if (!symmetric && keys !== null)
      return { symmetric, payload: (await jwtVerify(token, keys, { ...options, algorithms: asymmetric })).payload }
    throw new Error("no key for this algorithm")
  }

  return (
    token: string,
    at: Instant.Instant,
    { portal }: { readonly portal: boolean } = { portal: false }
  ): Effect.Effect<AcceptedToken, TokenRefused> =>
    Effect.flatMap(Effect.tryPromise({ try: () => payloadOf(token, at), catch: refusalOf }), (verified) => {
      const { payload } = verified
      if ([payload.aud].flat().includes(portalAudience)) return portal ? portalOf(verified) : portalElsewhere
      const foreign = foreignness(payload, settings)
      if (foreign !== null) return Effect.fail(refused(foreign))
      const subject = payload[claims.subject]
      const account = payload[claims.account]
      return typeof account === "string"
        ? Effect.succeed({
            subject: typeof subject === "string" ? subject : "unknown",
            account: account.toLowerCase(),
            role: roleOf(payload[claims.role], roles),
            name: personName(payload[claims.name]),
            expiresAt: expiryOf(payload)
          })
        : Effect.fail(refused(`The token names no account: the claim ${claims.account} is missing.`))
    })
})

/** Why a token was made by somebody else, or for somebody else; null where it was not. */
const foreignness = ({ aud, iss }: JWTPayload, { audiences, issuer }: TokenSettings): string | null => {
  if (issuer !== null && iss !== issuer) return "The token was not issued by the sign-in that this service trusts."
  const named = [aud].flat()
  return audiences.length > 0 && !audiences.some((one) => named.includes(one))
    ? "The token was made for another application: its audience is none of this service's."
    : null
}

interface Verified {
  readonly payload: JWTPayload
  /** Signed with the shared secret. */
  readonly symmetric: boolean
}

/** Only what this installation has made: a sign-in whose keys we merely trust makes none. */
const portalOf = ({ payload, symmetric }: Verified): Effect.Effect<AcceptedToken, TokenRefused> => {
  const account = payload[portalClaims.account]
  const subject = payload[portalClaims.subject]
  return symmetric && payload.aud === portalAudience && typeof account === "string" && typeof subject === "string"
    ? Effect.succeed({ account, subject, role: portalRole, name: null, expiresAt: expiryOf(payload) })
    : Effect.fail(refused("The token is not valid."))
}

/** A token is accepted with an expiry alone. */
const expiryOf = ({ exp = 0 }: JWTPayload): Instant.Instant => Instant.make(exp * 1000)

const refused = (detail: string): TokenRefused => ({ _tag: "TokenRefused", detail })

const refusalOf = (error: unknown): TokenRefused => {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : ""
  switch (code) {
    case "ERR_JWT_EXPIRED":
      return refused("The token has expired. Sign in again.")
    case "ERR_JWT_CLAIM_VALIDATION_FAILED":
      return refused("The token lacks a claim that is required, or one of them does not hold. It needs exp.")
    default:
      return refused("The token is not valid.")
  }
}

const portalElsewhere = Effect.fail(
  refused("This token opens the webhooks portal and nothing else. Use an API key or a dashboard token here.")
)

interface Times {
  readonly issuedAt: Instant.Instant
  readonly expiresAt: Instant.Instant
}

/** Signs a token for the command line and for tests. */
export const sign = (settings: TokenSettings, claims: TokenClaims, times: Times): Effect.Effect<string, TokenRefused> =>
  signed(settings, times, {
    ...(settings.issuer === null ? {} : { iss: settings.issuer }),
    ...(settings.audiences.length === 0 ? {} : { aud: settings.audiences[0] }),
    [settings.claims.subject]: claims.subject,
    [settings.claims.account]: claims.account as Ids.AccountId,
    [settings.claims.role]: claims.role,
    ...(claims.name === null ? {} : { [settings.claims.name]: claims.name })
  })

/** Signs a token that opens an account's webhooks portal, and nothing else. Source: docs/reference/access.md#portal-tokens. */
export const signPortal = (
  settings: TokenSettings,
  { account, subject }: Pick<TokenClaims, "account" | "subject">,
  times: Times
): Effect.Effect<string, TokenRefused> =>
  signed(settings, times, {
    aud: portalAudience,
    [portalClaims.account]: account,
    [portalClaims.subject]: subject
  })

const signed = ({ secret }: TokenSettings, { expiresAt, issuedAt }: Times, payload: JWTPayload) =>
  secret === null
    ? Effect.fail(refused("Tokens can be made only where auth.jwt.secret is set."))
    : Effect.promise(async () => {
        const { SignJWT } = await jose()
        return new SignJWT(payload)
          .setProtectedHeader({ alg: "HS256", typ: "JWT" })
          .setIssuedAt(Math.floor(issuedAt / 1000))
          .setExpirationTime(Math.floor(expiresAt / 1000))
          .sign(secret)
      })
