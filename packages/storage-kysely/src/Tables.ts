/** Every table, as the code sees it. What a column is on disk stands in the migrations. */
import type {
  Account,
  AnsweredBy,
  ApiKeys,
  CallStatus,
  CampaignStatus,
  ContactStatus,
  DialMode,
  EndReason,
  EventName,
  Failure,
  Ids,
  LastError,
  LedgerEntry,
  PhoneNumber,
  StopReason
} from "@trunkline/core/effect"
import {
  big,
  bool,
  type Columns,
  instant,
  int,
  json,
  type Kind,
  kindsByName,
  nullable,
  type Row,
  text
} from "./Columns.ts"

const tenantId = text<Ids.AccountId>()
const matchKey = text<PhoneNumber.MatchKey>()

export const tables = {
  accounts: {
    id: text<Ids.AccountId>(),
    name: text(),
    plan: text<Account["plan"]>(),
    status: text<string>(),
    voiceCampaigns: bool(),
    paymentMethod: text<Account["paymentMethod"]>(),
    paymentDeadline: nullable(instant()),
    monthlyBudget: nullable(big()),
    createdAt: instant(),
    updatedAt: instant()
  },
  apiKeys: {
    id: text<Ids.KeyId>(),
    tenantId,
    hash: text(),
    prefix: text(),
    name: nullable(text()),
    scopes: json<ApiKeys.ApiKey["scopes"]>(),
    permissions: json<ApiKeys.ApiKey["permissions"]>(),
    budget: nullable(big()),
    budgetPeriod: text<ApiKeys.ApiKey["budgetPeriod"]>(),
    allowedModels: nullable(json<ReadonlyArray<string>>()),
    allowedDomains: nullable(json<ReadonlyArray<string>>()),
    searchProviders: nullable(json<ReadonlyArray<string>>()),
    requestsPerMinute: nullable(int()),
    concurrency: nullable(int()),
    expiresAt: nullable(instant()),
    revokedAt: nullable(instant()),
    createdAt: instant()
  },
  auditLog: { id: text(), tenantId, actor: text(), action: text(), targetId: nullable(text()), at: instant() },
  creditAccounts: { tenantId, balance: big(), reserved: big() },
  creditHolds: { id: text(), tenantId, amount: big(), createdAt: instant() },
  creditLedger: {
    id: text(),
    tenantId,
    amount: big(),
    kind: text<LedgerEntry["kind"]>(),
    ref: nullable(text()),
    createdAt: instant()
  },
  /** `epoch` is the writer's transaction on Postgres and 0 on SQLite, see OutboxStoreSql. */
  outbox: {
    id: text<Ids.EventId>(),
    tenantId,
    event: text<EventName>(),
    botId: nullable(text<Ids.BotId>()),
    data: json<Readonly<Record<string, unknown>>>(),
    at: instant()
  },
  bots: {
    id: text<Ids.BotId>(),
    tenantId,
    name: text(),
    type: text(),
    systemPrompt: nullable(text()),
    isActive: bool(),
    config: json<Readonly<Record<string, unknown>>>(),
    createdAt: instant(),
    updatedAt: instant()
  },
  phoneNumbers: { id: text<Ids.NumberId>(), tenantId, phone: text(), label: nullable(text()), createdAt: instant() },
  voicemailTemplates: {
    id: text<Ids.TemplateId>(),
    tenantId,
    name: text(),
    text: nullable(text()),
    audioUrl: nullable(text()),
    createdAt: instant(),
    updatedAt: instant()
  },
  suppressionEntries: {
    id: text<Ids.EntryId>(),
    tenantId,
    phone: text(),
    matchKey,
    reason: nullable(text()),
    createdAt: instant()
  },
  crmContacts: {
    id: text<Ids.CrmContactId>(),
    tenantId,
    phone: text(),
    matchKey,
    name: nullable(text()),
    firstName: nullable(text()),
    lastName: nullable(text()),
    email: nullable(text()),
    company: nullable(text()),
    tags: json<ReadonlyArray<string>>(),
    notes: nullable(text()),
    optedIn: bool(),
    custom: json<Readonly<Record<string, string>>>(),
    createdAt: instant(),
    updatedAt: instant()
  },
  campaigns: {
    id: text<Ids.CampaignId>(),
    tenantId,
    name: text(),
    status: text<string>(),
    totalContacts: int(),
    completedContacts: int(),
    failedContacts: int(),
    timezone: text(),
    quietHoursStart: int(),
    quietHoursEnd: int(),
    maxAttempts: int(),
    dialMode: text<DialMode>(),
    paceSeconds: int(),
    parallelLines: int(),
    amdEnabled: bool(),
    botId: nullable(text<Ids.BotId>()),
    fromNumberId: nullable(text<Ids.NumberId>()),
    scheduledAt: nullable(instant()),
    voicemailTemplateId: nullable(text<Ids.TemplateId>()),
    createdAt: instant(),
    updatedAt: instant(),
    nextDialAt: nullable(instant()),
    lastDialAt: nullable(instant()),
    refusals: int(),
    nextSeq: int()
  },
  campaignContacts: {
    id: text<Ids.ContactId>(),
    tenantId,
    campaignId: text<Ids.CampaignId>(),
    seq: int(),
    phone: text(),
    matchKey,
    name: nullable(text()),
    status: text<string>(),
    attempts: int(),
    nextAttemptAt: nullable(instant()),
    approvedAt: nullable(instant()),
    lastError: nullable(text<LastError>()),
    callId: nullable(text<Ids.CallId>()),
    createdAt: instant()
  },
  /** Campaigns that are gone and whose contacts still have to go. */
  removedCampaigns: { id: text<Ids.CampaignId>(), createdAt: instant() },
  calls: {
    id: text<Ids.CallId>(),
    tenantId,
    campaignId: nullable(text<Ids.CampaignId>()),
    contactId: nullable(text<Ids.ContactId>()),
    attempt: nullable(int()),
    botId: nullable(text<Ids.BotId>()),
    fromNumberId: nullable(text<Ids.NumberId>()),
    from: nullable(text()),
    to: text(),
    toKey: text<PhoneNumber.MatchKey>(),
    status: text<string>(),
    answeredBy: nullable(text<AnsweredBy>()),
    burstId: nullable(text<Ids.BurstId>()),
    isWinner: bool(),
    abandoned: bool(),
    provider: text(),
    providerCallId: nullable(text()),
    startedAt: instant(),
    rangAt: nullable(instant()),
    answeredAt: nullable(instant()),
    endedAt: nullable(instant()),
    durationSeconds: nullable(int()),
    endReason: nullable(text<EndReason>()),
    failure: nullable(text<Failure>()),
    credits: big(),
    createdAt: instant(),
    detectMachine: bool(),
    voicemailTemplateId: nullable(text<Ids.TemplateId>()),
    windowClosesAt: nullable(instant()),
    stopReason: nullable(text<StopReason>()),
    messageAt: nullable(instant()),
    paidUntil: nullable(instant()),
    lookUps: int(),
    firstLookUpAt: nullable(instant()),
    heardAt: instant(),
    checkAt: nullable(instant())
  },
  carrierSlots: { carrier: text(), nextStartAt: instant() },
  carrierBook: {
    callId: text<Ids.CallId>(),
    providerCallId: text(),
    to: text(),
    from: nullable(text()),
    detectMachine: bool(),
    acceptedAt: instant(),
    stoppedAt: nullable(instant()),
    messageAt: nullable(instant()),
    closedAt: nullable(instant())
  }
} satisfies Record<string, Columns>

type Tables = typeof tables

/** Statuses are enumerations of their tables; one column name must hold one kind, not one set of words. */
interface Statuses {
  accounts: Account["status"]
  campaigns: CampaignStatus
  campaignContacts: ContactStatus
  calls: CallStatus
}

export type Database = {
  [T in keyof Tables]: T extends keyof Statuses
    ? Omit<Row<Tables[T]>, "status"> & { status: Statuses[T] }
    : Row<Tables[T]>
}

export const kinds: ReadonlyMap<string, Kind> = kindsByName(tables)
