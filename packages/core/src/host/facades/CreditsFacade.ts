/** The credit of an account, as an operator manages it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Accounts, operator } from "../../platform/accounts/index.ts"
import { Money } from "../../platform/billing/index.ts"
import { accountId, anyAccountId, argument } from "../Arguments.ts"
import { CreditText, creditsOf } from "../CreditText.ts"
import type { Method } from "../Facade.ts"

const positive = CreditText.check(
  Schema.makeFilter(
    (text: string) => Money.parseCredits(text) !== 0n || "There is nothing to add: give an amount above 0"
  )
)

/** Credit. Source: docs/reference/credits.md#account. */
export interface CreditsFacade {
  /** Adds decimal credits, up to nine places; answers with the balance. */
  readonly addCredits: (accountId: string, amount: string) => Promise<string>
  /** What the account has, and what of it is reserved for work under way; in credits, as decimal texts. */
  readonly credits: (accountId: string) => Promise<{ readonly balance: string; readonly reserved: string }>
}

export const creditsFacade = (method: Method): CreditsFacade => ({
  addCredits: method([accountId, argument("amount", positive)], (id, amount) =>
    Effect.map(
      Accounts.use((accounts) => accounts.addCredits(id, creditsOf(amount) ?? 0n, operator)),
      Money.formatCredits
    )
  ),
  credits: method([anyAccountId], (id) =>
    Effect.map(
      Accounts.use((accounts) => accounts.overview(id)),
      ({ balance, reserved }) => ({ balance: Money.formatCredits(balance), reserved: Money.formatCredits(reserved) })
    )
  )
})
