/** Tries an agent: the answer that a customer would get, before anything is saved or connected. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { ModelCatalogue } from "../../gateway/catalogue/index.ts"
import { Accounts, spendingRefusal } from "../../platform/accounts/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import * as Ids from "../AgentsIds.ts"
import { Bots, type NewBot } from "../bots/Bots.ts"
import { makeAgent, modelOf } from "./Agent.ts"
import type { HistoryMessage } from "./AgentPrompt.ts"
import { AgentSilent, refusedBy, unspendable } from "./TrialErrors.ts"

/** How a reply becomes the messages of a chat. Where there are no chats it is one. */
export const ReplyParts = Context.Reference<(text: string) => ReadonlyArray<string>>(
  "@trunkline/core/agents/replying/ReplyParts",
  { defaultValue: () => (text) => [text] }
)

export interface Trial {
  /** Oldest first; the last one is the customer's. */
  readonly messages: ReadonlyArray<Pick<HistoryMessage, "text"> & { readonly role: "user" | "assistant" }>
  /** In the place of what is stored. */
  readonly change: Partial<Pick<NewBot, "systemPrompt" | "config">>
}

/** An answer that takes longer is no answer for a customer, either. */
const maxAnswerMs = 3 * Instant.minute

/**
 * What an agent would answer, with the `parts` in which it would be sent: by the runs and the tools of a real reply, also while the
 * agent is not active. They are billed; nothing else is written, and nothing is sent.
 */
export const makeTrial = Effect.gen(function* () {
  const accounts = yield* Accounts
  const agent = yield* makeAgent
  const bots = yield* Bots
  const catalogue = yield* ModelCatalogue
  const partsOf = yield* ReplyParts
  const storage = yield* Storage

  return tracedFn("Agent.tried")(function* (tenantId: Ids.AccountId, botId: Ids.BotId, { change, messages }: Trial) {
    const bot = yield* bots.tried(tenantId, botId, change)
    const account = yield* storage.read(accounts.find(tenantId))
    const startedAt = yield* Instant.now
    const refusal = account === null ? "account_inactive" : spendingRefusal(account, startedAt)
    if (account === null || refusal !== null) return yield* unspendable(refusal ?? "account_inactive")
    const { monthlyBudget, plan } = account
    const answered = yield* agent
      .answer({
        bot,
        payer: { tenantId, plan, monthlyBudget },
        turnId: yield* Ids.fresh<"Turn">(),
        conversationId: null,
        history: messages.map((message) => ({ ...message, images: [] }))
      })
      .pipe(
        Effect.catchTag("AgentFailed", (failed) => Effect.fail(refusedBy(failed, modelOf(bot, catalogue)))),
        Effect.timeoutOrElse({
          duration: maxAnswerMs,
          orElse: () => Effect.fail(new AgentSilent({ reason: "timeout" }))
        })
      )
    return { ...answered, parts: partsOf(answered.text), latencyMs: (yield* Instant.now) - startedAt }
  })
})
