/** The embedded engine of a server: it stands in where no route leads, and finds speech on lines. It is loaded when it is used. */
import { type KindHost, Settings, type TypedUpstreamProvider } from "@trunkline/core/provider"
import type { SileroProvider } from "@trunkline/providers/embedded"
import { embeddedKind, engineSettings } from "@trunkline/providers/embedded/kind"
import { made, type Part } from "./ProviderSections.ts"

export type EngineSection = Settings.FileValuesOf<typeof engineSettings>

/** The part of the section `models` that is about it. */
export const standInSettings = {
  /** Whether the embedded engine stands in where no route leads. Default true. Source: docs/reference/upstreams.md#embedded. */
  embeddedFallback: Settings.flag(true),
  /** The settings of the embedded engine that stands in. Source: docs/reference/embedded.md#settings. */
  embedded: Settings.section(engineSettings)
}

type StandIn = Settings.FileValuesOf<typeof standInSettings>

/** The engine with the options of the file. */
export const standInPart = ({ embedded = {} }: StandIn): Part<TypedUpstreamProvider> => ({
  kind: embeddedKind,
  given: embedded,
  path: "models.embedded"
})

/** Options of models with the engine itself in the place of its settings. */
export const withStandIn = async <M extends StandIn>(models: M, host: KindHost) => {
  const { embedded, embeddedFallback, ...others } = models
  return { ...others, ...(embeddedFallback === false ? {} : { fallback: await made(standInPart(models), host) }) }
}

/** The engines that the configuration may use: upstreams of the kind, and the one that stands in. */
export const enginesOf = ({
  embedded = {},
  embeddedFallback,
  upstreams = {}
}: StandIn & {
  readonly upstreams?: Readonly<Record<string, { readonly kind: string }>>
}): ReadonlyArray<EngineSection> => [
  ...Object.values(upstreams).filter(({ kind }) => kind === embeddedKind.name),
  ...(embeddedFallback === false ? [] : [embedded])
]

const engine = () => import("@trunkline/providers/embedded")

/** Why speech on lines is not found by a network; null where it is. */
type DetectorFault = () => string | null

const detectorFault = async (): Promise<DetectorFault> => (await engine()).sileroFault

/** What finds speech on lines, with the weights of the engine; undefined where it is not installed. */
export const detectorOf = async (
  { embedded: { install, modelsFolder, npm } = {} }: StandIn,
  { log }: KindHost,
  fault?: DetectorFault
): Promise<SileroProvider | undefined> =>
  (fault ?? (await detectorFault()))() === null
    ? (await engine()).silero({ modelsFolder, install, npm, log })
    : undefined

/** The line of a start about what finds speech on lines. */
export const detectorNotice = async (fault?: DetectorFault): Promise<string> => {
  const missing = (fault ?? (await detectorFault()))()
  return missing === null
    ? "speech on lines is detected by Silero"
    : `speech on lines is detected by the energy of sound: ${missing}`
}
