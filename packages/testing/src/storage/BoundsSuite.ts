/**
 * What no caller can write, no row can hold: the storage has the bounds and the words of the code, so that nobody who reads a
 * list meets a row that cannot be shown. Verifies: STOR-5.
 */
import { assert } from "@effect/vitest"
import {
  AccessStore,
  type Account,
  type AnsweredBy,
  type ApiKeys,
  type Call,
  CallStore,
  CampaignContactStore,
  type CampaignState,
  CampaignStore,
  ConversationStore,
  callStatuses,
  type Delivery,
  type EmailReason,
  EmailSuppressionStore,
  type EndReason,
  type Failure,
  type LastError,
  messageStatuses,
  read,
  type StopReason,
  StorageError,
  type Stores,
  type Subscription,
  type Tx,
  transact,
  type VoiceSession,
  VoiceStore,
  WebhookStore
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

/** All words of a type: one that is added to it does not compile until it is here. */
const wordsOf = <W extends string>(words: Readonly<Record<W, true>>) => Object.keys(words) as Array<W>

const campaignStatuses = wordsOf<CampaignState["status"]>({
  draft: true,
  scheduled: true,
  running: true,
  paused: true,
  insufficient_balance: true,
  completed: true,
  cancelled: true
})

const endReasons = wordsOf<EndReason>({
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

const stopReasons = wordsOf<StopReason>({
  hangup_local: true,
  canceled: true,
  do_not_call: true,
  window_closed: true,
  lost_race: true,
  credits: true
})

const lastErrors = wordsOf<LastError>({
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

/** One column: what it holds, and what it refuses. Fields that only go together stand in one row. */
interface Bound {
  readonly column: string
  readonly write: Write
  readonly holds: ReadonlyArray<object>
  readonly refuses: ReadonlyArray<object>
}

const word = <W extends string>(column: string, write: Write, words: ReadonlyArray<W>, isNullable = false): Bound => {
  const [field] = column.split(".").slice(-1) as [string]
  const of = (value: unknown) => ({ [field]: value })
  return {
    column,
    write,
    holds: [...words.map(of), ...(isNullable ? [of(null)] : [])],
    refuses: [of("zippy"), of(""), of(words[0]!.toUpperCase())]
  }
}

const range = (column: string, write: Write, minimum: number, maximum: number, along: object = {}): Bound => {
  const [field] = column.split(".").slice(-1) as [string]
  const of = (value: number) => ({ ...along, [field]: value })
  return {
    column,
    write,
    holds: [of(minimum), of(maximum)],
    refuses: [of(minimum - 1), of(maximum + 1), of(-2_000_000_000)]
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
  WebhookStore.use((store) => store.add({ ...Rows.webhook(Rows.id()), ...(fields as Partial<Subscription>) }))

const delivery: Write = (fields) =>
  WebhookStore.use((store) =>
    store.addDeliveries([{ ...Rows.delivery(Rows.webhook(Rows.id())), ...(fields as Partial<Delivery>) }])
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
  VoiceStore.use((store) =>
    store.add({
      id: Rows.id(),
      tenantId: Rows.id(),
      keyId: null,
      botId: Rows.id(),
      status: "created",
      token: null,
      tokenExpiresAt: Rows.at(0),
      maxDurationSeconds: 60,
      sttModel: null,
      language: null,
      startedAt: null,
      endedAt: null,
      durationSeconds: null,
      endReason: null,
      createdAt: Rows.at(0),
      dueAt: null,
      ...(fields as Partial<VoiceSession>)
    })
  )

const customer = () => Rows.customer(Rows.number(Rows.id()))

const conversation: Write = (fields) =>
  ConversationStore.use((store) => store.addConversation({ ...Rows.conversation(customer()), ...fields }))

const message: Write = (fields) =>
  ConversationStore.use((store) => store.addMessage({ ...Rows.message(customer()), ...fields }))

const early: Write = (fields) =>
  ConversationStore.use((store) =>
    store.addEarly({
      id: Rows.id(),
      phoneId: Rows.id(),
      msgid: "wamid.A",
      status: "sent",
      fault: null,
      at: Rows.at(0),
      ...fields
    })
  )

const bounds: ReadonlyArray<Bound> = [
  word("accounts.plan", account, ["free", "starter", "pro", "enterprise"] satisfies ReadonlyArray<Account["plan"]>),
  word("accounts.status", account, wordsOf<Account["status"]>({ active: true, inactive: true, terminated: true })),
  word(
    "accounts.paymentMethod",
    account,
    wordsOf<Account["paymentMethod"]>({ verified: true, grace: true, missing: true })
  ),
  word("apiKeys.budgetPeriod", key, wordsOf<ApiKeys.ApiKey["budgetPeriod"]>({ total: true, month: true })),
  word("campaigns.status", campaign, campaignStatuses),
  {
    column: "campaigns.dialMode",
    write: campaign,
    holds: wordsOf<CampaignState["dialMode"]>({ preview: true, power: true, parallel: true }).map((dialMode) => ({
      dialMode
    })),
    refuses: [{ dialMode: "zippy" }, { dialMode: "power", parallelLines: 2 }]
  },
  {
    column: "campaigns.name",
    write: campaign,
    holds: [{ name: "C" }, { name: "👋".repeat(255) }],
    refuses: [{ name: "" }, { name: "x".repeat(256) }]
  },
  { column: "campaigns.timezone", write: campaign, holds: [{ timezone: "UTC" }], refuses: [{ timezone: "" }] },
  range("campaigns.quietHoursStart", campaign, 0, 23, { quietHoursEnd: 24 }),
  range("campaigns.quietHoursEnd", campaign, 1, 24, { quietHoursStart: 0 }),
  {
    column: "campaigns.quietHours",
    write: campaign,
    holds: [{ quietHoursStart: 9, quietHoursEnd: 10 }],
    refuses: [
      { quietHoursStart: 9, quietHoursEnd: 9 },
      { quietHoursStart: 21, quietHoursEnd: 9 }
    ]
  },
  range("campaigns.maxAttempts", campaign, 1, 5),
  range("campaigns.paceSeconds", campaign, 5, 3600),
  range("campaigns.parallelLines", campaign, 1, 5, { dialMode: "parallel" }),
  word("campaignContacts.status", contact, ["pending", "approved", "calling", "done", "failed"]),
  word("campaignContacts.lastError", contact, lastErrors, true),
  word("calls.status", call, callStatuses),
  word("calls.answeredBy", call, wordsOf<AnsweredBy>({ human: true, machine: true, unknown: true }), true),
  word("calls.endReason", call, endReasons, true),
  word("calls.stopReason", call, stopReasons, true),
  word(
    "calls.failure",
    call,
    wordsOf<Failure>({ invalid_number: true, blocked_number: true, provider_error: true }),
    true
  ),
  word("webhooks.surface", webhook, wordsOf<Subscription["surface"]>({ platform: true, email: true })),
  word("webhooks.retrySchedule", webhook, wordsOf<Subscription["retrySchedule"]>({ standard: true, long: true })),
  range("webhooks.pauseAfterDays", webhook, 1, 30),
  word("webhookDeliveries.surface", delivery, wordsOf<Delivery["surface"]>({ platform: true, email: true })),
  word(
    "webhookDeliveries.status",
    delivery,
    wordsOf<Delivery["status"]>({ pending: true, delivered: true, failed: true, blocked: true })
  ),
  word("emailSuppressions.reason", emailEntry, wordsOf<EmailReason>({ bounced: true, complained: true })),
  word(
    "voiceSessions.status",
    session,
    wordsOf<VoiceSession["status"]>({ created: true, active: true, completed: true, failed: true, timeout: true })
  ),
  range("voiceSessions.maxDurationSeconds", session, 1, 7200),
  word("conversations.status", conversation, ["open", "ended"]),
  word("chatMessages.direction", message, ["inbound", "outbound"]),
  word("chatMessages.role", message, ["user", "assistant", "agent"]),
  word("chatMessages.status", message, messageStatuses),
  word("earlyStatuses.status", early, messageStatuses)
]

export const bounded = suite("bounds", ({ it }) => {
  for (const { column, holds, refuses, write } of bounds) {
    it.effect(`${column} holds what the code knows, and nothing else`, () =>
      Effect.gen(function* () {
        for (const fields of holds) yield* transact(write(fields))
        for (const fields of refuses) {
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
      assert.deepStrictEqual(yield* read(store.list(tenantId, { limit: 10, offset: 0 })), [good])
    })
  )
})
