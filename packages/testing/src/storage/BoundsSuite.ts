/**
 * The database enforces the bounds and the closed sets of values of the code, so that no list contains a row that cannot be
 * shown. Verifies: STOR-5.
 */
import { assert } from "@effect/vitest"
import {
  type Account,
  type Call,
  type Delivery,
  read,
  type Subscription,
  type Tx,
  transact,
  type VoiceSession
} from "@trunkline/core/effect"
import type { AnsweredBy, Failure } from "@trunkline/core/provider"
import {
  AccessStore,
  type ApiKeys,
  CallStore,
  CampaignContactStore,
  type CampaignState,
  CampaignStore,
  ConversationStore,
  DeliveryStore,
  EmailSuppressionStore,
  MessageStore,
  StorageError,
  SubscriptionStore,
  UnmatchedStatusStore,
  VoiceStore
} from "@trunkline/core/storage"
import {
  callStatuses,
  type EmailReason,
  type EndReason,
  everyCampaign,
  type LastError,
  messageStatuses,
  type StopReason,
  type Stores
} from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { settingBounds } from "../SettingBounds.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

/** All values of a type: a new value does not compile until it is here. */
const valuesOf = <V extends string>(values: Readonly<Record<V, true>>) => Object.keys(values) as Array<V>

const campaignStatuses = valuesOf<CampaignState["status"]>({
  draft: true,
  scheduled: true,
  running: true,
  paused: true,
  insufficient_balance: true,
  completed: true,
  cancelled: true
})

const endReasons = valuesOf<EndReason>({
  hangup_remote: true,
  hangup_local: true,
  busy: true,
  no_answer: true,
  failed: true,
  canceled: true,
  do_not_call: true,
  window_closed: true,
  lost_race: true,
  credits: true,
  unknown: true
})

const stopReasons = valuesOf<StopReason>({
  hangup_local: true,
  canceled: true,
  do_not_call: true,
  window_closed: true,
  lost_race: true,
  credits: true
})

const lastErrors = valuesOf<LastError>({
  busy: true,
  no_answer: true,
  machine: true,
  invalid_number: true,
  blocked_number: true,
  do_not_call: true,
  provider_error: true,
  outcome_unknown: true,
  canceled: true
})

type Write = (fields: object) => Effect.Effect<unknown, StorageError, Stores | Tx>

/** One column: rows that it accepts and rows that it rejects. */
interface Bound {
  readonly column: string
  readonly write: Write
  readonly accepts: ReadonlyArray<object>
  readonly rejects: ReadonlyArray<object>
}

const oneOf = <V extends string>(column: string, write: Write, values: ReadonlyArray<V>, isNullable = false): Bound => {
  const [field] = column.split(".").slice(-1) as [string]
  const of = (value: unknown) => ({ [field]: value })
  return {
    column,
    write,
    accepts: [...values.map(of), ...(isNullable ? [of(null)] : [])],
    rejects: [of("zippy"), of(""), of(values[0]!.toUpperCase())]
  }
}

const range = (column: string, write: Write, minimum: number, maximum: number, along: object = {}): Bound => {
  const [field] = column.split(".").slice(-1) as [string]
  const of = (value: number) => ({ ...along, [field]: value })
  return {
    column,
    write,
    accepts: [of(minimum), of(maximum)],
    rejects: [of(minimum - 1), of(maximum + 1), of(-2_000_000_000)]
  }
}

const account: Write = (fields) =>
  AccessStore.use((store) => store.addAccount({ ...Rows.account(), ...(fields as Partial<Account>) }))

const key: Write = (fields) => {
  const owner = Rows.account()
  return AccessStore.use((store) =>
    Effect.andThen(
      store.addAccount(owner),
      store.addKey({ ...Rows.apiKey(owner.id), ...(fields as Partial<ApiKeys.ApiKey>) })
    )
  )
}

const campaign: Write = (fields) =>
  CampaignStore.use((store) => store.add({ ...Rows.campaign(Rows.id()), ...(fields as Partial<CampaignState>) }))

const contact: Write = (fields) =>
  CampaignContactStore.use((store) => store.add([{ ...Rows.contact(Rows.campaign(Rows.id()), 0), ...fields }]))

const call: Write = (fields) =>
  CallStore.use((store) => store.add({ ...Rows.call(Rows.id()), ...(fields as Partial<Call>) }))

const webhook: Write = (fields) =>
  SubscriptionStore.use((store) => store.add({ ...Rows.webhook(Rows.id()), ...(fields as Partial<Subscription>) }))

const delivery: Write = (fields) =>
  DeliveryStore.use((store) =>
    store.add([{ ...Rows.delivery(Rows.webhook(Rows.id())), ...(fields as Partial<Delivery>) }])
  )

const emailEntry: Write = (fields) =>
  EmailSuppressionStore.use((store) =>
    store.add({
      id: Rows.id(),
      tenantId: Rows.id(),
      email: "ada@example.com",
      reason: "bounced",
      detail: null,
      createdAt: Rows.at(0),
      ...fields
    })
  )

const session: Write = (fields) =>
  VoiceStore.use((store) => store.add({ ...Rows.voiceSession({ dueAt: null }), ...(fields as Partial<VoiceSession>) }))

const customer = () => Rows.customer(Rows.number(Rows.id()))

const conversation: Write = (fields) =>
  ConversationStore.use((store) => store.add({ ...Rows.conversation(customer()), ...fields }))

const message: Write = (fields) => MessageStore.use((store) => store.add({ ...Rows.message(customer()), ...fields }))

