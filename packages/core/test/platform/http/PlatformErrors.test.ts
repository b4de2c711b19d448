/** The errors of use cases, and the page that lists them. */
import { readFileSync } from "node:fs"
import { Instant } from "@trunkline/core/effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { read, sources } from "../../../../../test/house/Sources.ts"
import * as Errors from "../../../src/host/HostErrors.ts"
import { allErrors, errorCodes, makeToTrunklineError } from "../../../src/host/index.ts"
import { edgeCodes } from "../../../src/platform/http/engine/ErrorCodes.ts"
import { edgeSentences, unavailableDetail } from "../../../src/platform/http/index.ts"
import { keyRefusals } from "../../../src/platform/http/KeyedWrites.ts"
import { classes as wireErrors } from "../../../src/platform/http/PlatformErrors.ts"

const id = "…"
const progress = { sent: 0, parts: 1, isCertain: true }
const fault = (field: string, message: string) => ({ faults: [{ field, message }] }) as never

/** An error of each kind: a new row in a room's table does not compile until it is here. */
const samples: {
  readonly [Tag in keyof typeof allErrors]: Error
} = {
  AccountInactive: new Errors.AccountInactive(),
  AccountMoved: new Errors.AccountMoved(),
  AccountMoveRefused: new Errors.AccountMoveRefused({ detail: "…" }),
  AccountMoveTimedOut: new Errors.AccountMoveTimedOut({ detail: "…" }),
  AccountMoving: Errors.AccountMoving.now(),
  AccountNotFound: new Errors.AccountNotFound({ id }),
  AgentModelMissing: new Errors.AgentModelMissing({ reason: "model_unknown", model: "…" }),
  AgentSilent: new Errors.AgentSilent({ reason: "timeout" }),
  AgentThrottled: new Errors.AgentThrottled({ reason: "throttled", retryAfterSeconds: 5 }),
  AgentUnpaid: new Errors.AgentUnpaid({ reason: "credits" }),
  AssigneeUnknown: new Errors.AssigneeUnknown(),
  BotConfigRefused: new Errors.BotConfigRefused(fault("config.stt_model", "Expected a text")),
  BotNotFound: new Errors.BotNotFound({ id }),
  CallNotFound: new Errors.CallNotFound({ id }),
  CampaignEnded: new Errors.CampaignEnded({ status: "completed" }),
  CampaignRunning: new Errors.CampaignRunning(),
  CampaignNotFound: new Errors.CampaignNotFound({ id }),
  ConnectedNumberNotFound: new Errors.ConnectedNumberNotFound({ id }),
  ConversationsUsedUp: new Errors.ConversationsUsedUp({ retryAfterSeconds: 1 }),
  ContactCalling: new Errors.ContactCalling(),
  ContactHeld: new Errors.ContactHeld({ holder: "Anna", until: Date.UTC(2026, 10, 21) }),
  ContactNotFound: new Errors.ContactNotFound({ id }),
  ContactsClosed: new Errors.ContactsClosed({ status: "running" }),
  ConversationAssigned: new Errors.ConversationAssigned({ to: "Ada" }),
  ConversationEnded: new Errors.ConversationEnded({ id }),
  ConversationNotFound: new Errors.ConversationNotFound({ id }),
  CrossOrigin: new Errors.CrossOrigin(),
  ContactExists: new Errors.ContactExists({ id }),
  CrmContactNotFound: new Errors.CrmContactNotFound({ id }),
  CsvRefused: new Errors.CsvRefused({ reason: "no_rows", row: null }),
  DeliveryNotFound: new Errors.DeliveryNotFound({ id }),
  EmailEntryNotFound: new Errors.EmailEntryNotFound({ id }),
  EmailReportRefused: new Errors.EmailReportRefused({ detail: '"ada" is no email address' }),
  EntryNotFound: new Errors.EntryNotFound({ id }),
  ExamplesMissing: new Errors.ExamplesMissing(),
  EventRefused: new Errors.EventRefused({ detail: "There is no event payment.made; the events are …" }),
  FeatureDisabled: new Errors.FeatureDisabled({ accountId: id }),
  InvalidKey: new Errors.InvalidKey(fault("expiresAt", "A key must expire in the future; it is … now")),
  KeyExpired: new Errors.KeyExpired({ id }),
  KeyNotFound: new Errors.KeyNotFound({ id }),
  KeyRevoked: new Errors.KeyRevoked({ id }),
  KnowledgeNotFound: new Errors.KnowledgeNotFound({ id }),
  FileRoomTaken: new Errors.FileRoomTaken({ of: "account", retryAfterSeconds: 5 }),
  InvalidTemplateCampaign: new Errors.InvalidTemplateCampaign(
    fault("quietHoursEnd", "The hours must end after they start, on the same day")
  ),
  ListClosed: new Errors.ListClosed({ status: "running" }),
  ListedContactNotFound: new Errors.ListedContactNotFound({ id }),
  ListedContactStarted: new Errors.ListedContactStarted({ status: "sent" }),
  ImportsMissing: new Errors.ImportsMissing(),
  InvalidMessage: new Errors.InvalidMessage(fault("text", "Field required")),
  MappingRefused: new Errors.MappingRefused(fault("columnMap", 'The file has no column "Phone"')),
  MonthlyBudgetExceeded: new Errors.MonthlyBudgetExceeded({ retryAfterSeconds: 1 }),
  MoveRefused: new Errors.MoveRefused({ from: "draft", to: "running" }),
  NoCallerNumber: new Errors.NoCallerNumber(),
  NotPreview: new Errors.NotPreview({ dialMode: "power" }),
  NotWaiting: new Errors.NotWaiting({ status: "done" }),
  NumberNotFound: new Errors.NumberNotFound({ id }),
  NumberSuppressed: new Errors.NumberSuppressed(),
  NumberNotProven: new Errors.NumberNotProven(),
  NumberTaken: new Errors.NumberTaken({ phoneNumberId: id, isKept: false }),
  OutOfCredits: new Errors.OutOfCredits(),
  InvalidPeriod: new Errors.InvalidPeriod({
    sentence: "The period ends before it begins: `end` must be after `start`."
  }),
  PaymentMethodRequired: new Errors.PaymentMethodRequired(),
  OptedOut: new Errors.OptedOut(),
  FlowEndpointMissing: new Errors.FlowEndpointMissing({ id }),
  FlowKeyNotFound: new Errors.FlowKeyNotFound({ id }),
  FlowUrlRefused: new Errors.FlowUrlRefused({ detail: "…" }),
  PublicUrlMissing: new Errors.PublicUrlMissing({}),
  InvalidPayment: new Errors.InvalidPayment({
    faults: [{ field: "discount", message: "The bill comes to 0: nothing is to be paid" }]
  }),
  PaymentCaptured: new Errors.PaymentCaptured({ id }),
  PaymentConfigurationNotFound: new Errors.PaymentConfigurationNotFound({ name: "shop" }),
  PaymentNotFound: new Errors.PaymentNotFound({ id }),
  ReferenceUsed: new Errors.ReferenceUsed({ referenceId: "order-1" }),
  OptOutAtPlatform: new Errors.OptOutAtPlatform({ id }),
  OptOutNotFound: new Errors.OptOutNotFound({ id }),
  PlatformDown: new Errors.PlatformDown({
    ...progress,
    sentence: "The platform is out of order for the moment. Send again later. (platform code 131016)"
  }),
  PlatformMissing: new Errors.PlatformMissing(),
  PlatformRefusal: new Errors.PlatformRefusal({
    ...progress,
    sentence:
      "The message cannot be delivered: the customer may not use the platform, or not its present version. (platform code 131026)"
  }),
  PlatformThrottled: new Errors.PlatformThrottled({
    ...progress,
    sentence:
      "The platform takes no more messages of this number for now. Send again later, and less at a time. (platform code 130429)",
    retryAfterSeconds: 6
  }),
  RailsRefused: new Errors.InvalidDialingSettings(
    fault("quietHoursEnd", "The calling window must end after it starts, on the same day")
  ),
  StillInUse: new Errors.StillInUse({ what: "phone number" }),
  LimitReached: new Errors.LimitReached({ name: "agents", max: 50, fits: 0 }),
  StorageError: new Errors.StorageError({ reason: "unavailable", detail: "…" }),
  RecipientOptedOut: new Errors.RecipientOptedOut(),
  ScheduleMissing: new Errors.ScheduleMissing(),
  StartRefused: new Errors.StartRefused({ reasons: [{ code: "no_contacts", message: "…" }] }),
  TemplateCampaignEnded: new Errors.TemplateCampaignEnded({ status: "completed" }),
  TemplateCampaignNotFound: new Errors.TemplateCampaignNotFound({ id }),
  TemplateFixed: new Errors.TemplateFixed({ status: "running" }),
  TemplateInUse: new Errors.TemplateInUse({ name: "autumn_offer" }),
  TemplateMoveRefused: new Errors.TemplateMoveRefused({ from: "draft", to: "paused" }),
  RecordingNotFound: new Errors.RecordingNotFound(),
  RecordingRuns: new Errors.RecordingRuns(),
  TelephonyMissing: new Errors.TelephonyMissing(),
  TemplateNeedsOneSource: new Errors.TemplateNeedsOneSource(),
  StreamOfPeople: new Errors.StreamOfPeople(),
  TemplateNotFound: new Errors.TemplateNotFound({ id }),
  TooManyConversations: new Errors.TooManyConversations({ retryAfterSeconds: 1 }),
  TooManyStreams: new Errors.TooManyStreams({ of: "person", max: 10, retryAfterSeconds: 5 }),
  UnusableNumber: new Errors.UnusableNumber({ field: "to", written: "" }),
  WebhookNotFound: new Errors.WebhookNotFound({ id }),
  WebhookPaused: new Errors.WebhookPaused(),
  VoiceAlertNotFound: new Errors.VoiceAlertNotFound({ id }),
  VoiceAlertRefused: new Errors.VoiceAlertRefused(fault("threshold", "Expected 0 to 1: connect_rate is a rate")),
  WebhookUrlRefused: new Errors.WebhookUrlRefused({ detail: "…" }),
  WindowClosed: new Errors.WindowClosed({ closedAt: Date.UTC(2026, 10, 22, 9, 30), replyWindowMs: Instant.day }),
  MessageNotFound: new Errors.MessageNotFound({ id }),
  EmailTaken: new Errors.EmailTaken(),
  InvalidPerson: new Errors.InvalidPerson(fault("email", "Field required")),
  LastOwner: new Errors.LastOwner(),
  LinkNotFound: new Errors.LinkNotFound(),
  MemberNotFound: new Errors.MemberNotFound({ id }),
  MembersExist: new Errors.MembersExist(),
  OwnersAlone: new Errors.OwnersAlone(),
  PeopleAlone: new Errors.PeopleAlone(),
  SessionNeeded: new Errors.SessionNeeded(),
  SessionNotFound: new Errors.SessionNotFound({ id }),
  SignInRefused: new Errors.SignInRefused(),
  TeamFull: new Errors.TeamFull({ places: 2 }),
  TooManyFailures: new Errors.TooManyFailures({ retryAfterSeconds: 1 })
}

