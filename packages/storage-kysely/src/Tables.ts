/**
 * Every table, as the code sees it. What a column is on disk stands in the migrations: among them the account of rows that belong
 * to another row, which the database itself fills.
 */

import type {
  Account,
  AccountMove,
  ApiKeys,
  Ids,
  ImportPerson,
  Instant,
  KeptChange,
  KeptItem,
  KeptResponse,
  LedgerEntry,
  LineOutcome,
  MessageError,
  PhoneNumber,
  Prices,
  QuotaPeriod,
  ReportedStatus,
  Scopes,
  Service,
  StoredResponse
} from "@trunkline/core/storage"
import {
  alertEntity,
  analysisEntity,
  batchEntity,
  botEntity,
  CampaignState,
  callEntity,
  callerNumberEntity,
  connectedNumberEntity,
  contactEntity,
  conversationEntity,
  crmContactEntity,
  deliveryEntity,
  emailSuppressionEntity,
  fileEntity,
  knowledgeEntity,
  messageEntity,
  subscriptionEntity,
  suppressionEntity,
  transcriptEntryFields,
  voicemailTemplateEntity,
  voiceSessionEntity
} from "@trunkline/core/storage"
import {
  big,
  bool,
  bytes,
  type Columns,
  columnsOf,
  instant,
  int,
  json,
  type Kind,
  kindsByName,
  nullable,
  type Row,
  text
} from "./Columns.ts"

const moment = instant<Instant.Instant>()
const tenantId = text<Ids.AccountId>()
const matchKey = text<PhoneNumber.MatchKey>()

const { index: _place, ...transcriptColumns } = transcriptEntryFields

/** Fields of a transcript that are columns under their own names. */
export const transcriptFields = Object.keys(transcriptColumns) as Array<keyof typeof transcriptColumns>

