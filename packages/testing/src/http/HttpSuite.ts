/** The HTTP conformance suite: the same scenarios for every way of putting the product behind a server. */
import type { StorageProvider } from "@trunkline/core"
import { accountLimitsSuite } from "./AccountLimitsSuite.ts"
import { analyticsSuite } from "./AnalyticsSuite.ts"
import { auditSuite } from "./AuditSuite.ts"
import { batchesSuite } from "./BatchesSuite.ts"
import { bodySuite } from "./BodySuite.ts"
import { botsSuite } from "./BotsSuite.ts"
import { botTestSuite } from "./BotTestSuite.ts"
import { callbackSuite } from "./CallbackSuite.ts"
import { callOutcomeSuite } from "./CallOutcomeSuite.ts"
import { campaignLifeSuite } from "./CampaignLifeSuite.ts"
import { campaignListSuite } from "./CampaignListSuite.ts"
import { catalogSuite } from "./CatalogSuite.ts"
import { changeStreamSuite } from "./ChangeStreamSuite.ts"
import { channelEventSuite } from "./ChannelEventSuite.ts"
import { channelFactsSuite } from "./ChannelFactsSuite.ts"
import { channelsSuite } from "./ChannelsSuite.ts"
import { chatRoutesSuite } from "./ChatRoutesSuite.ts"
import { compatibleSendSuite } from "./CompatibleSendSuite.ts"
import { dashboardFilesSuite } from "./DashboardFilesSuite.ts"
import { doNotCallSuite } from "./DoNotCallSuite.ts"
import { edgeSuite } from "./EdgeSuite.ts"
import { emailWebhookSuite } from "./EmailWebhookSuite.ts"
import { embeddingsSuite } from "./EmbeddingsSuite.ts"
import { envelopeSuite } from "./EnvelopeSuite.ts"
import { errorCodeSuite } from "./ErrorCodeSuite.ts"
import { fallbackSuite } from "./FallbackSuite.ts"
import { fieldSuite } from "./FieldSuite.ts"
import { filesSuite } from "./FilesSuite.ts"
import { flowsSuite } from "./FlowsSuite.ts"
import type { Start } from "./HttpWorld.ts"
import { imagesSuite } from "./ImagesSuite.ts"
import { inboundSuite } from "./InboundSuite.ts"
import { inboxSuite } from "./InboxSuite.ts"
import { inferenceEnvelopeSuite } from "./InferenceEnvelopeSuite.ts"
import { keptResponsesSuite } from "./KeptResponsesSuite.ts"
import { keyedWriteSuite } from "./KeyedWriteSuite.ts"
import { keysSuite } from "./KeysSuite.ts"
import { largestSuite } from "./LargestSuite.ts"
import { llmMeteringSuite } from "./LlmMeteringSuite.ts"
import { llmRequestsSuite } from "./LlmRequestsSuite.ts"
import { llmStreamsSuite } from "./LlmStreamsSuite.ts"
import { malformedFormSuite } from "./MalformedFormSuite.ts"
import { membersSuite } from "./MembersSuite.ts"
import { messagesRoutesSuite } from "./MessagesRoutesSuite.ts"
import { messagingRoutesSuite } from "./MessagingRoutesSuite.ts"
import { modelsSuite } from "./ModelsSuite.ts"
import { mountSuite } from "./MountSuite.ts"
import { notedWritesSuite } from "./NotedWritesSuite.ts"
import { oidcSuite } from "./OidcSuite.ts"
import { optOutsSuite } from "./OptOutsSuite.ts"
import { originSuite } from "./OriginSuite.ts"
import { overviewSuite } from "./OverviewSuite.ts"
import { paymentsSuite } from "./PaymentsSuite.ts"
import { planUsageSuite } from "./PlanUsageSuite.ts"
import { platformWebhookSuite } from "./PlatformWebhookSuite.ts"
import { portalSuite } from "./PortalSuite.ts"
import { previewSuite } from "./PreviewSuite.ts"
import { responsesRoutesSuite } from "./ResponsesRoutesSuite.ts"
import { roleRoutesSuite } from "./RoleRoutesSuite.ts"
import { sessionOriginSuite } from "./SessionOriginSuite.ts"
import { noSessionsSuite, sessionsSuite } from "./SessionsSuite.ts"
import { shutdownSuite } from "./ShutdownSuite.ts"
import { signInSuite } from "./SignInSuite.ts"
import { speechSuite } from "./SpeechSuite.ts"
import { speechSynthesisSuite } from "./SpeechSynthesisSuite.ts"
import { streamSuite } from "./StreamSuite.ts"
import { templateCampaignsSuite } from "./TemplateCampaignsSuite.ts"
import { undecodablePathSuite } from "./UndecodablePathSuite.ts"
import { usageRoutesSuite } from "./UsageRoutesSuite.ts"
import { voiceAlertsSuite } from "./VoiceAlertsSuite.ts"
import { voiceAnalysisSuite } from "./VoiceAnalysisSuite.ts"
import { voiceSessionSuite } from "./VoiceSessionSuite.ts"
import { walkSuite } from "./WalkSuite.ts"
import { webSearchSuite } from "./WebSearchSuite.ts"

