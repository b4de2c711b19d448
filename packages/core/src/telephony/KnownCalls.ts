/** Calls as ports of other rooms read them, in whatever transaction they are asked in. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Ids } from "../kernel/index.ts"
import type { Read, StorageError } from "../storage/index.ts"
import type { Call } from "./Call.ts"
import { CallStore } from "./CallStore.ts"

export class KnownCalls extends Context.Service<
  KnownCalls,
  { readonly find: (id: Ids.CallId) => Effect.Effect<Call | null, StorageError, Read> }
>()("@trunkline/core/telephony/KnownCalls") {
  static readonly layer = Layer.effect(
    KnownCalls,
    Effect.map(CallStore, ({ find }) => KnownCalls.of({ find }))
  )
}
