/** Connections of API keys, such as sockets: each is one request of the key's minute, and has one of its places while it lasts. */
import * as Effect from "effect/Effect"
import type { ApiKeys, KeyMemory, Principal, Scopes } from "../../platform/accounts/index.ts"
import type { AccessChanged } from "../../platform/billing/index.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { refuse } from "../errors/InferenceErrors.ts"
import { keyAdmission, type NotAdmitted } from "./KeyAdmission.ts"

/** A request to connect. */
export interface ConnectionRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface KeyConnection {
  readonly principal: Principal
  readonly key: ApiKeys.ApiKey
  /** Releases the key's place. Running it again changes nothing. */
  readonly release: Effect.Effect<void>
}

/** Connects a key that has the permissions, after the checks of every request of `/v1/*`. */
export const keyConnections = Effect.gen(function* () {
  const { acquire, admit, release } = yield* keyAdmission

  const acquired = Effect.fnUntraced(function* (key: ApiKeys.ApiKey, principal: Principal) {
    const slot = { id: yield* Ids.fresh<"Usage">(), tenantId: principal.tenantId, keyId: key.id, isReleased: false }
    yield* acquire(key, principal, slot)
    return Effect.uninterruptible(release(slot))
  })

  const connect = Effect.fnUntraced(function* (
    credential: string,
    { headers, path }: ConnectionRequest,
    permissions: ReadonlyArray<Scopes.Permission>,
    memory: KeyMemory
  ): Effect.fn.Return<KeyConnection, NotAdmitted | AccessChanged> {
    const asked = { method: "GET", url: path, headers, source: {} }
    const { principal } = yield* admit(credential, asked, { signedIn: "nobody", permissions, scope: null }, memory)
    const { caller } = principal
    // Nobody is signed in here: the checks have let keys alone pass.
    if (caller._tag !== "Key") return yield* Effect.fail({ refused: refuse("invalid_api_key"), allowance: null })
    return { principal, key: caller.key, release: yield* Effect.uninterruptible(acquired(caller.key, principal)) }
  })

  return (
    credential: string,
    request: ConnectionRequest,
    permissions: ReadonlyArray<Scopes.Permission>
  ): Effect.Effect<KeyConnection, NotAdmitted> => {
    const by = (memory: KeyMemory) => connect(credential, request, permissions, memory)
    return Effect.catch(by("use"), (error) => {
      if ("refused" in error) return Effect.fail(error)
      return Effect.catch(by("renew"), (refused) => ("refused" in refused ? Effect.fail(refused) : Effect.die(refused)))
    })
  }
})
