/** The contract of what an account has, and of what is still to be done. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { AccountStatus, PaymentMethod, Plan } from "../accounts/index.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import { ForPeople, NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { RequestErrors } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { setupSteps } from "../room/index.ts"

const AccountBody = Schema.Struct({
  id: Ids.schema<"Account">(),
  name: Schema.String,
  plan: Plan,
  status: AccountStatus,
  features: Schema.Struct({ voice_campaigns: Schema.Boolean }),
  payment_method: PaymentMethod,
  payment_deadline: Schema.NullOr(Instant.Iso),
  credits: Schema.Struct({ balance: Schema.Number, reserved: Schema.Number, available: Schema.Number }),
  monthly_budget: Schema.NullOr(Schema.Number),
  monthly_spent: Schema.Number,
  call_credits_per_minute: Schema.NullOr(Schema.Number),
  created_at: Instant.Iso
}).annotate({ identifier: "Account" })

const SetupBody = Schema.Struct({
  completed: Schema.Boolean,
  steps: Schema.Array(
    Schema.Struct({ id: Schema.Literals(setupSteps), done: Schema.Boolean, note: Schema.NullOr(Schema.String) })
  )
}).annotate({ identifier: "Setup" })

export const overviewGroup = HttpApiGroup.make("overview")
  .add(
    HttpApiEndpoint.get("account", "/account", { success: AccountBody })
      .annotate(NeedsScope, "usage:read")
      .annotate(ForPeople, "without scope")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the account",
          description: "Returns the account with its plan, its features, its credits and its budget."
        })
      ),
    HttpApiEndpoint.get("setup", "/setup", { success: SetupBody })
      .annotate(ForPeople, "alone")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the first steps",
          description:
            "Returns to people what is done and what is still to do before the account can use the product; no API key may ask."
        })
      )
  )
  .prefix("/api/v1")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "What the account has, and its first steps")
  .annotate(FieldTexts, {
    name: "Name of the account",
    plan: "Plan of the account",
    status: "Status of the account: one that is not active may do nothing",
    features: "What is turned on for the account",
    voice_campaigns: "Whether the account has campaigns and places calls",
    payment_method: "Whether the account can be charged",
    payment_deadline: "End of the grace period of the payment method; null without one",
    credits: "Credits of the account",
    balance: "All credits that the account has",
    reserved: "Credits that calls and requests under way have reserved",
    available: "Credits that can still be spent: the balance less what is reserved",
    monthly_budget: "Credits that the account may spend in a calendar month of UTC; null without a budget",
    monthly_spent: "Credits that the account has spent in the present calendar month of UTC",
    call_credits_per_minute: "Price of a minute of a call in credits; null where nothing places calls",
    completed: "True when every step is done, `chat_number` and `webhook` apart",
    steps: "The first steps, in the order in which they are taken",
    id: "Id of the account",
    "Setup.id": "Name of the step",
    done: "Whether the step is done",
    note: "A word about the step, such as `simulator` for a carrier that calls nobody; null without one"
  })
