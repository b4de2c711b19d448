/** Rows for the suites: complete, with whatever a test cares about on top. */
import {
  type Account,
  type Bot,
  type Call,
  type CampaignContact,
  type Conversation,
  type Delivery,
  Ids,
  Instant,
  type Message,
  PhoneNumber,
  type Subscription,
  type VoiceSession
} from "@trunkline/core/effect"
import type {
  ApiKeys,
  CampaignState,
  ConnectedNumber,
  ContactChange,
  Customer,
  FlowEndpoint,
  FlowKey,
  KnownTemplate,
  OptOut,
  Payment,
  ReplyJob,
  SenderPace,
  TemplateCampaign,
  TemplateContact,
  TemplateRecipient
} from "@trunkline/core/storage"
import {
  type CallerNumber,
  type CrmContact,
  newCampaign,
  newTemplateCampaign,
  newTemplateContact,
  type SuppressionEntry,
  type VoicemailTemplate
} from "@trunkline/core/testing"

const ids = Ids.ascending()
const began = Instant.make(1_780_000_000_000)
let sequence = 0

/** A new id; ids ascend in the order in which they are made. */
export const id = <Name extends string>(): Ids.Id<Name> => Ids.as(ids.next(began))

export const at = (milliseconds: number): Instant.Instant => Instant.plus(began, milliseconds)

/** The key of a number that nobody else has. */
export const key = (): PhoneNumber.MatchKey => {
  sequence += 1
  return PhoneNumber.as(String(sequence).padStart(10, "0"))
}

export const account = (over: Partial<Account> = {}): Account => ({
  id: id(),
  name: "Example",
  plan: "free",
  status: "active",
  voiceCampaigns: true,
  paymentMethod: "verified",
  paymentDeadline: null,
  monthlyBudget: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...over
})

export const apiKey = (tenantId: Ids.AccountId, over: Partial<ApiKeys.ApiKey> = {}): ApiKeys.ApiKey => ({
  id: id(),
  tenantId,
  hash: id(),
  prefix: "svc_abc",
  name: null,
  scopes: ["*"],
  permissions: ["llm", "stt"],
  budget: null,
  budgetPeriod: "total",
  allowedModels: null,
  allowedDomains: null,
  searchProviders: null,
  requestsPerMinute: null,
  concurrency: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: at(0),
  createdBy: "operator",
  previousHash: null,
  previousPrefix: null,
  previousUntil: null,
  ...over
})

export const bot = (tenantId: Ids.AccountId, over: Partial<Bot> = {}): Bot => ({
  id: id(),
  tenantId,
  name: "Asha",
  type: "messaging",
  systemPrompt: null,
  isActive: true,
  config: {},
  createdAt: at(0),
  updatedAt: at(0),
  ...over
})

export const callerNumber = (tenantId: Ids.AccountId, over: Partial<CallerNumber> = {}): CallerNumber => ({
  id: id(),
  tenantId,
  phone: "+14155550100",
  label: null,
  createdAt: at(0),
  ...over
})

export const template = (tenantId: Ids.AccountId, over: Partial<VoicemailTemplate> = {}): VoicemailTemplate => ({
  id: id(),
  tenantId,
  name: "Voicemail",
  text: "Please call back.",
  audioUrl: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...over
})

export const entry = (tenantId: Ids.AccountId, over: Partial<SuppressionEntry> = {}): SuppressionEntry => ({
  id: id(),
  tenantId,
  phone: "+91 98765 43210",
  matchKey: key(),
  reason: null,
  createdAt: at(0),
  ...over
})

/** A person in the address book. */
export const person = (tenantId: Ids.AccountId, over: Partial<CrmContact> = {}): CrmContact => ({
  id: id(),
  tenantId,
  phone: "+91 98765 43210",
  matchKey: key(),
  name: null,
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  tags: [],
  notes: null,
  optedIn: false,
  custom: {},
  createdAt: at(0),
  updatedAt: at(0),
  ...over
})

