/** Handlers of what an account has, and of what is still to be done. */
import * as Effect from "effect/Effect"
import { type AccountOverview, Accounts, accessErrors, CurrentPrincipal } from "../accounts/index.ts"
import { CallPrice, Money } from "../billing/index.ts"
import { contract, RouteHandlers } from "../http/index.ts"
import { answering } from "../http/PlatformErrors.ts"
import { storageErrors } from "../storage/index.ts"
import { overviewGroup } from "./OverviewApi.ts"
import { makeSetup } from "./Setup.ts"

const answer = answering({ ...accessErrors, ...storageErrors })

const api = contract.add(overviewGroup)

const shown = (account: AccountOverview, callPrice: Money.Nano | null) => ({
  id: account.id,
  name: account.name,
  plan: account.plan,
  status: account.status,
  features: { voice_campaigns: account.voiceCampaigns },
  payment_method: account.paymentMethod,
  payment_deadline: account.paymentDeadline,
  credits: {
    balance: Money.toNumber(account.balance),
    reserved: Money.toNumber(account.reserved),
    available: Money.toNumber(account.balance - account.reserved)
  },
  monthly_budget: account.monthlyBudget === null ? null : Money.toNumber(account.monthlyBudget),
  monthly_spent: Money.toNumber(account.spentThisMonth),
  call_credits_per_minute: callPrice === null ? null : Money.toNumber(callPrice),
  created_at: account.createdAt
})

export const layer = () =>
  RouteHandlers.group(
    api,
    "overview",
    Effect.fnUntraced(function* (handlers) {
      const accounts = yield* Accounts
      const callPrice = yield* CallPrice
      const setupOf = yield* makeSetup
      return handlers.handleAll({
        account: Effect.fnUntraced(function* () {
          const { tenantId } = yield* CurrentPrincipal
          return shown(yield* answer(accounts.overview(tenantId)), callPrice)
        }),
        setup: Effect.fnUntraced(function* () {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(setupOf(tenantId))
        })
      })
    })
  )