type Suite = (name: string, start: Start, storage: () => StorageProvider) => void

/** Mounting, sign-in, edges, the end, and a walk through all routes. */
const hostSuites: ReadonlyArray<Suite> = [
  callbackSuite,
  dashboardFilesSuite,
  changeStreamSuite,
  edgeSuite,
  mountSuite,
  originSuite,
  oidcSuite,
  sessionOriginSuite,
  shutdownSuite,
  signInSuite,
  walkSuite
]

/** Bodies of every kind and size, in both directions: JSON, bytes as they came, forms, files, streams. */
const bodySuites: ReadonlyArray<Suite> = [bodySuite, streamSuite]

/** Rules of routes, which are the same behind every host. */
const routeSuites: ReadonlyArray<Suite> = [
  accountLimitsSuite,
  analyticsSuite,
  auditSuite,
  batchesSuite,
  botsSuite,
  botTestSuite,
  callOutcomeSuite,
  campaignLifeSuite,
  campaignListSuite,
  catalogSuite,
  channelEventSuite,
  channelFactsSuite,
  channelsSuite,
  compatibleSendSuite,
  doNotCallSuite,
  emailWebhookSuite,
  embeddingsSuite,
  envelopeSuite,
  errorCodeSuite,
  fieldSuite,
  filesSuite,
  flowsSuite,
  imagesSuite,
  inboundSuite,
  inboxSuite,
  keptResponsesSuite,
  keyedWriteSuite,
  keysSuite,
  largestSuite,
  malformedFormSuite,
  membersSuite,
  messagingRoutesSuite,
  modelsSuite,
  notedWritesSuite,
  optOutsSuite,
  overviewSuite,
  paymentsSuite,
  planUsageSuite,
  platformWebhookSuite,
  portalSuite,
  previewSuite,
  responsesRoutesSuite,
  roleRoutesSuite,
  sessionsSuite,
  noSessionsSuite,
  speechSuite,
  speechSynthesisSuite,
  templateCampaignsSuite,
  undecodablePathSuite,
  usageRoutesSuite,
  voiceAlertsSuite,
  voiceAnalysisSuite,
  voiceSessionSuite,
  webSearchSuite
]

/** Rules of the routes that relays answer too, on hosts that have relays. */
const relayedSuites: ReadonlyArray<Suite> = [
  chatRoutesSuite,
  fallbackSuite,
  inferenceEnvelopeSuite,
  llmMeteringSuite,
  llmRequestsSuite,
  llmStreamsSuite,
  messagesRoutesSuite
]

const all =
  (suites: ReadonlyArray<Suite>): Suite =>
  (name, start, storage) => {
    for (const suite of suites) suite(name, start, storage)
  }

/**
 * Everything in which hosts can differ: how requests reach the product and answers leave it. `storage` makes a fresh, empty
 * one for each product that is started. Every answer is held against the OpenAPI document of the product.
 *
 * @example
 * TransportSuite("my framework", start, () => sqlite(":memory:"))
 */
export const TransportSuite = all([...hostSuites, ...bodySuites])

/** The scenarios of a host alone, without bodies. For further versions of one framework. */
export const HostSuite = all(hostSuites)

/** The rules of all routes. They run once, on what every host passes its requests to. */
export const RouteSuite = all(routeSuites)

/** The rules of routes of language models. They run once, on a host that has relays: those hand over what they do not answer. */
export const LlmSuite = all(relayedSuites)

/** Every scenario, for an adapter that passes requests on in another way. */
export const HttpSuite = all([...hostSuites, ...bodySuites, ...routeSuites, ...relayedSuites])
