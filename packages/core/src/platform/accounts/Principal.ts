/** Who is asking: a key or a person of one account. Pure. */
import * as Context from "effect/Context"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Account } from "./Account.ts"
import type { ApiKey } from "./ApiKey.ts"
import { isManaging, type Role, roleGrants } from "./Role.ts"
import { allowed, grantsKey, grantsPerson, isOfPeople, type PersonGrant, type Scope } from "./Scope.ts"

/** How a person has signed in. */
export type SignIn =
  /** The host says who it is. */
  | { readonly _tag: "Host" }
  | { readonly _tag: "Token"; readonly expiresAt: Instant.Instant }
  | {
      readonly _tag: "Session"
      readonly id: Ids.SessionId
      readonly email: string
      readonly expiresAt: Instant.Instant
    }

interface Person {
  readonly subject: string
  /** Null where nobody has said it. */
  readonly name: string | null
  readonly signIn: SignIn
}

export type Caller =
  /** `version`: the one at which the key and its account were remembered; absent where they were read for this request. */
  | { readonly _tag: "Key"; readonly key: ApiKey; readonly version?: number }
  | ({ readonly _tag: "User"; readonly role: Role } & Person)
  /** A person whom the host knows by scopes. */
  | ({ readonly _tag: "ScopedUser"; readonly scopes: ReadonlyArray<PersonGrant> } & Person)

export interface Principal {
  readonly tenantId: Ids.AccountId
  readonly account: Account
  readonly caller: Caller
}

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@trunkline/core/platform/accounts/CurrentPrincipal"
) {}

/** Whether a caller may do it: a key and a person with scopes by these, other people by their role. */
export const may = (caller: Caller, scope: Scope): boolean => {
  switch (caller._tag) {
    case "Key":
      return grantsKey(caller.key.scopes, scope)
    case "ScopedUser":
      return grantsPerson(caller.scopes, scope)
    case "User":
      return roleGrants(caller.role, scope)
  }
}

/** All that a caller may do. */
export const scopesOf = (caller: Caller): ReadonlyArray<Scope> => allowed((scope) => may(caller, scope))

/** A sentence saying what is missing, or null. `shown` is the scope in the brand's words. Source: docs/reference/access.md#roles. */
export const missing = (caller: Caller, scope: Scope, shown: string): string | null => {
  if (may(caller, scope)) return null
  switch (caller._tag) {
    case "Key":
      return isOfPeople(scope)
        ? `No API key may do this: it needs the scope ${shown}, which people alone can have. Sign in as an owner or admin of the account.`
        : `This API key lacks the scope ${shown}. Use a key that has it.`
    case "ScopedUser":
      return `You lack the scope ${shown}. Ask an owner or admin of the account for it.`
    case "User":
      return isManaging(scope)
        ? `The role ${caller.role} lacks the scope ${shown}: only owners and admins of the account have it.`
        : `The role ${caller.role} may only read. Ask an owner or admin of the account for a role that may write.`
  }
}

/** True where scopes say what a caller may do, and of people who run the account. */
export const manages = (caller: Caller): boolean =>
  caller._tag !== "User" || caller.role === "owner" || caller.role === "admin"
