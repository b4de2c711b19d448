/** Whether an agent may answer, as things stand: when a message comes, before the model runs, and when its answer is committed. Source: docs/messaging.md#replies. */
import * as Effect from "effect/Effect"
import { type Account, Accounts, type SpendingRefusal, spendingRefusal } from "../access/index.ts"
import { type Bot, Bots, seesImages } from "../bots/index.ts"
import { ModelCatalogue } from "../inference/index.ts"
import type { Instant } from "../kernel/index.ts"
import type { Read, StorageError } from "../storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { Conversation, Customer } from "./ConversationStore.ts"
import type { Message } from "./Message.ts"
import { type ReplySituation, type Silence, whyNot } from "./ReplyConditions.ts"

/** What is judged. */
export interface Occasion {
  readonly conversation: Conversation
  readonly customer: Pick<Customer, "phone" | "windowExpiresAt">
  readonly burst: ReadonlyArray<Pick<Message, "type" | "text">>
  readonly turnsLastHour: number
  readonly at: Instant.Instant
}

export interface Judgement {
  readonly account: Account | null
  /** The linked agent. */
  readonly bot: Bot | null
  readonly seesImages: boolean
  /** Why nobody answers; null where the agent may. */
  readonly silence: Silence | SpendingRefusal | null
}

/** Judges everything that happens on one number, with the account and the agent as they were found. */
export type Judge = (occasion: Occasion) => Judgement

/** Makes judges: each looks at a number's account and agent once, in the caller's transaction or look. */
export const replyJudges = Effect.gen(function* () {
  const accounts = yield* Accounts
  const bots = yield* Bots
  const catalogue = yield* ModelCatalogue
  return Effect.fnUntraced(function* (number: ConnectedNumber): Effect.fn.Return<Judge, StorageError, Read> {
    const account = yield* accounts.find(number.tenantId)
    const bot = number.botId === null ? null : yield* bots.find(number.tenantId, number.botId)
    const sees = bot !== null && seesImages(bot, catalogue)
    return ({ at, burst, conversation, customer, turnsLastHour }) => {
      const situation: ReplySituation = {
        number,
        bot: bot === null ? null : { ...bot, seesImages: sees },
        conversation,
        burst,
        isOwnNumber: customer.phone !== null && customer.phone === digitsOf(number.displayPhoneNumber),
        windowExpiresAt: customer.windowExpiresAt,
        turnsLastHour,
        at
      }
      const refusal = account === null ? "account_inactive" : spendingRefusal(account, at)
      return { account, bot, seesImages: sees, silence: refusal ?? whyNot(situation) }
    }
  })
})

const digitsOf = (phone: string | null): string | null => phone?.replace(/\D/g, "") ?? null
