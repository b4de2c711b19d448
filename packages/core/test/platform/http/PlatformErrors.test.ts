/** The errors of use cases, and the page that lists them. */
import { readFileSync } from "node:fs"
import {
  AccountNotFound,
  BotConfigRefused,
  BotNotFound,
  CallNotFound,
  CampaignEnded,
  CampaignNotFound,
  ConnectedNumberNotFound,
  ContactNotFound,
  ContactsClosed,
  ConversationEnded,
  ConversationNotFound,
  CrmContactNotFound,
  CsvRefused,
  DeliveryNotFound,
  EntryNotFound,
  EventRefused,
  Instant,
  InvalidDialingSettings,
  KeyNotFound,
  KnowledgeNotFound,
  LimitReached,
  MappingRefused,
  MoveRefused,
  NotPreview,
  NotWaiting,
  NumberNotFound,
  NumberNotProven,
  NumberTaken,
  PlatformMissing,
  StillInUse,
  StorageError,
  TelephonyMissing,
  TemplateNeedsOneSource,
  TemplateNotFound,
  UnusableNumber,
  WebhookNotFound,
  WebhookPaused,
  WebhookUrlRefused
} from "@trunkline/core/effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { read, sources } from "../../../../../test/house/Sources.ts"
import {
  AccountInactive,
  ConversationsUsedUp,
  MonthlyBudgetExceeded,
  NoCallerNumber,
  NumberSuppressed,
  OutOfCredits,
  PaymentMethodRequired,
  TooManyConversations
} from "../../../src/calling/calls/index.ts"
import { allErrors, errorCodes, makeToTrunklineError } from "../../../src/host/index.ts"
import {
  FileRoomTaken,
  InvalidMessage,
  PlatformDown,
  PlatformRefusal,
  PlatformThrottled,
  WindowClosed
} from "../../../src/messaging/channels/index.ts"
import { CrossOrigin, FeatureDisabled } from "../../../src/platform/accounts/index.ts"
import { edgeCodes } from "../../../src/platform/http/engine/ErrorCodes.ts"
import { edgeSentences, unavailableDetail } from "../../../src/platform/http/index.ts"
import { keyRefusals } from "../../../src/platform/http/KeyedWrites.ts"
import { classes as wireErrors } from "../../../src/platform/http/PlatformErrors.ts"
import {
  AccountMoved,
  AccountMoveRefused,
  AccountMoveTimedOut,
  AccountMoving
} from "../../../src/platform/moving/index.ts"
import { VoiceAlertNotFound, VoiceAlertRefused } from "../../../src/voice/alerts/index.ts"
import { EmailEntryNotFound, EmailReportRefused } from "../../../src/webhooks/email/index.ts"

const id = "…"
const progress = { sent: 0, parts: 1, isCertain: true }
const fault = (field: string, message: string) => ({ faults: [{ field, message }] }) as never

