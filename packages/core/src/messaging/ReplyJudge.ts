/** Whether an agent may answer, as things stand: when a message comes, before the model runs, and when its answer is committed. Source: docs/messaging.md#replies. */
import * as Effect from "effect/Effect"
import { type Account, Accounts, isActive } from "../access/index.ts"
import { type Bot, Bots, seesImages } from "../bots/index.ts"
import { ModelCatalogue } from "../inference/index.ts"
import { Instant } from "../kernel/index.ts"
import type { Read, StorageError } from "../storage/index.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { Conversation, Customer } from "./ConversationStore.ts"
import type { Message } from "./Message.ts"
import { type ReplySituation, type Silence, whyNot } from "./ReplyConditions.ts"

/** What is judged. */
export interface Occasion {
  readonly number: ConnectedNumber
  readonly conversation: Conversation
  readonly customer: Pick<Customer, "phone" | "windowExpiresAt">
  readonly burst: ReadonlyArray<Pick<Message, "type" | "text">>
  readonly turnsLastHour: number
}

export interface Judgement {
  readonly account: Account | null
  /** The linked agent. */
  readonly bot: Bot | null
  readonly seesImages: boolean
  /** Why nobody answers; null where the agent may. */
  readonly silence: Silence | "account_inactive" | null
}

/** Makes the judge of a process: it looks at the account and the agent in the caller's transaction or look. */
export const replyJudge = Effect.gen(function* () {
  const accounts = yield* Accounts
  const bots = yield* Bots
  const catalogue = yield* ModelCatalogue
  return Effect.fnUntraced(function* (occasion: Occasion): Effect.fn.Return<Judgement, StorageError, Read> {
    const { burst, conversation, customer, number, turnsLastHour } = occasion
    const account = yield* accounts.find(number.tenantId)
    const bot = number.botId === null ? null : yield* bots.find(number.tenantId, number.botId)
    const sees = bot !== null && seesImages(bot, catalogue)
    const situation: ReplySituation = {
      number,
      bot: bot === null ? null : { ...bot, seesImages: sees },
      conversation,
      burst,
      isOwnNumber: customer.phone !== null && customer.phone === digitsOf(number.displayPhoneNumber),
      windowExpiresAt: customer.windowExpiresAt,
      turnsLastHour,
      at: yield* Instant.now
    }
    const isPayer = account !== null && isActive(account)
    return { account, bot, seesImages: sees, silence: isPayer ? whyNot(situation) : "account_inactive" }
  })
})

const digitsOf = (phone: string | null): string | null => phone?.replace(/\D/g, "") ?? null
