/** What provider packages make for `createTrunkline`. A host passes it on and sees no type of Effect's. */
import type * as Layer from "effect/Layer"
import type { Carrier } from "../calling/calls/index.ts"
import type { AudioLength } from "../gateway/speech/index.ts"
import type { Upstream } from "../gateway/upstreams/index.ts"
import type { SearchProvider } from "../gateway/web-search/index.ts"
import type { ChatChannel } from "../messaging/channels/index.ts"
import type { SpeechDetectors } from "../platform/audio/index.ts"
import type { Brand } from "../platform/kernel/index.ts"
import type { Outbound } from "../platform/outbound/index.ts"
import type { RecordingFiles } from "../voice/sessions/index.ts"
import type { Contracts } from "./Api.ts"
import type { StorageLayer, Stores } from "./StorageLayer.ts"

declare const provides: unique symbol

/** Made by the function for its kind alone, so that what it carries has the type that the core expects. */
interface Provider<Kind extends string> {
  readonly kind: Kind
  /** A type without a value: an object literal is no provider. */
  readonly [provides]: Kind
}

/** Made by a storage package: `sqlite(path)`, `postgres(url)`. */
export interface StorageProvider extends Provider<"storage"> {
  readonly layer: unknown
}

/** Made by a provider package: `simulator()`, `twilio({ … })`. */
export interface TelephonyProvider extends Provider<"telephony"> {
  readonly layer: unknown
}

/** Made by `outbound()` of @trunkline/node. */
export interface OutboundProvider extends Provider<"outbound"> {
  readonly layer: unknown
}

/** Made by `audioLength()` of @trunkline/node. */
export interface AudioLengthProvider extends Provider<"audioLength"> {
  readonly layer: unknown
}

/** Made by `recordings({ folder })` of @trunkline/node. */
export interface RecordingsProvider extends Provider<"recordings"> {
  readonly layer: unknown
}

/** Made by `apiReference()` of @trunkline/node. */
export interface ReferenceProvider extends Provider<"reference"> {
  /** Where callers reach the mount point. */
  readonly url: string
  /** Makes the pages of a brand. */
  readonly make: unknown
}

/** Finds speech in the sound of lines. Made by a provider package: `silero()`. */
export interface SpeechDetectorProvider extends Provider<"speechDetector"> {
  readonly layer: unknown
}

/** Made by a provider package: `openai({ … })`, `sarvam({ … })`, `deepgram({ … })`. */
export interface UpstreamProvider extends Provider<"upstream"> {
  /** Makes the upstream of a name. */
  readonly make: unknown
}

/** Searches the web. Made by a provider package: `brave({ … })`, `tavily({ … })`, `searxng({ … })`. */
export interface WebSearchProvider extends Provider<"search"> {
  /** Makes the search provider of a name. */
  readonly make: unknown
}

/** A chat channel. Made by a provider package: `cloudApi({ … })`, `telegram({ … })`. */
export interface ChannelProvider extends Provider<"messaging"> {
  readonly layer: unknown
}

export type CarrierLayer = Layer.Layer<Carrier, unknown, Stores>
export type OutboundLayer = Layer.Layer<Outbound>
export type AudioLengthLayer = Layer.Layer<AudioLength>
export type RecordingsLayer = Layer.Layer<RecordingFiles>
export type SpeechDetectorLayer = Layer.Layer<SpeechDetectors>
export type ChannelLayer = Layer.Layer<ChatChannel>

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
export type MakeUpstream = (name: string) => Upstream
export type MakeSearchProvider = (name: string) => SearchProvider

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

/** The search provider of what a package has made, under a name that callers use. */
export const searchProviderOf = (provider: WebSearchProvider, name: string): SearchProvider =>
  (provider.make as MakeSearchProvider)(name)

/** The upstream of a provider, under a name that routes use. */
export const upstreamOf = (provider: UpstreamProvider, name: string): Upstream => (provider.make as MakeUpstream)(name)