export const campaign = (tenantId: Ids.AccountId, over: Partial<CampaignState> = {}): CampaignState => ({
  ...newCampaign({ name: "Spring" }, { id: id(), tenantId, at: at(0) }),
  ...over
})

export const contact = (
  of: Pick<CampaignState, "tenantId" | "id">,
  seq: number,
  over: Partial<CampaignContact> = {}
): CampaignContact => ({
  id: id(),
  tenantId: of.tenantId,
  campaignId: of.id,
  seq,
  phone: "+91 98765 43210",
  matchKey: key(),
  name: null,
  status: "pending",
  attempts: 0,
  nextAttemptAt: null,
  approvedAt: null,
  approvedBy: null,
  skippedAt: null,
  lastError: null,
  callId: null,
  createdAt: at(0),
  ...over
})

/** What a call has before anything happens to it. */
const untouched = {
  status: "queued",
  answeredBy: null,
  burstId: null,
  isWinner: false,
  abandoned: false,
  providerCallId: null,
  rangAt: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  endReason: null,
  failure: null,
  voiceSessionId: null,
  credits: 0n,
  mediaToken: null,
  awaitsAgent: false,
  stopReason: null,
  messageAt: null,
  paidUntil: null,
  lookUps: 0,
  firstLookUpAt: null,
  silentSince: null,
  outcome: null,
  outcomeNote: null,
  outcomeBy: null,
  outcomeByName: null,
  outcomeAt: null,
  endRequests: 0,
  checkAt: null
} satisfies Partial<Call>

export const call = (tenantId: Ids.AccountId, over: Partial<Call> = {}): Call => ({
  id: id(),
  tenantId,
  campaignId: null,
  contactId: null,
  attempt: null,
  botId: null,
  fromNumberId: null,
  from: null,
  to: "+919876543210",
  toKey: key(),
  ...untouched,
  provider: "simulator",
  startedAt: at(0),
  createdAt: at(0),
  detectMachine: false,
  voicemailTemplateId: null,
  windowClosesAt: null,
  lookUpAt: at(0),
  ...over
})

export const webhook = (tenantId: Ids.AccountId, over: Partial<Subscription> = {}): Subscription => ({
  id: id(),
  tenantId,
  surface: "platform",
  url: "https://example.com/hook",
  description: null,
  events: ["payment.succeeded"],
  secret: "v0.whsec_x",
  secretHint: "whse****xxxx",
  previousSecret: null,
  previousUntil: null,
  isActive: true,
  botId: null,
  retrySchedule: "standard",
  pauseAfterDays: null,
  failingSince: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...over
})

export const delivery = (
  { id: webhookId, surface, tenantId }: Subscription,
  over: Partial<Delivery> = {}
): Delivery => ({
  id: id(),
  tenantId,
  webhookId,
  surface,
  event: "payment.succeeded",
  payload: '{"event":"payment.succeeded"}',
  status: "pending",
  attempts: 0,
  statusCode: null,
  error: null,
  sendId: null,
  createdAt: at(0),
  lastAttemptAt: null,
  deliveredAt: null,
  nextAt: at(0),
  claim: null,
  ...over
})

export const number = (tenantId: Ids.AccountId, over: Partial<ConnectedNumber> = {}): ConnectedNumber => ({
  id: id(),
  tenantId,
  channel: "cloud-api",
  phoneNumberId: key(),
  businessAccountId: "102290129340398",
  displayPhoneNumber: "+91 80 4718 0000",
  isProven: true,
  token: "v0.sealed",
  botId: null,
  aiAutoreplyEnabled: true,
  platform: null,
  factsDueAt: null,
  createdAt: at(0),
  updatedAt: at(0),
  disconnectedAt: null,
  ...over
})

