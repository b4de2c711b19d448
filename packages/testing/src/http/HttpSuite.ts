/** The HTTP conformance suite: the same scenarios for every way of putting the product behind a server. */
import type { StorageProvider } from "@trunkline/core"
import { batchesSuite } from "./BatchesSuite.ts"
import { botsSuite } from "./BotsSuite.ts"
import { campaignLifeSuite } from "./CampaignLifeSuite.ts"
import { channelEventSuite } from "./ChannelEventSuite.ts"
import { channelsSuite } from "./ChannelsSuite.ts"
import { chatRoutesSuite } from "./ChatRoutesSuite.ts"
import { compatibleSendSuite } from "./CompatibleSendSuite.ts"
import { edgeSuite } from "./EdgeSuite.ts"
import { emailWebhookSuite } from "./EmailWebhookSuite.ts"
import { embeddingsSuite } from "./EmbeddingsSuite.ts"
import { envelopeSuite } from "./EnvelopeSuite.ts"
import { fallbackSuite } from "./FallbackSuite.ts"
import { fieldSuite } from "./FieldSuite.ts"
import { filesSuite } from "./FilesSuite.ts"
import type { Start } from "./HttpWorld.ts"
import { imagesSuite } from "./ImagesSuite.ts"
import { inboundSuite } from "./InboundSuite.ts"
import { inferenceEnvelopeSuite } from "./InferenceEnvelopeSuite.ts"
import { keptResponsesSuite } from "./KeptResponsesSuite.ts"
import { llmMeteringSuite } from "./LlmMeteringSuite.ts"
import { llmRequestsSuite } from "./LlmRequestsSuite.ts"
import { llmStreamsSuite } from "./LlmStreamsSuite.ts"
import { messagesRoutesSuite } from "./MessagesRoutesSuite.ts"
import { messagingRoutesSuite } from "./MessagingRoutesSuite.ts"
import { modelsSuite } from "./ModelsSuite.ts"
import { mountSuite } from "./MountSuite.ts"
import { planUsageSuite } from "./PlanUsageSuite.ts"
import { platformWebhookSuite } from "./PlatformWebhookSuite.ts"
import { portalSuite } from "./PortalSuite.ts"
import { responsesRoutesSuite } from "./ResponsesRoutesSuite.ts"
import { shutdownSuite } from "./ShutdownSuite.ts"
import { signInSuite } from "./SignInSuite.ts"
import { speechSuite } from "./SpeechSuite.ts"
import { speechSynthesisSuite } from "./SpeechSynthesisSuite.ts"
import { usageRoutesSuite } from "./UsageRoutesSuite.ts"
import { voiceAlertsSuite } from "./VoiceAlertsSuite.ts"
import { voiceAnalysisSuite } from "./VoiceAnalysisSuite.ts"
import { voiceSessionSuite } from "./VoiceSessionSuite.ts"
import { webSearchSuite } from "./WebSearchSuite.ts"

/**
 * Runs every scenario against a host. `storage` makes a fresh, empty one for each product that is started. Every answer
 * is held against the OpenAPI document of the product.
 *
 * @example
 * HttpSuite("express", start, () => sqlite(":memory:"))
 */
export const HttpSuite = (name: string, start: Start, storage: () => StorageProvider): void => {
  HostSuite(name, start, storage)
  batchesSuite(name, start, storage)
  botsSuite(name, start, storage)
  campaignLifeSuite(name, start, storage)
  embeddingsSuite(name, start, storage)
  envelopeSuite(name, start, storage)
  fallbackSuite(name, start, storage)
  fieldSuite(name, start, storage)
  imagesSuite(name, start, storage)
  filesSuite(name, start, storage)
  inboundSuite(name, start, storage)
  inferenceEnvelopeSuite(name, start, storage)
  llmRequestsSuite(name, start, storage)
  llmStreamsSuite(name, start, storage)
  llmMeteringSuite(name, start, storage)
  keptResponsesSuite(name, start, storage)
  chatRoutesSuite(name, start, storage)
  messagesRoutesSuite(name, start, storage)
  responsesRoutesSuite(name, start, storage)
  messagingRoutesSuite(name, start, storage)
  modelsSuite(name, start, storage)
  planUsageSuite(name, start, storage)
  platformWebhookSuite(name, start, storage)
  emailWebhookSuite(name, start, storage)
  portalSuite(name, start, storage)
  speechSuite(name, start, storage)
  speechSynthesisSuite(name, start, storage)
  usageRoutesSuite(name, start, storage)
  voiceSessionSuite(name, start, storage)
  voiceAlertsSuite(name, start, storage)
  voiceAnalysisSuite(name, start, storage)
  webSearchSuite(name, start, storage)
  compatibleSendSuite(name, start, storage)
  channelEventSuite(name, start, storage)
  channelsSuite(name, start, storage)
}

/** The scenarios in which hosts differ: mounting, bodies, sign-in, edges, the end. For further versions of one framework. */
export const HostSuite = (name: string, start: Start, storage: () => StorageProvider): void => {
  edgeSuite(name, start, storage)
  mountSuite(name, start, storage)
  shutdownSuite(name, start, storage)
  signInSuite(name, start, storage)
}
