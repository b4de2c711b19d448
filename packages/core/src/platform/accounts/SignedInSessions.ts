/** Port: people who have signed in with a password. The room of people implements it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../storage/index.ts"
import type { HostPerson } from "./HostPrincipal.ts"
import type { Principal } from "./Principal.ts"
import type { AddressedRequest } from "./RequestAddress.ts"

export class SignedInSessions extends Context.Service<
  SignedInSessions,
  {
    /** Whose session a request has; null where it is over. Without an effect where the request has none: most have a key. */
    readonly find: (request: AddressedRequest) => Effect.Effect<HostPerson | null, StorageError> | null
    /** Whether the session of a person goes on, who has the role that they had then. A look is no use of the session. */
    readonly goesOn: (person: Pick<Principal, "tenantId" | "caller">) => Effect.Effect<boolean, StorageError>
  }
>()("@trunkline/core/platform/accounts/SignedInSessions") {}
