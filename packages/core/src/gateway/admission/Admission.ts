/** Who may use a route of `/v1/*`, checked in one order. Pure. Source: docs/reference/access.md#inference. */
import {
  type ApiKeys,
  type Caller,
  manages,
  missing,
  type Principal,
  type Scopes,
  spendingRefusal
} from "../../platform/accounts/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"

/** Signed-in persons who may use a route. */
export type SignedIn = "nobody" | "managers" | "everybody"

export interface Needs {
  readonly signedIn: SignedIn
  /** A key must have all of them. */
  readonly permissions: ReadonlyArray<Scopes.Permission>
  readonly scope: Scopes.Scope | null
}

/** Where a browser says that a request comes from. */
export interface Origin {
  readonly origin: string | undefined
  readonly referer: string | undefined
}

/** Account, payment, permission or scope, domain: the first that fails. Null when the request may go on. */
export const refusalOf = (
  { account, caller }: Principal,
  needs: Needs,
  from: Origin,
  at: Instant.Instant
): InferenceRefused | null => {
  const refusal = spendingRefusal(account, at)
  return refusal !== null ? refuse(refusal) : (grantRefusal(caller, needs) ?? domainRefusal(caller, from))
}

const grantRefusal = (caller: Caller, { permissions, scope, signedIn }: Needs): InferenceRefused | null => {
  if (caller._tag !== "Key") {
    if (signedIn === "nobody") return refuse("invalid_api_key")
    if (signedIn === "everybody") return null
    if (!manages(caller)) {
      return refuse("permission_denied", { message: "Only owners and admins of the account may do this." })
    }
  } else {
    const { key } = caller
    const lacking = permissions.find((one) => !key.permissions.includes(one))
    if (lacking !== undefined) {
      return refuse("permission_denied", { message: `This API key lacks the permission ${lacking}.` })
    }
  }
  const lacking = scope === null ? null : missing(caller, scope, scope)
  return lacking === null ? null : refuse("permission_denied", { message: lacking })
}

const domainRefusal = (caller: Caller, { origin, referer }: Origin): InferenceRefused | null => {
  const allowed = caller._tag === "Key" ? caller.key.allowedDomains : null
  if (allowed === null) return null
  const host = hostOf(origin ?? referer)
  return host !== null && allowed.some((entry) => covers(entry, host)) ? null : refuse("domain_not_allowed")
}

/** The host of an address, as browsers write it and without its port; null where there is none. */
const hostOf = (address: string | undefined): string | null => {
  const parsed = address === undefined ? null : URL.parse(address)
  return parsed === null || parsed.hostname === "" ? null : withoutRoot(parsed.hostname)
}

/** The dot that may end a full name changes nothing. */
const withoutRoot = (host: string): string => (host.endsWith(".") ? host.slice(0, -1) : host)

const anySubdomain = "*."

/** An entry may be written as a host, with a port, or as a whole origin. Source: docs/reference/access.md#domains. */
const covers = (entry: string, host: string): boolean => {
  const address = entry.trim().replace(/^https?:\/\//i, "")
  const isWildcard = address.startsWith(anySubdomain)
  const named = hostOf(`http://${isWildcard ? address.slice(anySubdomain.length) : address}`)
  return named !== null && (isWildcard ? host.endsWith(`.${named}`) : host === named)
}

/** Whether a key may use a model, whatever the plan says. Null stands for a caller without a key. */
export const mayUseModel = (key: Pick<ApiKeys.ApiKey, "allowedModels"> | null, model: string): boolean =>
  key === null || key.allowedModels === null || key.allowedModels.includes(model)

/** Whether a key may use a provider of searches. */
export const mayUseSearchProvider = (key: Pick<ApiKeys.ApiKey, "searchProviders"> | null, provider: string): boolean =>
  key === null || key.searchProviders === null || key.searchProviders.includes(provider)
