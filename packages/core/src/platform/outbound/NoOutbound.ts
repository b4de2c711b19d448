/** Stands where a host has passed nothing that carries webhooks out. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Outbound, OutboundFailed } from "./Outbound.ts"

const failed = new OutboundFailed({
  reason: "connection",
  detail: "This installation has no way out: its operator must pass `outbound` when it starts."
})

export const noOutbound = Layer.succeed(Outbound, {
  resolve: () => Effect.fail(failed),
  post: () => Effect.fail(failed),
  request: () => Effect.fail(failed)
})