const toTrunklineError = makeToTrunklineError(allErrors)

const page = readFileSync(new URL("../../../../../docs/reference/errors.md", import.meta.url), "utf8")
const rowsOf = (anchor: string) => {
  const [section = ""] = page.split(`\n## ${anchor}\n`)[1]?.split("\n## ") ?? []
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.slice(2, -2).split(" | "))
}

describe("the errors of use cases", () => {
  const codes = rowsOf("Codes").map(([code = "", status, sentence]) => ({
    code: code.replaceAll("`", ""),
    status: Number(status),
    sentence
  }))

  // Verifies: D-232.
  it("are what docs/reference/errors.md lists, each with its status, and no others", () => {
    expect(Object.fromEntries(codes.map(({ code, status }) => [code, status]))).toEqual(errorCodes)
    expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length)
    expect(codes.map(({ status }) => status)).toEqual(codes.map(({ status }) => status).sort((a, b) => a - b))
  })

  it("have the sentences of docs/reference/errors.md", () => {
    const documented = new Map(codes.map(({ code, sentence }) => [code, sentence]))
    for (const sample of Object.values(samples)) {
      const { code, message } = toTrunklineError(sample, undefined) as {
        readonly code: string
        readonly message: string
      }
      expect(documented.get(code), code).toBe(code === "storage_error" ? unavailableDetail : message)
    }
  })

  // Verifies: D-232.
  it("have in a promise the status that they have on the wire, whatever a bundler calls their classes", () => {
    for (const tag of Object.keys(allErrors) as ReadonlyArray<keyof typeof allErrors>) {
      expect(toTrunklineError(samples[tag], undefined), tag).toMatchObject(allErrors[tag])
      expect(allErrors[tag].status, tag).toBeGreaterThanOrEqual(400)
    }
    const wires = Object.entries(wireErrors).map(([status, wire]) => {
      expect(wire.ast.annotations?.httpApiStatus).toBe(Number(status))
      return [wire, wire.name] as const
    })
    const rename = (wire: object, value: string) => Object.defineProperty(wire, "name", { value, configurable: true })
    for (const [wire] of wires) rename(wire, "a")
    onTestFinished(() => {
      for (const [wire, name] of wires) rename(wire, name)
    })
    expect(toTrunklineError(samples.WebhookPaused, undefined)).toMatchObject({ code: "webhook_paused", status: 400 })
    expect(toTrunklineError(samples.WebhookUrlRefused, undefined)).toMatchObject({ status: 400 })
    expect(toTrunklineError(samples.KeyNotFound, undefined)).toMatchObject({ code: "key_not_found", status: 404 })
    expect(toTrunklineError(samples.EventRefused, undefined)).toMatchObject({ code: "event_refused", status: 422 })
  })

  it("without a code are internal errors, which keep their cause", () => {
    const bug = new RangeError("Invalid time zone specified: Mars/X")
    expect(toTrunklineError(bug, undefined)).toMatchObject({ code: "internal_error", status: 500, cause: bug })
  })
})

