/** Who is asking: a key or a person of one account. Pure. */
import * as Context from "effect/Context"
import type * as Ids from "../PlatformIds.ts"
import type { Account } from "./Account.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { Role } from "./Role.ts"
import { type Grant, grants, type Scope } from "./Scope.ts"

export type Caller =
  /** `version`: the one at which the key and its account were remembered; absent where they were read for this request. */
  | { readonly _tag: "Key"; readonly key: ApiKey; readonly version?: number }
  | { readonly _tag: "User"; readonly subject: string; readonly role: Role }
  /** A person whom the host knows by scopes. */
  | { readonly _tag: "ScopedUser"; readonly subject: string; readonly scopes: ReadonlyArray<Grant> }

export interface Principal {
  readonly tenantId: Ids.AccountId
  readonly account: Account
  readonly caller: Caller
}

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@trunkline/core/platform/accounts/CurrentPrincipal"
) {}

const writes = (scope: Scope): boolean => !scope.endsWith(":read")
const readers: ReadonlySet<string> = new Set(["viewer", "read_only"])

/** A sentence saying what is missing, or null. A role reads everything; `viewer` and `read_only` write nothing. Source: docs/reference/access.md#roles. */
export const missing = (caller: Caller, scope: Scope, shown: string): string | null => {
  switch (caller._tag) {
    case "Key":
      return grants(caller.key.scopes, scope) ? null : `This API key lacks the scope ${shown}. Use a key that has it.`
    case "ScopedUser":
      return grants(caller.scopes, scope)
        ? null
        : `You lack the scope ${shown}. Ask an owner or admin of the account for it.`
    case "User":
      return writes(scope) && readers.has(caller.role)
        ? `The role ${caller.role} may only read. Ask an owner or admin of the account for a role that may write.`
        : null
  }
}

/** True where scopes say what a caller may do, and of people who run the account. */
export const manages = (caller: Caller): boolean =>
  caller._tag !== "User" || caller.role === "owner" || caller.role === "admin"

/** How the audit log names a caller. */
export const actorOf = (caller: Caller): string =>
  caller._tag === "Key" ? `key:${caller.key.id}` : `user:${caller.subject}`
