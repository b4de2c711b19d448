/**
 * The chat platform over its Cloud API, or over a provider or a mock that speaks it.
 *
 * Promises  CLAP-1 one verb is at most one request that changes anything, and nothing is sent twice.
 *           CLAP-2 it is certain that nothing arrived only where no connection was made; after that, no answer is no verdict.
 *           CLAP-3 every wait and every answer has a bound.
 *           CLAP-4 neither a token nor an address is in any detail, and no token in anything that is passed on.
 *           CLAP-5 a file is fetched over TLS from public addresses, or from where the platform itself is.
 *           CLAP-6 an id goes into a path as one segment, or not at all.
 * Needs     Clock.                               Emits  nothing.
 * Not here  who sends again, and what becomes of a delivery (messaging/ in the core).
 * Read      CloudChannel.ts, then CloudApiClient.ts, InboundEnvelope.ts and, for its requests, chat/ChannelWire.ts; in a file CloudApiKind.ts. Source: docs/reference/messaging.md#platform.
 */
export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { cloudApi, layer } from "./CloudApi.ts"
export type { CloudApiClient } from "./CloudApiClient.ts"
export type { CloudApiOptions } from "./CloudApiOptions.ts"
export type { CloudApiFailed } from "./CloudApiRequests.ts"
export { bodyOf, channelRefused, cloudChannel } from "./CloudChannel.ts"
export { decodeInbound, type InboundChange } from "./InboundEnvelope.ts"
export { verifyInbound } from "./InboundSignature.ts"
export { PlatformRefused } from "./PlatformAnswers.ts"
