/** Endpoints that a test plays, as a host passes them to the product. */
import type { TrunklineOptions } from "@trunkline/core"
import { Outbound, outboundProvider } from "@trunkline/core/provider"
import * as Layer from "effect/Layer"
import type { Endpoints } from "./Endpoints.ts"

/** A way out that leads to these endpoints, and nowhere else. */
export const fakeOutbound = (endpoints: Endpoints): NonNullable<TrunklineOptions["outbound"]> =>
  outboundProvider(Layer.succeed(Outbound, endpoints.outbound))
