/**
 * For packages of carriers, channels, models and searches, and for those that join the product to a server: its edge, its options and
 * their names in a file.
 */

export {
  type Answer,
  type AnsweredBy,
  type Call,
  type Callback,
  type CallbackAnswer,
  CallbackRefused,
  CallMedia,
  type CallNews,
  type CallRef,
  CallRefused,
  type CallReport,
  Carrier,
  CarrierSilent,
  type CarrierTraits,
  type Comeback,
  type EndOptions,
  type Failure,
  type FinalStatus,
  type Found,
  type MediaDoor,
  type NamedCall,
  type Permit,
  type VoicemailMessage
} from "./calling/calls/index.ts"
export { dashboardWordFaults, settings as dashboardSettings } from "./dashboard/PageOptions.ts"
export type { PageFile, PageFiles, PageSettings } from "./dashboard/pages/index.ts"
export { ModelCatalogue, Models, modelAccess } from "./gateway/catalogue/index.ts"
export { contractPath, isInference } from "./gateway/errors/index.ts"
export { chatToMessages, chatUsage, choiceFault, outputLimitField } from "./gateway/llm/index.ts"
export {
  AudioLength,
  AudioRefused,
  containerOf,
  type Measured,
  readWav,
  type WavFile,
  type WavFormat
} from "./gateway/speech/index.ts"
export {
  type Audio,
  type AudioFormat,
  boundedReads,
  type Capability,
  type ChatAnswer,
  type ChatImage,
  type ChatMessage,
  type ChatTool,
  type ChatWork,
  ChunkBytes,
  type EmbedAnswer,
  type EmbedWork,
  type FieldRefusal,
  type GenerateAnswer,
  type GenerateExchange,
  type GenerateReceiver,
  type GenerateWork,
  type ImageAnswer,
  type ImageWork,
  type Json,
  type ListenConnection,
  type Listening,
  type ListenOptions,
  type LiveSound,
  type LlmApi,
  type LlmEvent,
  numbersOf,
  type OpenGenerate,
  type Run,
  type Segment,
  type SpeakAnswer,
  type SpeakRequest,
  type SpeakWork,
  type SpeechAnswer,
  type SpeechWork,
  serviceOf,
  type ToolCall,
  type Upstream,
  UpstreamFailed,
  Upstreams,
  type UpstreamWhy,
  type Vector,
  type WrittenVector,
  wellFormedCall
} from "./gateway/upstreams/index.ts"
export type { FoundPage, Freshness, SafeSearch, SearchTraits, SearchWork } from "./gateway/web-search/index.ts"
export {
  type SearchOption,
  type SearchOptions,
  type SearchProvider,
  SearchProviders
} from "./gateway/web-search/index.ts"
export * as Ids from "./host/HostIds.ts"
export {
  audioLengthProvider,
  type Contracts,
  channelProvider,
  dashboardProvider,
  type FileOptions,
  internalsOf,
  type KeyOverview,
  type KeyRecord,
  leftOutKeys,
  optionFaults,
  optionNames,
  optionSettings,
  outboundProvider,
  type ReferencePages,
  readEvent,
  recordingsProvider,
  referenceProvider,
  type SpeechDetectorProvider,
  speechDetectorProvider,
  type TypedUpstreamProvider,
  type TypedWebSearchProvider,
  telephonyProvider,
  upstreamProvider,
  Workers,
  webSearchProvider
} from "./host/index.ts"
export {
  type AccountNews,
  type AccountReport,
  type BlockOutcome,
  type ChannelCallback,
  ChannelCallbackRefused,
  type ChannelConnection,
  type ChannelFailed,
  type ChannelFile,
  type ChannelFiles,
  type ChannelIdentity,
  type ChannelNews,
  type ChannelNumbers,
  ChannelRefused,
  type ChannelReply,
  type ChannelTemplates,
  type ChannelTraits,
  ChannelUnreachable,
  ChatChannel,
  type ConnectionRequest,
  type DiscoveredNumber,
  type FilledTemplate,
  InboundSecrets,
  type MessagingLimit,
  type NewFile,
  type NumberFacts,
  type NumberProfile,
  type OutboundMessage,
  type ProfileChange,
  type Quality,
  qualities,
  type Recipient,
  type RefusalClass,
  type Restriction,
  type SendMeaning,
  type Sent,
  sendMeanings,
  type TemplateAnswer,
  type TemplateButton,
  type TemplateFacts,
  type TemplateHeader,
  type TemplateNews,
  type TemplateShape,
  type TemplateText,
  type TemplateValues,
  type Throughput,
  type TranscriptMessage
} from "./messaging/channels/index.ts"
export { compatibleBody, compatibleFault, compatiblePaths } from "./messaging/compat/index.ts"
export { isSameNumber } from "./messaging/customers/index.ts"
export {
  type ButtonsContent,
  type ChoiceContent,
  type ContactCard,
  type ContactsContent,
  type ContentOption,
  type ContentType,
  contentJson,
  contentOf,
  contentTypes,
  type FileReference,
  type InboundBatch,
  type InboundMessage,
  type InboundPreference,
  type InboundStatus,
  type JsonObject,
  type KnownContent,
  type ListContent,
  type LocationContent,
  type MediaContent,
  type MediaKind,
  type MessageChange,
  type MessageContent,
  type MessageError,
  type MessagePricing,
  maxTextLength,
  type RawContent,
  type ReactionContent,
  type ReportedStatus,
  type TemplateContent,
  type TextContent,
  type TypedJson
} from "./messaging/messages/index.ts"
export {
  type AccountOverview,
  type AuditRecord,
  accountOf,
  askingAccounts,
  operator,
  startingCredits
} from "./platform/accounts/index.ts"
export {
  detectorFrame,
  EnergyDetector,
  type MediaLine,
  type MediaListener,
  type SpeechDetector,
  SpeechDetectors,
  SynthesisToLine,
  telephoneFormat,
  wavHeader,
  wavHeaderBytes
} from "./platform/audio/index.ts"
export { Plans } from "./platform/billing/index.ts"
export type { Brand } from "./platform/brand/index.ts"
export { brandOf, DashboardFacts, type PageTheme, themeFaults } from "./platform/brand/index.ts"
export { eventFaults } from "./platform/events/index.ts"
export {
  clientAddresses,
  clientOf,
  edgeCodes,
  errorHeader,
  type Listen,
  ListensToBody,
  lostBodies,
  originForm,
  pathOf,
  type RelayConnection,
  type RelayStream,
  rememberPrincipal,
  SlowBody
} from "./platform/http/index.ts"
export {
  escapedHtml,
  exactForeignJson,
  foreignJson,
  guarded,
  hmacSha256Hex,
  Instant,
  isLonger,
  isObject,
  joinedBytes,
  jsonPieces,
  largeBytes,
  MinuteLimit,
  maxJsonDepth,
  ownTurn,
  pastInterim,
  sha256Hex,
  timingSafeEqual,
  traced,
  tracedFn,
  Wire
} from "./platform/kernel/index.ts"
export { PhoneNumber } from "./platform/numbers/index.ts"
export {
  AddressPolicy,
  Outbound,
  type OutboundAnswer,
  OutboundFailed,
  type OutboundPost,
  type OutboundRequest
} from "./platform/outbound/index.ts"
export { linkAddress, Members, memberRoles } from "./platform/people/index.ts"
export type { SocketConnection, SocketListener, SocketRoute } from "./platform/room/index.ts"
export {
  asFile,
  type Environment,
  faultsIn,
  type KindHost,
  merged,
  type ProviderKind,
  pathIn,
  providerKind,
  readSettings,
  type SettingFault,
  Settings,
  unknownKey
} from "./platform/settings/index.ts"
export { type ProviderState, ProviderStateStore, Storage, StorageError, Tx } from "./platform/storage/index.ts"
export { RecordingFailed, RecordingFiles, type RecordingWriter } from "./voice/sessions/index.ts"