/** An error of each kind: a new row in a room's table does not compile until it is here. */
const samples: {
  readonly [Tag in keyof typeof allErrors]: Error
} = {
  AccountInactive: new AccountInactive(),
  AccountMoved: new AccountMoved(),
  AccountMoveRefused: new AccountMoveRefused({ detail: "…" }),
  AccountMoveTimedOut: new AccountMoveTimedOut({ detail: "…" }),
  AccountMoving: AccountMoving.now(),
  AccountNotFound: new AccountNotFound({ id }),
  BotConfigRefused: new BotConfigRefused(fault("config.stt_model", "Expected a text")),
  BotNotFound: new BotNotFound({ id }),
  CallNotFound: new CallNotFound({ id }),
  CampaignEnded: new CampaignEnded({ status: "completed" }),
  CampaignNotFound: new CampaignNotFound({ id }),
  ConnectedNumberNotFound: new ConnectedNumberNotFound({ id }),
  ConversationsUsedUp: new ConversationsUsedUp({ retryAfterSeconds: 1 }),
  ContactNotFound: new ContactNotFound({ id }),
  ContactsClosed: new ContactsClosed({ status: "running" }),
  ConversationEnded: new ConversationEnded({ id }),
  ConversationNotFound: new ConversationNotFound({ id }),
  CrossOrigin: new CrossOrigin(),
  CrmContactNotFound: new CrmContactNotFound({ id }),
  CsvRefused: new CsvRefused({ reason: "no_rows", row: null }),
  DeliveryNotFound: new DeliveryNotFound({ id }),
  EmailEntryNotFound: new EmailEntryNotFound({ id }),
  EmailReportRefused: new EmailReportRefused({ detail: '"ada" is no email address' }),
  EntryNotFound: new EntryNotFound({ id }),
  EventRefused: new EventRefused({ detail: "There is no event payment.made; the events are …" }),
  FeatureDisabled: new FeatureDisabled({ accountId: id }),
  KeyNotFound: new KeyNotFound({ id }),
  KnowledgeNotFound: new KnowledgeNotFound({ id }),
  FileRoomTaken: new FileRoomTaken({ of: "account", retryAfterSeconds: 5 }),
  InvalidMessage: new InvalidMessage(fault("text", "Field required")),
  MappingRefused: new MappingRefused(fault("columnMap", 'The file has no column "Phone"')),
  MonthlyBudgetExceeded: new MonthlyBudgetExceeded({ retryAfterSeconds: 1 }),
  MoveRefused: new MoveRefused({ from: "draft", to: "running" }),
  NoCallerNumber: new NoCallerNumber(),
  NotPreview: new NotPreview({ dialMode: "power" }),
  NotWaiting: new NotWaiting({ status: "done" }),
  NumberNotFound: new NumberNotFound({ id }),
  NumberSuppressed: new NumberSuppressed(),
  NumberNotProven: new NumberNotProven(),
  NumberTaken: new NumberTaken({ phoneNumberId: id, isKept: false }),
  OutOfCredits: new OutOfCredits(),
  PaymentMethodRequired: new PaymentMethodRequired(),
  PlatformDown: new PlatformDown({
    ...progress,
    sentence: "The platform is out of order for the moment. Send again later. (platform code 131016)"
  }),
  PlatformMissing: new PlatformMissing(),
  PlatformRefusal: new PlatformRefusal({
    ...progress,
    sentence:
      "The message cannot be delivered: the customer may not use the platform, or not its present version. (platform code 131026)"
  }),
  PlatformThrottled: new PlatformThrottled({
    ...progress,
    sentence:
      "The platform takes no more messages of this number for now. Send again later, and less at a time. (platform code 130429)",
    retryAfterSeconds: 6
  }),
  RailsRefused: new InvalidDialingSettings(
    fault("quietHoursEnd", "The calling window must end after it starts, on the same day")
  ),
  StillInUse: new StillInUse({ what: "phone number" }),
  LimitReached: new LimitReached({ name: "agents", max: 50, fits: 0 }),
  StorageError: new StorageError({ reason: "unavailable", detail: "…" }),
  TelephonyMissing: new TelephonyMissing(),
  TemplateNeedsOneSource: new TemplateNeedsOneSource(),
  TemplateNotFound: new TemplateNotFound({ id }),
  TooManyConversations: new TooManyConversations({ retryAfterSeconds: 1 }),
  UnusableNumber: new UnusableNumber({ field: "to", written: "" }),
  WebhookNotFound: new WebhookNotFound({ id }),
  WebhookPaused: new WebhookPaused(),
  VoiceAlertNotFound: new VoiceAlertNotFound({ id }),
  VoiceAlertRefused: new VoiceAlertRefused(fault("threshold", "Expected 0 to 1: connect_rate is a rate")),
  WebhookUrlRefused: new WebhookUrlRefused({ detail: "…" }),
  WindowClosed: new WindowClosed({ closedAt: Date.UTC(2026, 10, 22, 9, 30), replyWindowMs: Instant.day })
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
