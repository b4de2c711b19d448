/** What provider packages make for `createTrunkline`. A host passes it on and sees no type of Effect's. */
import type * as Layer from "effect/Layer"
import type { TelephonyProvider } from "../calling/CallingOptions.ts"
import type { Carrier } from "../calling/calls/index.ts"
import type { DashboardProvider } from "../dashboard/DashboardOptions.ts"
import type { DashboardOptions } from "../dashboard/PageOptions.ts"
import type { PageFiles } from "../dashboard/pages/index.ts"
import type { AudioLengthLayer, MakeSearchProvider, MakeUpstream } from "../gateway/GatewayConfigured.ts"
import type { AudioLengthProvider, UpstreamProvider, WebSearchProvider } from "../gateway/GatewayOptions.ts"
import type { ChannelLayer } from "../messaging/MessagingConfigured.ts"
import type { ChannelProvider } from "../messaging/MessagingOptions.ts"
import type { Brand } from "../platform/brand/index.ts"
import type { OutboundLayer } from "../platform/PlatformConfigured.ts"
import type { OutboundProvider, ReferenceProvider, StorageProvider } from "../platform/PlatformOptions.ts"
import type { RecordingsLayer, SpeechDetectorLayer } from "../voice/VoiceConfigured.ts"
import type { RecordingsProvider, SpeechDetectorProvider } from "../voice/VoiceOptions.ts"
import type { Contracts } from "./Api.ts"
import type { StorageLayer, Stores } from "./StorageLayer.ts"

export type CarrierLayer = Layer.Layer<Carrier, unknown, Stores>

/** What shows the API of a brand. */
export interface ReferencePages {
  /** OpenAPI, as JSON. */
  readonly description: () => string
  /** A page for browsers that shows it. */
  readonly page: () => Promise<string>
  /** The content security policy of the page. */
  readonly policy: string
}

export type MakeReference = (
  contract: Contracts["open"],
  brand: Brand,
  servers: ReadonlyArray<{ readonly url: string }>
) => ReferencePages

/** A provider whose layer has its type, for packages that use Effect. */
type WithLayer<P, L> = P & { readonly layer: L }

/** An upstream provider whose `make` has its type, for packages that use Effect. */
export interface TypedUpstreamProvider extends UpstreamProvider {
  readonly make: MakeUpstream
}

/** The same of a search provider. */
export interface TypedWebSearchProvider extends WebSearchProvider {
  readonly make: MakeSearchProvider
}

// The mark of a provider is a type alone: `as never` adds it.

/** The storage of a product. */
export const storageProvider = <L extends StorageLayer>(layer: L): WithLayer<StorageProvider, L> =>
  ({ kind: "storage", layer }) as never

/** Who places calls. */
export const telephonyProvider = <L extends CarrierLayer>(layer: L): WithLayer<TelephonyProvider, L> =>
  ({ kind: "telephony", layer }) as never

/** What delivers webhooks. */
export const outboundProvider = <L extends OutboundLayer>(layer: L): WithLayer<OutboundProvider, L> =>
  ({ kind: "outbound", layer }) as never

/** What shows the API. */
export const referenceProvider = (url: string, make: MakeReference): ReferenceProvider =>
  ({ kind: "reference", url, make }) as never

/** The pages for people. */
export const dashboardProvider = (dashboard: {
  readonly options: DashboardOptions
  readonly english: Readonly<Record<string, string>>
  readonly files: PageFiles
}): DashboardProvider => ({ kind: "dashboard", ...dashboard }) as never

/** What measures audio. */
export const audioLengthProvider = <L extends AudioLengthLayer>(layer: L): WithLayer<AudioLengthProvider, L> =>
  ({ kind: "audioLength", layer }) as never

/** Where recordings of voice sessions are kept. */
export const recordingsProvider = <L extends RecordingsLayer>(layer: L): WithLayer<RecordingsProvider, L> =>
  ({ kind: "recordings", layer }) as never
/** What finds speech. */
export const speechDetectorProvider = <L extends SpeechDetectorLayer>(layer: L): WithLayer<SpeechDetectorProvider, L> =>
  ({ kind: "speechDetector", layer }) as never

/** Who runs models. */
export const upstreamProvider = (make: MakeUpstream): TypedUpstreamProvider => ({ kind: "upstream", make }) as never

/** Who searches the web. */
export const webSearchProvider = (make: MakeSearchProvider): TypedWebSearchProvider =>
  ({ kind: "search", make }) as never

/** A way to chat with customers. */
export const channelProvider = <L extends ChannelLayer>(layer: L): WithLayer<ChannelProvider, L> =>
  ({ kind: "messaging", layer }) as never

/** The layer of a provider, whose kind was checked with the options. */
export const layerOf: {
  (provider: StorageProvider): StorageLayer
  (provider: TelephonyProvider): CarrierLayer
  (provider: OutboundProvider): OutboundLayer
  (provider: AudioLengthProvider): AudioLengthLayer
  (provider: RecordingsProvider): RecordingsLayer
  (provider: SpeechDetectorProvider): SpeechDetectorLayer
  (provider: ChannelProvider): ChannelLayer
} = ({ layer }: { readonly layer: unknown }) => layer as never
