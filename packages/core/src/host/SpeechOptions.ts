/** Reads what a host decides about speech: who runs models, and what measures audio. */
import * as Layer from "effect/Layer"
import { AudioLength, type CatalogueSettings, Routing, type Upstream } from "../inference/index.ts"
import type { TrunklineOptions, UpstreamPlug } from "./Options.ts"

type AudioLengthLayer = Layer.Layer<AudioLength>

/** Plugs hide types of Effect's from hosts; packages that make them and this one know what they are. */
const made = (plug: UpstreamPlug, name: string): Upstream => (plug.make as (name: string) => Upstream)(name)

/** The models and what they cost. */
export const catalogueSettings = ({ models, pricing }: TrunklineOptions): CatalogueSettings => ({
  catalogue: models?.catalogue,
  ...(pricing?.defaults === undefined ? {} : { defaults: pricing.defaults }),
  ...(pricing?.usdToCredits === undefined ? {} : { usdToCredits: pricing.usdToCredits })
})

export const speechLayers = ({ audioLength, models = {} }: TrunklineOptions) =>
  Layer.mergeAll(
    Routing.layer({
      upstreams: Object.entries(models.upstreams ?? {}).map(([name, plug]) => made(plug, name)),
      routes: models.routes ?? {},
      fallback: models.fallback === undefined ? null : made(models.fallback, "embedded")
    }),
    // Other kinds than WAV are bounded by their size where nothing measures them.
    (audioLength?.layer as AudioLengthLayer | undefined) ?? AudioLength.layer()
  )
