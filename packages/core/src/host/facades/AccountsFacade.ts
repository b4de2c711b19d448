/** Accounts, as an operator manages them. */
import * as Schema from "effect/Schema"
import {
  type Account,
  type AccountOverview,
  AccountStatus,
  Accounts,
  operator,
  PaymentMethod,
  Plan
} from "../../platform/accounts/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { accountId, anyAccountId, given, operatorPages, record } from "../Arguments.ts"
import type { Method, PageOptions } from "../Facade.ts"

const newAccount = Schema.Struct({
  name: Fields.name(255),
  plan: Schema.optionalKey(Plan),
  voiceCampaigns: Schema.optionalKey(Schema.Boolean)
})

/** Nano-credits that fit the columns of both databases, and the text that `parseCredits` reads. */
const Nano = Schema.BigInt.check(
  Schema.makeFilter(
    (nano: bigint) => (nano >= 0n && nano < 10n ** 18n) || "Expected nano-credits from 0 to 10^18 - 1, as a bigint"
  )
)

/** Absent fields keep their values. Source: docs/reference/access.md#accounts. */
export interface AccountFields {
  /** The name that operators see. */
  readonly name?: string
  /** The plan, which decides the models that may be asked and every quota; `free` where it is left out at the creation. */
  readonly plan?: Account["plan"]
  /** An account that is not active is refused everything that costs or calls: `account_inactive` or `account_terminated`. */
  readonly status?: Account["status"]
  /** Whether the account may have campaigns and place calls: without it their routes answer 404. False by default. */
  readonly voiceCampaigns?: boolean
  /** Whether the account can be charged; `missing`, or a grace period that is over, refuses what costs: `payment_method_required`. */
  readonly paymentMethod?: Account["paymentMethod"]
  /** The end of the grace period. */
  readonly paymentDeadline?: Date | number | string | null
  /** Nano-credits; null for none. */
  readonly monthlyBudget?: bigint | null
}

const accountChange = given<AccountFields>()(
  Schema.Struct({
    name: Schema.optionalKey(Fields.name(255)),
    plan: Schema.optionalKey(Plan),
    status: Schema.optionalKey(AccountStatus),
    voiceCampaigns: Schema.optionalKey(Schema.Boolean),
    paymentMethod: Schema.optionalKey(PaymentMethod),
    paymentDeadline: Fields.optional(Instant.Given),
    monthlyBudget: Fields.optional(Nano)
  })
)

/** Accounts. Source: docs/reference/access.md#accounts. */
export interface AccountsFacade {
  /**
   * Makes an account with 1000 credits and its plan's bonus of the month. The voice-campaigns feature is off unless asked for;
   * while it is off, the routes of campaigns, of the do-not-call list and of telephony answer 404. Source: docs/reference/access.md#accounts.
   */
  readonly createAccount: (account: {
    readonly name: string
    readonly plan?: Account["plan"]
    readonly voiceCampaigns?: boolean
  }) => Promise<Account>
  /** The account with its balance and what it has spent this month, in nano-credits. */
  readonly getAccount: (id: string) => Promise<AccountOverview>
  /** All accounts, newest first, each as `getAccount` answers it. `limit` is 100 by default. */
  readonly listAccounts: (page?: PageOptions) => Promise<ReadonlyArray<AccountOverview>>
  /** Changes the fields that are there and leaves the others. Throws `account_not_found`. */
  readonly changeAccount: (id: string, change: AccountFields) => Promise<Account>
}

export const accountsFacade = (method: Method): AccountsFacade => ({
  createAccount: method([record("account", newAccount)], ({ name, plan = "free", voiceCampaigns = false }) =>
    Accounts.use((accounts) => accounts.create({ name, plan, voiceCampaigns }))
  ),
  getAccount: method([anyAccountId], (id) => Accounts.use((accounts) => accounts.overview(id))),
  listAccounts: method([operatorPages], (page) => Accounts.use((accounts) => accounts.overviews(page))),
  changeAccount: method([accountId, record("change", accountChange)], (id, change) =>
    Accounts.use((accounts) => accounts.change(id, change, operator))
  )
})