/** Where a channel's network asks about a flow. */
export const flowEndpoint = (tenantId: Ids.AccountId, over: Partial<FlowEndpoint> = {}): FlowEndpoint => ({
  id: id(),
  tenantId,
  channel: "cloud-api",
  businessAccountId: "102290129340398",
  flowId: key(),
  url: "https://example.com/flows",
  secret: "v2.secret",
  createdAt: at(0),
  updatedAt: at(0),
  ...over
})

/** The key of a number for flows. */
export const flowKey = (tenantId: Ids.AccountId, over: Partial<FlowKey> = {}): FlowKey => ({
  phoneId: id(),
  tenantId,
  privateKey: "v2.key",
  fingerprint: "00ff",
  createdAt: at(0),
  ...over
})

/** Somebody who has written STOP. */
export const optOut = (tenantId: Ids.AccountId, over: Partial<OptOut> = {}): OptOut => ({
  id: id(),
  tenantId,
  phone: "+14155550123",
  matchKey: PhoneNumber.usable("+14155550123")!.key,
  userId: null,
  phoneNumberId: null,
  scope: "all",
  source: "keyword",
  detail: "STOP",
  createdAt: at(0),
  ...over
})

/** A bill that a customer was sent. */
export const payment = (tenantId: Ids.AccountId, over: Partial<Payment> = {}): Payment => ({
  id: id(),
  tenantId,
  phoneNumberId: "106540352242922",
  referenceId: "order-1",
  configuration: "shop",
  phone: "16505551234",
  userId: "US.1",
  status: "requested",
  amount: 50_000n,
  currency: "INR",
  messageId: id(),
  msgid: null,
  conversationId: id(),
  transactions: [],
  orderStatus: null,
  expiresAt: null,
  lookUpAt: null,
  lookUps: 0,
  dueAt: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...over
})

/** A template that a business account has submitted. */
export const knownTemplate = (tenantId: Ids.AccountId, over: Partial<KnownTemplate> = {}): KnownTemplate => ({
  tenantId,
  channel: "cloud-api",
  businessAccountId: "102290129340398",
  id: "1",
  name: "order_sent",
  language: "en_US",
  status: "PENDING",
  category: "UTILITY",
  quality: null,
  components: null,
  reason: null,
  rejection: null,
  disableAt: null,
  reportedAt: null,
  readDueAt: null,
  updatedAt: at(0),
  ...over
})

export const templateCampaign = (tenantId: Ids.AccountId, over: Partial<TemplateCampaign> = {}): TemplateCampaign => ({
  ...newTemplateCampaign(
    {
      ...{ id: id(), tenantId, name: "Spring", phoneId: id(), phoneNumberId: "106540352242922" },
      ...{ templateName: "order_sent", templateLanguage: "en_US" }
    },
    at(0)
  ),
  ...over
})

/** A contact that nobody has written to. */
export const templateContact = (
  of: Pick<TemplateCampaign, "tenantId" | "id">,
  seq: number,
  over: Partial<TemplateContact> = {}
): TemplateContact => ({
  ...newTemplateContact(
    { tenantId: of.tenantId, campaignId: of.id },
    {
      ...{ id: id(), seq, phone: "+91 98765 43210", matchKey: key(), userId: null, name: null, variables: {} },
      optedIn: true
    },
    at(0)
  ),
  ...over
})

export const contactChange = (
  { campaignId, id: contactId, tenantId }: Pick<TemplateContact, "tenantId" | "campaignId" | "id">,
  over: Partial<ContactChange> = {}
): ContactChange => ({
  ...{ id: id(), tenantId, campaignId, contactId, from: "sent", to: "delivered", isReply: false },
  ...{ meaning: null, pricing: null, at: at(0) },
  ...over
})

export const senderPace = (tenantId: Ids.AccountId, over: Partial<SenderPace> = {}): SenderPace => ({
  ...{
    phoneId: id(),
    tenantId,
    nextSlot: 0,
    heldUntil: null,
    throttles: 0,
    slowedAt: null,
    slowedTo: 100,
    troubled: []
  },
  ...over
})

