/** Who may sign people in, as the options say. Source: docs/reference/access.md#tokens. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccessSettings, roleWord, Tokens } from "../platform/accounts/index.ts"
import type { Brand } from "../platform/kernel/index.ts"
import { Outbound } from "../platform/outbound/index.ts"
import { keySetFetch } from "./KeySetFetch.ts"
import type { TrunklineOptions } from "./Options.ts"

type AuthOptions = NonNullable<TrunklineOptions["auth"]>

const tokenSettings = ({ jwt = {} }: AuthOptions, fetch: Tokens.FetchKeys): Tokens.TokenSettings => {
  const { audience = [], claims, issuer = null, jwks, jwksUrl, roles = {}, secret } = jwt
  return {
    secret: secret === undefined ? null : typeof secret === "string" ? new TextEncoder().encode(secret) : secret,
    keySet:
      jwks !== undefined
        ? { _tag: "Keys", keys: jwks }
        : jwksUrl !== undefined
          ? { _tag: "Url", url: jwksUrl, fetch }
          : null,
    claims: {
      subject: claims?.subject ?? "sub",
      account: claims?.account ?? "tenant_id",
      role: claims?.role ?? "role"
    },
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
const tokensLayer = ({ auth = {}, outbound }: TrunklineOptions) =>
  Layer.effect(
    Tokens.TokenSettings,
    Effect.gen(function* () {
      const tokens = tokenSettings(auth, outbound === undefined ? fetch : keySetFetch(yield* Outbound))
      yield* sayWhoIsTrusted(tokens)
      return tokens
    })
  )

export const signInSettings = (options: TrunklineOptions, { channel, keyPrefix }: Brand) => {
  const { allowedOrigins = [], authenticate = null, checkOrigin = true } = options.auth ?? {}
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