describe("the errors of the edges", () => {
  const rows = rowsOf("Edges").map(([status, code = "", sentence = ""]) => ({
    status: Number(status),
    code: code.replaceAll("`", ""),
    sentence
  }))

  it("have the codes of the code, and those of authentication beside them", () => {
    const documented = new Map(rows.map(({ code, status }) => [code, status]))
    for (const [status, code] of Object.entries(edgeCodes)) expect(documented.get(code), code).toBe(Number(status))
    const keyCodes = Object.values(keyRefusals).map(({ code }) => code)
    const others = [...documented.keys()].filter((code) => ![...Object.values(edgeCodes), ...keyCodes].includes(code))
    expect(others.toSorted()).toEqual(["account_inactive", "account_terminated", "api_key_expired"])
  })

  it("have the sentences of the code", () => {
    const texts = sources()
      .filter(({ path }) => /^packages\/(?:core|providers)\/src\//.test(path))
      .map(({ path }) => read(path))
      .join("\n")
    // A value is … in the page.
    const missing = rows.flatMap(({ sentence }) => sentence.split("…").filter((part) => !texts.includes(part)))
    expect(missing).toEqual([])
  })

  it("include those of every route", () => {
    const documented = new Set(rows.map(({ sentence, status }) => `${status} ${sentence}`))
    for (const [status, sentence] of Object.entries(edgeSentences))
      expect(documented).toContain(`${status} ${sentence}`)
  })
})
