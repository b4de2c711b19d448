/** How many things of each kind an account may have. Data: the code, the options and docs/reference/plans.md#numbers read it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { lock, type Tx } from "./Storage.ts"
import type { StorageError } from "./StorageErrors.ts"

export interface AccountLimit {
  /** What has the things. */
  readonly owner: "account" | "agent" | "campaign"
  readonly things: string
  readonly standard: number
  /** The option's largest value. */
  readonly most: number
  /** Whether the option may be null, for no limit. */
  readonly mayBeOff: boolean
  /** What a caller can do who has reached it. */
  readonly advice: string
}

const deleteOne = "delete one first"

/** The type knows, too, whether the option may be null. */
type LimitOf<More> = AccountLimit & { readonly mayBeOff: More extends { readonly mayBeOff: false } ? false : true }

const limit = <const More extends Partial<AccountLimit> = {}>(things: string, standard: number, more?: More) =>
  ({
    owner: "account",
    things,
    standard,
    most: 1_000_000_000,
    mayBeOff: true,
    advice: deleteOne,
    ...more
  }) as LimitOf<More> // a spread of what may be absent has no narrower type

/** Every one of these is looked at for each event, or each minute. */
const watched = { most: 10_000, mayBeOff: false } as const

export const accountLimits = {
  agents: limit("agents", 1_000),
  agentKnowledge: limit("entries of knowledge", 10_000, { owner: "agent" }),
  knowledge: limit("entries of knowledge", 100_000),
  campaigns: limit("campaigns", 10_000),
  campaignContacts: limit("contacts", 200_000, { owner: "campaign", advice: "use another campaign for the others" }),
  contacts: limit("contacts in its address book", 1_000_000, { advice: "delete some first" }),
  // A list must be able to hold what the law asks for, such as a national register: the bound only stops a runaway program.
  suppressionEntries: limit("do-not-call entries", 5_000_000, { advice: "ask the operator for a larger list" }),
  callerNumbers: limit("caller numbers", 1_000),
  voicemailTemplates: limit("voicemail templates", 1_000),
  connectedNumbers: limit("connected numbers", 1_000, { advice: "disconnect one first" }),
  webhooks: limit("webhooks", 100, watched),
  emailWebhooks: limit("email webhooks", 20, watched),
  voiceAlerts: limit("alerts", 50, watched),
  keys: limit("keys that are not revoked", 1_000, { advice: "revoke one first" }),
  queuedCalls: limit("queued calls", 10_000, { advice: "wait until some have been placed" }),
  waitingSessions: limit("voice sessions that nobody has connected to", 1_000, {
    advice: "a token that is not used ends its session after a minute"
  }),
  openBatches: limit("batches that have not ended", 1_000, { advice: "cancel one, or wait until one has ended" }),
  files: limit("files", 10_000),
  keptResponses: limit("kept responses", 100_000, { advice: "delete some, or send store: false" }),
  keptResponseBytes: limit("bytes of kept responses", 10_000_000_000, {
    most: 1_000_000_000_000,
    advice: "delete some responses, or send store: false"
  }),
  keptAnswerBytes: limit("bytes of answers kept under an Idempotency-Key", 1_000_000_000, {
    most: 1_000_000_000_000,
    advice: "they are kept for 24 hours; send requests without a key meanwhile"
  })
} as const satisfies Readonly<Record<string, AccountLimit>>

export type AccountLimitName = keyof typeof accountLimits

export const accountLimitNames = Object.keys(accountLimits) as ReadonlyArray<AccountLimitName>

/** The limits of an installation; null for none. */
export type AccountLimits = Readonly<Record<AccountLimitName, number | null>>

/** The configured limits, and the standard where one is absent. */
export const accountLimitsOf = (given: Partial<AccountLimits>): AccountLimits =>
  Object.fromEntries(
    accountLimitNames.map((name) => [name, given[name] === undefined ? accountLimits[name].standard : given[name]])
  ) as AccountLimits // fromEntries knows no keys; these are all of them

export const AccountLimits = Context.Reference<AccountLimits>("@trunkline/core/platform/storage/AccountLimits", {
  defaultValue: () => accountLimitsOf({})
})

/** What a plan limits in the same way: see docs/reference/plans.md#plans. */
const planLimits = {
  storageBytes: {
    owner: "account",
    things: "bytes of its plan's storage",
    advice: "delete files, knowledge or kept responses, or choose another plan"
  }
} as const

const refusable = { ...accountLimits, ...planLimits }

/** What would be more than an account may have: nothing of it was added. */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  name: Schema.Literals(Object.keys(refusable) as ReadonlyArray<keyof typeof refusable>),
  max: Schema.Int,
  /** How many could still be added. */
  fits: Schema.Int
}) {
  override get message() {
    const { advice, owner, things } = refusable[this.name]
    return this.fits <= 0
      ? `The ${owner} has ${this.max} ${things} already: ${advice}`
      : `The ${owner} may have ${this.max} ${things}, and there is room for ${this.fits} more: ${advice}`
  }
}

/** Refuses what does not fit, where the caller knows how many there are. */
export const checkRoom = (
  name: LimitReached["name"],
  max: number | null,
  { adding, present }: { readonly adding: number; readonly present: number }
): Effect.Effect<void, LimitReached> =>
  max === null || present + adding <= max
    ? Effect.void
    : Effect.fail(new LimitReached({ name, max, fits: Math.max(0, max - present) }))

/**
 * Refuses one more than an owner may have, in the transaction that adds it. Exact: it locks the owner's number until the end of
 * the transaction, and counts what is committed then.
 */
export const roomFor = (name: AccountLimitName) =>
  Effect.map(AccountLimits, (limits) => {
    const max = limits[name]
    return <R>(
      ownerId: string,
      counted: Effect.Effect<number, StorageError, R>
    ): Effect.Effect<void, LimitReached | StorageError, R | Tx> =>
      max === null
        ? Effect.void
        : lock("account-limit", `${name}:${ownerId}`).pipe(
            Effect.andThen(counted),
            Effect.flatMap((present) => checkRoom(name, max, { present, adding: 1 }))
          )
  })