export const tables = {
  accounts: {
    id: text<Ids.AccountId>(),
    name: text(),
    plan: text<Account["plan"]>(),
    status: text<string>(),
    voiceCampaigns: bool(),
    paymentMethod: text<Account["paymentMethod"]>(),
    paymentDeadline: nullable(moment),
    monthlyBudget: nullable(big()),
    createdAt: moment,
    updatedAt: moment
  },
  apiKeys: {
    id: text<Ids.KeyId>(),
    tenantId,
    hash: text(),
    prefix: text(),
    name: nullable(text()),
    scopes: json<ReadonlyArray<Scopes.Grant>>(),
    permissions: json<ReadonlyArray<Scopes.Permission>>(),
    budget: nullable(big()),
    budgetPeriod: text<ApiKeys.ApiKey["budgetPeriod"]>(),
    allowedModels: nullable(json<ReadonlyArray<string>>()),
    allowedDomains: nullable(json<ReadonlyArray<string>>()),
    searchProviders: nullable(json<ReadonlyArray<string>>()),
    requestsPerMinute: nullable(int()),
    concurrency: nullable(int()),
    expiresAt: nullable(moment),
    revokedAt: nullable(moment),
    createdAt: moment
  },
  /** Keys whose expiry has not been published yet. */
  keyExpiries: { keyId: text<Ids.KeyId>(), tenantId, expiresAt: moment },
  /** Written by triggers alone: see AccountTotalTriggers.ts. */
  accountTotals: { tenantId, name: text(), n: int() },
  auditLog: { id: text(), tenantId, actor: text(), action: text(), targetId: nullable(text()), at: moment },
  creditAccounts: { tenantId, balance: big(), reserved: big() },
  creditHolds: { id: text(), tenantId, amount: big(), createdAt: moment, budgeted: big() },
  creditLedger: {
    id: text(),
    tenantId,
    amount: big(),
    kind: text<LedgerEntry["kind"]>(),
    ref: nullable(text()),
    createdAt: moment
  },
  /** The database adds `position` and, on Postgres, `epoch`: see OutboxStoreSql. */
  outbox: {
    id: text<Ids.EventId>(),
    tenantId,
    event: text<string>(),
    botId: nullable(text<Ids.BotId>()),
    data: json<Readonly<Record<string, unknown>>>(),
    at: moment
  },
  bots: columnsOf(botEntity),
  botSecrets: { id: text<Ids.BotId>(), secret: text() },
  knowledge: columnsOf(knowledgeEntity),
  /** Parts of entries, under the terms that they are found by. The database adds `position`: see KnowledgeStoreSql. */
  knowledgePassages: {
    entryId: text<Ids.KnowledgeId>(),
    botId: text<Ids.BotId>(),
    firstUnit: int(),
    endUnit: int(),
    titleTerms: text(),
    terms: text()
  },
  /** How many entries of an agent have a term; the empty term is in all of them. */
  knowledgeTerms: { botId: text<Ids.BotId>(), term: text(), entries: int() },
  connectedNumbers: columnsOf(connectedNumberEntity),
  chatCustomers: {
    id: text<Ids.CustomerId>(),
    tenantId,
    phoneId: text<Ids.PhoneId>(),
    phone: nullable(text()),
    userRef: nullable(text()),
    name: nullable(text()),
    conversationId: text<Ids.ConversationId>(),
    windowExpiresAt: nullable(moment),
    lastMessageAt: moment,
    createdAt: moment
  },
  /** Phones that are forms of one number have one `formOf`. */
  phoneForms: { tenantId, phoneId: text<Ids.PhoneId>(), phone: text(), formOf: text() },
  replyJobs: {
    customerId: text<Ids.CustomerId>(),
    dueAt: nullable(moment),
    claim: nullable(text()),
    claimedUntil: nullable(moment),
    handledUpTo: nullable(text<Ids.MessageId>()),
    waitingSince: nullable(moment),
    answeredAt: nullable(moment),
    failures: int()
  },
  conversations: columnsOf(conversationEntity),
  /** The database adds `position`: see MessageStoreSql. */
  chatMessages: columnsOf(messageEntity),
  unmatchedStatuses: {
    id: text(),
    phoneId: text<Ids.PhoneId>(),
    msgid: text(),
    status: text<string>(),
    fault: nullable(json<MessageError>()),
    change: nullable(json<KeptChange>()),
    at: moment
  },
  phoneNumbers: columnsOf(callerNumberEntity),
  voicemailTemplates: columnsOf(voicemailTemplateEntity),
  suppressionEntries: columnsOf(suppressionEntity),
  crmContacts: columnsOf(crmContactEntity),
  /** People of imports that are under way, see ImportStoreSql. */
  importRows: {
    importId: text(),
    matchKey,
    rowNo: int(),
    occurrences: int(),
    fields: json<ImportPerson["fields"]>(),
    custom: json<Readonly<Record<string, string>>>(),
    optedIn: bool(),
    phone: text(),
    name: nullable(text()),
    crmId: text<Ids.CrmContactId>(),
    contactId: text<Ids.ContactId>(),
    attach: bool(),
    createdAt: moment
  },
  campaigns: columnsOf(CampaignState),
  campaignContacts: columnsOf(contactEntity),
  /** Accounts that move to another installation, or have moved: see MoveStoreSql. */
  accountMoves: {
    tenantId,
    moveId: text(),
    phase: text<string>(),
    other: text(),
    place: int(),
    cursor: nullable(text()),
    updatedAt: moment
  },
  /** Campaigns that are gone and whose contacts still have to go. */
  removedCampaigns: { id: text<Ids.CampaignId>(), tenantId, createdAt: moment },
  calls: columnsOf(callEntity),
  webhooks: columnsOf(subscriptionEntity),
  webhookDeliveries: columnsOf(deliveryEntity),
  /** Subscriptions that are gone and whose log still has to go. */
  removedWebhooks: { id: text<Ids.WebhookId>(), tenantId, createdAt: moment },
  /** Where the ids of what is pending in a table begin. */
  queueFloors: { name: text(), floor: text() },
  emailSuppressions: columnsOf(emailSuppressionEntity),
  /** Keys under which a host has published: each publishes once. */
  publishKeys: { tenantId, key: text(), eventId: text<Ids.EventId>(), createdAt: moment },
  usageLog: {
    id: text<Ids.UsageId>(),
    tenantId,
    createdAt: moment,
    requestId: text(),
    keyId: nullable(text<Ids.KeyId>()),
    service: text<Service>(),
    model: text(),
    httpStatus: int(),
    units: int(),
    unit: text<Prices.Unit>(),
    inputTokens: int(),
    outputTokens: int(),
    cacheReadTokens: int(),
    cacheCreationTokens: int(),
    credits: big(),
    latencyMs: int(),
    sessionId: nullable(text()),
    traceId: nullable(text())
  },
  usageHolds: {
    id: text<Ids.UsageId>(),
    tenantId,
    keyId: nullable(text<Ids.KeyId>()),
    service: text<Service>(),
    month: text(),
    period: nullable(text()),
    calls: int(),
    amount: big(),
    reserved: big(),
    lapsed: bool(),
    expiresAt: moment
  },
  usageCounts: { tenantId, service: text<QuotaPeriod["service"]>(), month: text(), used: int(), pending: int() },
  spends: {
    ownerId: text(),
    period: text(),
    spent: big(),
    pendingAmount: big(),
    alerted: bool(),
    exceeded: bool()
  },
  bonusGrants: { tenantId, month: text(), plan: text<Account["plan"]>() },
  keyWindows: { keyId: text<Ids.KeyId>(), seq: int() },
  keyRequests: { keyId: text<Ids.KeyId>(), seq: int(), at: moment },
  keyPlaces: { id: text<Ids.UsageId>(), keyId: text<Ids.KeyId>(), until: moment },
  idempotencyKeys: {
    tenantId,
    key: text(),
    fingerprint: text(),
    claim: nullable(text()),
    leaseUntil: nullable(moment),
    hasActed: bool(),
    answer: nullable(json<StoredResponse>()),
    expiresAt: moment
  },
  keptResponses: {
    id: text(),
    tenantId,
    response: json<KeptResponse["response"]>(),
    before: json<KeptResponse["before"]>(),
    expiresAt: moment
  },
  /** Items of the inputs and outputs of kept responses: see ResponseStoreSql. */
  keptItems: {
    responseId: text(),
    place: int(),
    tenantId,
    itemKey: text(),
    itemId: text(),
    item: json<KeptItem["item"]>(),
    isInput: bool(),
    expiresAt: moment
  },
  voiceSessions: columnsOf(voiceSessionEntity),
  /** `n` is the place of an entry in its session, whose account and agent stand beside it: alerts look for replies by them. */
  voiceTranscripts: {
    ...{ sessionId: text<Ids.VoiceSessionId>(), n: int(), tenantId, botId: nullable(text<Ids.BotId>()) },
    ...columnsOf({ fields: transcriptColumns })
  },
  /** The latest of each session. */
  voiceAnalyses: columnsOf(analysisEntity),
  voiceAlerts: columnsOf(alertEntity),
  files: columnsOf(fileEntity),
  batches: columnsOf(batchEntity),
  batchLines: {
    batchId: text<Ids.BatchId>(),
    n: int(),
    customId: text(),
    fromByte: int(),
    byteLength: int(),
    outcome: nullable(text<LineOutcome>()),
    result: nullable(text())
  },
  /** Accounts with batches that have not ended. A claimed account is due when its claim runs out. */
  batchQueue: { tenantId, dueAt: moment, claim: nullable(text()) },
  fileChunks: { fileId: text<Ids.FileId>(), n: int(), chunk: bytes() },
  carrierSlots: { carrier: text(), nextStartAt: moment, storedAt: nullable(moment) },
  providerStates: {
    provider: text(),
    key: text(),
    state: json<Readonly<Record<string, unknown>>>(),
    isOpen: bool()
  }
} satisfies Record<string, Columns>

type Tables = typeof tables

/** Statuses are enumerations of their tables; one column name must hold one kind, not one set of words. */
interface Statuses {
  accounts: Account["status"]
  unmatchedStatuses: ReportedStatus
}

export type Database = {
  [T in keyof Tables]: T extends keyof Statuses
    ? Omit<Row<Tables[T]>, "status"> & { status: Statuses[T] }
    : T extends "accountMoves"
      ? AccountMove
      : Row<Tables[T]>
}

/** What statements answer with besides columns of tables. */
const answers = {
  /** A count. */
  n: int(),
  calls: int(),
  audioSeconds: int(),
  characters: int(),
  created: int(),
  attached: int(),
  abandonedCount: int(),
  ended: int(),
  answered: int(),
  unsuccessful: int(),
  hungUp: int(),
  connected: int(),
  seconds: int(),
  cursor: text(),
  billions: big(),
  epoch: text(),
  ones: big(),
  position: int()
}

export const kinds: ReadonlyMap<string, Kind> = kindsByName({ ...tables, answers })
