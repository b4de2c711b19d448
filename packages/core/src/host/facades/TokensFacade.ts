/** Tokens for people of an account, as an operator signs them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Accounts, operator, Tokens } from "../../platform/accounts/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { transact } from "../../platform/storage/index.ts"
import { accountId, options, record } from "../Arguments.ts"
import type { Method } from "../Facade.ts"
import type * as Ids from "../HostIds.ts"
import { TrunklineError } from "../TrunklineError.ts"

const dayInSeconds = 86_400
const quarterInSeconds = 900
const maxSecondsToLive = 10 * 366 * dayInSeconds

const newToken = Schema.Struct({
  role: Fields.text(1, 64),
  subject: Schema.optionalKey(Fields.text(1, 255)),
  name: Schema.optionalKey(Fields.name(255)),
  secondsToLive: Schema.optionalKey(Fields.integer(1, maxSecondsToLive))
})

const portalToken = Schema.Struct({
  subject: Schema.optionalKey(Fields.text(1, 255)),
  secondsToLive: Schema.optionalKey(Fields.integer(1, dayInSeconds))
})

/** Tokens that open the dashboard's routes, or the webhooks portal. Source: docs/reference/access.md#tokens. */
export interface TokensFacade {
  /** Signs a dashboard token with the shared secret, and writes `token.create` to the audit log. `name` is what others of the account see. */
  readonly createToken: (
    accountId: string,
    token: {
      readonly role: string
      readonly subject?: string
      readonly name?: string
      readonly secondsToLive?: number
    }
  ) => Promise<{ readonly token: string; readonly expiresAt: Date }>
  /**
   * Signs a token that opens an account's webhooks portal and nothing else, for 900 seconds by default, a day
   * at most. `subject` is who is named in the audit log. Source: docs/reference/webhooks-portal.md#token.
   */
  readonly createPortalToken: (
    accountId: string,
    token?: { readonly secondsToLive?: number; readonly subject?: string }
  ) => Promise<{ readonly token: string; readonly expiresAt: Date }>
}

/** Signs a token for an account that exists. */
const tokenFor = Effect.fnUntraced(function* (
  id: Ids.AccountId,
  secondsToLive: number,
  sign: (
    settings: Tokens.TokenSettings,
    times: { readonly issuedAt: Instant.Instant; readonly expiresAt: Instant.Instant }
  ) => Effect.Effect<string, Tokens.TokenRefused>
) {
  yield* Accounts.use((accounts) => accounts.get(id))
  const issuedAt = yield* Instant.now
  // A token has whole seconds only, and the answer must show the same instant.
  const expiresAt = Instant.make(Math.floor(issuedAt / Instant.second + secondsToLive) * Instant.second)
  const token = yield* Effect.mapError(
    sign(yield* Tokens.TokenSettings, { issuedAt, expiresAt }),
    ({ detail }) => new TrunklineError("token_secret_missing", 500, detail)
  )
  return { token, expiresAt: new Date(expiresAt) }
})

export const tokensFacade = (method: Method): TokensFacade => ({
  createToken: method(
    [accountId, record("token", newToken)],
    (id, { name, role, secondsToLive = dayInSeconds, subject = "operator" }) =>
      Effect.tap(
        tokenFor(id, secondsToLive, (settings, times) =>
          Tokens.sign(settings, { subject, account: id, role, name: name ?? null }, times)
        ),
        transact(Accounts.use((accounts) => accounts.record(id, operator, "token.create", `user:${subject}`)))
      )
  ),
  createPortalToken: method(
    [accountId, options(portalToken, "token")],
    (id, { secondsToLive = quarterInSeconds, subject = "portal" }) =>
      tokenFor(id, secondsToLive, (settings, times) => Tokens.signPortal(settings, { subject, account: id }, times))
  )
})
