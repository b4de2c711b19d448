/** Loads the engines on this machine before a request or a call needs them. Source: docs/reference/embedded.md#warm. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Capability, type Upstream, Upstreams } from "./Upstream.ts"

const loaded = ({ keepWarm, name }: Upstream, capability: Capability): Effect.Effect<void> =>
  keepWarm === undefined
    ? Effect.void
    : Effect.catch(Effect.scoped(keepWarm(capability)), ({ detail }) =>
        Effect.logWarning(`the upstream ${name} could not be loaded before it is needed: ${detail}`)
      )

/** Capabilities that engines have. */
const local = ["transcribe", "speak", "embed"] as const

/**
 * In the background: the engines to which routes lead, and those that stand in where agents hear and speak. An agent without a
 * language model does neither, and nobody but a request asks for embeddings: such a request loads what it needs itself.
 */
export const warmEngines: Effect.Effect<void, never, Upstreams | Scope.Scope> = Effect.gen(function* () {
  const { serving, standIn } = yield* Upstreams
  const doAgentsThink = serving("generate").length > 0
  const isNeeded = (capability: Capability) => standIn(capability) === null || (doAgentsThink && capability !== "embed")
  const engines = local
    .filter(isNeeded)
    .flatMap((capability) => serving(capability).map((one) => loaded(one, capability)))
  yield* Effect.forkScoped(Effect.all(engines, { discard: true }))
})
