/** The HTTP conformance suite: the same scenarios for every way of putting the product behind a server. */
import type { StorageProvider } from "@trunkline/core"
import { accountLimitsSuite } from "./AccountLimitsSuite.ts"
import { batchesSuite } from "./BatchesSuite.ts"
import { botsSuite } from "./BotsSuite.ts"
import { callbackSuite } from "./CallbackSuite.ts"
import { campaignLifeSuite } from "./CampaignLifeSuite.ts"
import { channelEventSuite } from "./ChannelEventSuite.ts"
import { channelsSuite } from "./ChannelsSuite.ts"
import { chatRoutesSuite } from "./ChatRoutesSuite.ts"
import { compatibleSendSuite } from "./CompatibleSendSuite.ts"
import { edgeSuite } from "./EdgeSuite.ts"
import { emailWebhookSuite } from "./EmailWebhookSuite.ts"
import { embeddingsSuite } from "./EmbeddingsSuite.ts"
import { envelopeSuite } from "./EnvelopeSuite.ts"
import { errorCodeSuite } from "./ErrorCodeSuite.ts"
import { fallbackSuite } from "./FallbackSuite.ts"
import { fieldSuite } from "./FieldSuite.ts"
import { filesSuite } from "./FilesSuite.ts"
import type { Start } from "./HttpWorld.ts"
import { imagesSuite } from "./ImagesSuite.ts"
import { inboundSuite } from "./InboundSuite.ts"
import { inferenceEnvelopeSuite } from "./InferenceEnvelopeSuite.ts"
import { keptResponsesSuite } from "./KeptResponsesSuite.ts"
import { keyedWriteSuite } from "./KeyedWriteSuite.ts"
import { largestSuite } from "./LargestSuite.ts"
import { llmMeteringSuite } from "./LlmMeteringSuite.ts"
import { llmRequestsSuite } from "./LlmRequestsSuite.ts"
import { llmStreamsSuite } from "./LlmStreamsSuite.ts"
import { malformedFormSuite } from "./MalformedFormSuite.ts"
import { messagesRoutesSuite } from "./MessagesRoutesSuite.ts"
import { messagingRoutesSuite } from "./MessagingRoutesSuite.ts"
import { modelsSuite } from "./ModelsSuite.ts"
import { mountSuite } from "./MountSuite.ts"
import { originSuite } from "./OriginSuite.ts"
import { planUsageSuite } from "./PlanUsageSuite.ts"
import { platformWebhookSuite } from "./PlatformWebhookSuite.ts"
import { portalSuite } from "./PortalSuite.ts"
import { responsesRoutesSuite } from "./ResponsesRoutesSuite.ts"
import { shutdownSuite } from "./ShutdownSuite.ts"
import { signInSuite } from "./SignInSuite.ts"
import { speechSuite } from "./SpeechSuite.ts"
import { speechSynthesisSuite } from "./SpeechSynthesisSuite.ts"
import { undecodablePathSuite } from "./UndecodablePathSuite.ts"
import { usageRoutesSuite } from "./UsageRoutesSuite.ts"
import { voiceAlertsSuite } from "./VoiceAlertsSuite.ts"
import { voiceAnalysisSuite } from "./VoiceAnalysisSuite.ts"
import { voiceSessionSuite } from "./VoiceSessionSuite.ts"
import { webSearchSuite } from "./WebSearchSuite.ts"

type Suite = (name: string, start: Start, storage: () => StorageProvider) => void

/** Mounting, sign-in, edges, the end. */
const hostSuites: ReadonlyArray<Suite> = [callbackSuite, edgeSuite, mountSuite, originSuite, shutdownSuite, signInSuite]

/** Bodies of every kind and size, in both directions: JSON, bytes as they came, forms, files, streams, pages. */
const bodySuites: ReadonlyArray<Suite> = [
  envelopeSuite,
  filesSuite,
  inboundSuite,
  inferenceEnvelopeSuite,
  llmStreamsSuite,
  malformedFormSuite,
  portalSuite,
  speechSuite,
  speechSynthesisSuite
]

/** Routes whose requests and answers pass as those above do. */
const routeSuites: ReadonlyArray<Suite> = [
  accountLimitsSuite,
  batchesSuite,
  botsSuite,
  campaignLifeSuite,
  embeddingsSuite,
  errorCodeSuite,
  fallbackSuite,
  fieldSuite,
  keyedWriteSuite,
  largestSuite,
  imagesSuite,
  llmRequestsSuite,
  llmMeteringSuite,
  keptResponsesSuite,
  chatRoutesSuite,
  messagesRoutesSuite,
  responsesRoutesSuite,
  messagingRoutesSuite,
  modelsSuite,
  planUsageSuite,
  platformWebhookSuite,
  emailWebhookSuite,
  undecodablePathSuite,
  usageRoutesSuite,
  voiceSessionSuite,
  voiceAlertsSuite,
  voiceAnalysisSuite,
  webSearchSuite,
  compatibleSendSuite,
  channelEventSuite,
  channelsSuite
]

const all =
  (suites: ReadonlyArray<Suite>): Suite =>
  (name, start, storage) => {
    for (const suite of suites) suite(name, start, storage)
  }

/**
 * Runs every scenario against a host. `storage` makes a fresh, empty one for each product that is started. Every answer
 * is held against the OpenAPI document of the product.
 *
 * @example
 * HttpSuite("express", start, () => sqlite(":memory:"))
 */
export const HttpSuite = all([...hostSuites, ...bodySuites, ...routeSuites])

/** Everything in which hosts can differ: how requests reach the product and answers leave it. For each further host. */
export const TransportSuite = all([...hostSuites, ...bodySuites])

/** The scenarios of a host alone, without bodies. For further versions of one framework. */
export const HostSuite = all(hostSuites)