const unmatched: Write = (fields) =>
  UnmatchedStatusStore.use((store) =>
    store.add({
      id: Rows.id(),
      phoneId: Rows.id(),
      msgid: "wamid.A",
      status: "sent",
      fault: null,
      change: null,
      at: Rows.at(0),
      ...fields
    })
  )

/** What lets a setting have all the values within its own bounds. */
const beside: Readonly<Record<string, Partial<CampaignState>>> = {
  quietHoursStart: { quietHoursEnd: 24 },
  quietHoursEnd: { quietHoursStart: 0 },
  parallelLines: { dialMode: "parallel" }
}

const bounds: ReadonlyArray<Bound> = [
  oneOf("accounts.plan", account, ["free", "starter", "pro", "enterprise"] satisfies ReadonlyArray<Account["plan"]>),
  oneOf("accounts.status", account, valuesOf<Account["status"]>({ active: true, inactive: true, terminated: true })),
  oneOf(
    "accounts.paymentMethod",
    account,
    valuesOf<Account["paymentMethod"]>({ verified: true, grace: true, missing: true })
  ),
  oneOf("apiKeys.budgetPeriod", key, valuesOf<ApiKeys.ApiKey["budgetPeriod"]>({ total: true, month: true })),
  oneOf("campaigns.status", campaign, campaignStatuses),
  {
    column: "campaigns.dialMode",
    write: campaign,
    accepts: valuesOf<CampaignState["dialMode"]>({ preview: true, power: true, parallel: true }).map((dialMode) => ({
      dialMode
    })),
    rejects: [{ dialMode: "zippy" }, { dialMode: "power", parallelLines: 2 }]
  },
  {
    column: "campaigns.name",
    write: campaign,
    accepts: [{ name: "C" }, { name: "👋".repeat(255) }],
    rejects: [{ name: "" }, { name: "x".repeat(256) }]
  },
  { column: "campaigns.timezone", write: campaign, accepts: [{ timezone: "UTC" }], rejects: [{ timezone: "" }] },
  ...settingBounds.map(({ maximum, minimum, name }) =>
    range(`campaigns.${name}`, campaign, minimum, maximum, beside[name])
  ),
  {
    column: "campaigns.quietHours",
    write: campaign,
    accepts: [{ quietHoursStart: 9, quietHoursEnd: 10 }],
    rejects: [
      { quietHoursStart: 9, quietHoursEnd: 9 },
      { quietHoursStart: 21, quietHoursEnd: 9 }
    ]
  },
  oneOf("campaignContacts.status", contact, ["pending", "approved", "calling", "done", "failed"]),
  oneOf("campaignContacts.lastError", contact, lastErrors, true),
  oneOf("calls.status", call, callStatuses),
  oneOf("calls.answeredBy", call, valuesOf<AnsweredBy>({ human: true, machine: true, unknown: true }), true),
  oneOf("calls.endReason", call, endReasons, true),
  oneOf("calls.stopReason", call, stopReasons, true),
  oneOf(
    "calls.failure",
    call,
    valuesOf<Failure>({ invalid_number: true, blocked_number: true, provider_error: true }),
    true
  ),
  oneOf("webhooks.surface", webhook, valuesOf<Subscription["surface"]>({ platform: true, email: true })),
  oneOf("webhooks.retrySchedule", webhook, valuesOf<Subscription["retrySchedule"]>({ standard: true, long: true })),
  range("webhooks.pauseAfterDays", webhook, 1, 30),
  oneOf("webhookDeliveries.surface", delivery, valuesOf<Delivery["surface"]>({ platform: true, email: true })),
  oneOf(
    "webhookDeliveries.status",
    delivery,
    valuesOf<Delivery["status"]>({ pending: true, delivered: true, failed: true, blocked: true })
  ),
  oneOf("emailSuppressions.reason", emailEntry, valuesOf<EmailReason>({ bounced: true, complained: true })),
  oneOf(
    "voiceSessions.status",
    session,
    valuesOf<VoiceSession["status"]>({ created: true, active: true, completed: true, failed: true, timeout: true })
  ),
  range("voiceSessions.maxDurationSeconds", session, 1, 7200),
  oneOf("conversations.status", conversation, ["open", "ended"]),
  oneOf("chatMessages.direction", message, ["inbound", "outbound"]),
  oneOf("chatMessages.role", message, ["user", "assistant", "agent"]),
  oneOf("chatMessages.status", message, messageStatuses),
  oneOf("unmatchedStatuses.status", unmatched, messageStatuses)
]

export const bounded = suite("bounds", ({ it }) => {
  for (const { column, accepts, rejects, write } of bounds) {
    // Verifies: D-233.
    it.effect(`${column} accepts every value of the code, and no other`, () =>
      Effect.gen(function* () {
        for (const fields of accepts) yield* transact(write(fields))
        for (const fields of rejects) {
          const refused = yield* Effect.flip(transact(write(fields)))
          assert.instanceOf(refused, StorageError, JSON.stringify(fields))
          assert.strictEqual(refused.reason, "defect")
        }
      })
    )
  }

  it.effect("what was refused is in no list", () =>
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const tenantId = Rows.id<"Account">()
      const good = Rows.campaign(tenantId)
      yield* transact(store.add(good))
      yield* Effect.flip(transact(store.add(Rows.campaign(tenantId, { dialMode: "zippy" as never }))))
      yield* Effect.flip(transact(store.save({ ...good, maxAttempts: 1000 })))
      assert.deepStrictEqual(yield* read(store.list(tenantId, everyCampaign, { limit: 10, offset: 0 })), [good])
    })
  )
})
