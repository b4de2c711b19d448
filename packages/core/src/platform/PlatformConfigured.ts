/** What a host decides about the installation, as the rooms know it. Its options have been checked. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { AccessSettings, keySetFetch, roleWord, Tokens, Vault } from "./accounts/index.ts"
import type { Brand } from "./brand/index.ts"
import { EventFieldNames } from "./events/index.ts"
import { Instant } from "./kernel/index.ts"
import { OidcSettings, oidcSettings } from "./oidc/index.ts"
import { AddressPolicy, noOutbound, Outbound, OutboundSettings } from "./outbound/index.ts"
import { type PlatformOptions, settings } from "./PlatformOptions.ts"
import { cookieName, PeopleSettings } from "./people/index.ts"
import { effective, layerOf, type Settings } from "./settings/index.ts"
import { SocketLimit } from "./sockets/index.ts"
import {
  AccountLimits,
  accountLimitsOf,
  type RetentionKind,
  RetentionSettings,
  retentionDays
} from "./storage/index.ts"

export type OutboundLayer = Layer.Layer<Outbound>

type EffectiveOptions = Settings.Effective<typeof settings>

const tokenSettings = ({ auth }: EffectiveOptions, fetch: Tokens.FetchKeys): Tokens.TokenSettings => {
  const { audience = [], claims, issuer = null, jwks, jwksUrl, roles = {}, secret } = auth.jwt
  return {
    secret: secret === undefined ? null : typeof secret === "string" ? new TextEncoder().encode(secret) : secret,
    keySet:
      jwks !== undefined
        ? { _tag: "Keys", keys: jwks }
        : jwksUrl !== undefined
          ? { _tag: "Url", url: jwksUrl, fetch }
          : null,
    claims,
    issuer,
    audiences: typeof audience === "string" ? [audience] : audience,
    roles: new Map(Object.entries(roles).map(([word, role]) => [roleWord(word), role]))
  }
}

/** An identity provider has one key set for all its applications. */
const sayWhoIsTrusted = ({ audiences, issuer, keySet }: Tokens.TokenSettings): Effect.Effect<void> =>
  keySet !== null && issuer === null && audiences.length === 0
    ? Effect.logWarning(
        "tokens that the key set's owner has made for other applications are accepted here too: set auth.jwt.issuer and auth.jwt.audience"
      )
    : Effect.void

/** A host that has passed no `outbound` has the platform's own `fetch`. */
const tokensLayer = (options: EffectiveOptions) =>
  Layer.effect(
    Tokens.TokenSettings,
    Effect.gen(function* () {
      const tokens = tokenSettings(options, options.outbound === undefined ? fetch : keySetFetch(yield* Outbound))
      yield* sayWhoIsTrusted(tokens)
      return tokens
    })
  )

const signIn = (options: EffectiveOptions, { channel, keyPrefix }: Brand) => {
  const { allowedOrigins, authenticate = null, checkOrigin } = options.auth
  return Layer.merge(
    Layer.succeed(AccessSettings, {
      keyPrefix,
      channel,
      authenticate,
      allowedOrigins: checkOrigin ? new Set(allowedOrigins) : null
    }),
    tokensLayer(options)
  )
}

/** The cookie keeps its name while sessions of an earlier encryption key are open. */
const people = ({ auth, encryptionKey, previousEncryptionKeys }: EffectiveOptions, { keyPrefix }: Brand) => {
  const { enabled, invitationSeconds, linkSeconds, sessionIdleSeconds, sessionMaxSeconds } = auth.signIn
  const nameOf = (key: string) => cookieName(keyPrefix, key)
  return Layer.succeed(PeopleSettings, {
    isOn: enabled,
    idleMs: sessionIdleSeconds * Instant.second,
    maxMs: sessionMaxSeconds * Instant.second,
    linkMs: linkSeconds * Instant.second,
    invitationMs: invitationSeconds * Instant.second,
    cookieNames: [nameOf(encryptionKey), ...previousEncryptionKeys.map(nameOf)]
  })
}

interface PublicDashboard {
  readonly dashboard?: { readonly options: { readonly publicUrl?: string | null } }
}

/** The rules of the options have found that both are there. */
const singleSignOn = ({ auth }: EffectiveOptions, { dashboard }: PublicDashboard) => {
  const publicUrl = dashboard?.options.publicUrl ?? null
  const { oidc } = auth
  return Layer.succeed(OidcSettings, oidc === undefined || publicUrl === null ? null : oidcSettings(oidc, publicUrl))
}

/** Each area has the days of its own rows. */
type KeptDays = { readonly [Kind in RetentionKind as `${Kind}Days`]?: number | null }

const kinds = Object.keys(retentionDays.min) as ReadonlyArray<RetentionKind>

const retention = (days: KeptDays = {}) =>
  Object.fromEntries(kinds.map((kind) => [kind, days[`${kind}Days`] ?? null])) as RetentionSettings // fromEntries knows no keys

export const configured = (
  given: PlatformOptions & PublicDashboard & { readonly retention?: KeptDays },
  brand: Brand
) => {
  const options = effective(settings, given)
  return Layer.mergeAll(
    Layer.succeed(EventFieldNames, brand),
    Layer.succeed(SocketLimit, options.limits.sockets),
    Layer.succeed(AccountLimits, accountLimitsOf(given.limits ?? {})),
    Layer.succeed(RetentionSettings, retention(given.retention)),
    Layer.succeed(OutboundSettings, {
      headerPrefix: brand.headerPrefix,
      exempt: Result.getOrElse(AddressPolicy.parseNetworks(options.webhooks.allowNetworks), () => [])
    }),
    Vault.layer(options.encryptionKey, options.previousEncryptionKeys),
    people(options, brand),
    singleSignOn(options, given),
    signIn(options, brand).pipe(
      Layer.provideMerge(options.outbound === undefined ? noOutbound : layerOf<OutboundLayer>(options.outbound))
    )
  )
}