/** Somebody whom a business account has written to. */
export const templateRecipient = (
  tenantId: Ids.AccountId,
  businessAccountId: string,
  over: Partial<TemplateRecipient> = {}
): TemplateRecipient => ({ tenantId, channel: "cloud-api", businessAccountId, person: key(), at: at(0), ...over })

/** A customer who has written just now. */
export const customer = (
  { id: phoneId, tenantId }: Pick<ConnectedNumber, "id" | "tenantId">,
  over: Partial<Customer> = {}
): Customer => ({
  id: id(),
  tenantId,
  phoneId,
  phone: `91${key()}`,
  userRef: null,
  name: "Meera",
  conversationId: id(),
  windowExpiresAt: at(Instant.day),
  lastMessageAt: at(0),
  createdAt: at(0),
  ...over
})

/** A job with nothing to do. */
export const replyJob = (over: Partial<ReplyJob> = {}): ReplyJob => ({
  customerId: id(),
  dueAt: null,
  claim: null,
  claimedUntil: null,
  handledUpTo: null,
  waitingSince: null,
  answeredAt: null,
  failures: 0,
  ...over
})

/** The customer's open conversation. */
export const conversation = (
  of: Pick<Customer, "id" | "tenantId" | "phoneId" | "conversationId">,
  over: Partial<Conversation> = {}
): Conversation => ({
  id: of.conversationId,
  tenantId: of.tenantId,
  phoneId: of.phoneId,
  customerId: of.id,
  aiAutoreplyEnabled: true,
  status: "open",
  isCounted: false,
  awaits: "nobody",
  unreadCount: 0,
  lastMessageId: null,
  assignedTo: null,
  assignedName: null,
  lastMessageAt: at(0),
  createdAt: at(0),
  ...over
})

/** A text from the customer, in the open conversation. */
export const message = (
  of: Pick<Customer, "id" | "tenantId" | "phoneId" | "conversationId">,
  over: Partial<Message> = {}
): Message => ({
  id: id(),
  tenantId: of.tenantId,
  phoneId: of.phoneId,
  customerId: of.id,
  conversationId: of.conversationId,
  msgid: `wamid.${key()}`,
  direction: "inbound",
  role: "user",
  type: "text",
  text: "Is my order on its way?",
  body: { body: "Is my order on its way?" },
  context: null,
  callbackData: null,
  status: "received",
  fault: null,
  turnId: null,
  part: null,
  writtenAt: null,
  editedAt: null,
  original: null,
  deletedAt: null,
  isHandled: false,
  sentBy: null,
  sentByName: null,
  campaignId: null,
  contactId: null,
  flowToken: null,
  flowId: null,
  createdAt: at(0),
  ...over
})

/** A session whose caller has not come yet. */
export const voiceSession = (over: Partial<VoiceSession> = {}): VoiceSession => ({
  id: id(),
  tenantId: id(),
  keyId: null,
  botId: id(),
  callId: null,
  status: "created",
  token: "vst_secret",
  tokenDigest: id(),
  tokenExpiresAt: at(60_000),
  maxDurationSeconds: 1800,
  sttModel: null,
  language: null,
  llmModel: null,
  ttsModel: null,
  voice: null,
  variables: {},
  metadata: {},
  startedAt: null,
  endedAt: null,
  durationSeconds: null,
  endReason: null,
  createdAt: at(0),
  dueAt: at(60_000),
  wasCounted: true,
  turnCount: 0,
  credits: 0n,
  recording: "none",
  claim: null,
  leaseUntil: null,
  lastSeenAt: null,
  resumes: 0,
  ...over
})

/** A session that a process of ours runs. */
export const liveSession = (over: Partial<VoiceSession> = {}): VoiceSession =>
  voiceSession({
    status: "active",
    token: null,
    tokenDigest: null,
    startedAt: at(0),
    claim: id(),
    leaseUntil: at(20_000),
    lastSeenAt: at(0),
    ...over
  })
