/** Whether an agent may reply: evaluated when a message comes, before the model runs, and when its reply is committed. Source: docs/reference/messaging.md#replies. */
import * as Effect from "effect/Effect"
import { type Bot, Bots } from "../../agents/bots/index.ts"
import { seesImages } from "../../agents/replying/index.ts"
import { ModelCatalogue } from "../../gateway/catalogue/index.ts"
import { type Account, Accounts, type SpendingRefusal, spendingRefusal } from "../../platform/accounts/index.ts"
import { ConversationQuota } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import type { Conversation } from "../conversations/Conversation.ts"
import type { Customer } from "../customers/Customer.ts"
import type { Message } from "../messages/Message.ts"
import { type NoReplyReason, skipReason } from "./NoReplyReason.ts"

/** The messages that may get a reply, and whose they are. */
interface ReplyCandidate {
  readonly conversation: Conversation
  readonly customer: Pick<Customer, "phone" | "windowExpiresAt">
  readonly messageGroup: ReadonlyArray<Pick<Message, "type" | "text">>
  readonly turnsLastHour: number
  readonly at: Instant.Instant
}

export interface Verdict {
  readonly account: Account | null
  /** The linked agent. */
  readonly bot: Bot | null
  readonly seesImages: boolean
  /** Why there is no reply; null where the agent may reply. */
  readonly skipReason: NoReplyReason | SpendingRefusal | null
}

/** The policy of one number, with its account and agent as they were read. */
export interface ReplyPolicy {
  readonly evaluate: (candidate: ReplyCandidate) => Verdict
}

/** Makes policies: each reads a number's account and agent once, in the caller's transaction or read. */
export const replyPolicies = Effect.gen(function* () {
  const accounts = yield* Accounts
  const bots = yield* Bots
  const catalogue = yield* ModelCatalogue
  const channels = yield* ChatChannels
  const quota = yield* ConversationQuota
  return Effect.fnUntraced(function* (number: ConnectedNumber): Effect.fn.Return<ReplyPolicy, StorageError, Read> {
    const account = yield* accounts.find(number.tenantId)
    const bot = number.botId === null ? null : yield* bots.find(number.tenantId, number.botId)
    const hasRoom =
      account !== null &&
      bot !== null &&
      (yield* quota.hasRoom({ tenantId: account.id, plan: account.plan, at: yield* Instant.now }))
    const sees = bot !== null && seesImages(bot, catalogue)
    const evaluate = ({ at, conversation, customer, messageGroup, turnsLastHour }: ReplyCandidate): Verdict => {
      const refusal = account === null ? "account_inactive" : spendingRefusal(account, at)
      const situation = {
        number,
        bot: bot === null ? null : { ...bot, seesImages: sees },
        conversation,
        messageGroup,
        isOwnNumber: customer.phone !== null && customer.phone === digitsOf(number.displayPhoneNumber),
        hasWindow: channels.of(number).traits.replyWindowMs !== null,
        windowExpiresAt: customer.windowExpiresAt,
        turnsLastHour,
        isWithinPlan: conversation.isCounted || hasRoom,
        at
      }
      return { account, bot, seesImages: sees, skipReason: refusal ?? skipReason(situation) }
    }
    return { evaluate }
  })
})

/** What an operator reads of a customer who gets no reply. Of the reasons those are logged that the account can change by its plan. */
export const logNoReply = ({ id }: Pick<ConnectedNumber, "id">, reason: Verdict["skipReason"]): Effect.Effect<void> =>
  reason === "quota_exceeded"
    ? Effect.logWarning(`the agent of number ${id} does not reply: ${reason}, the plan's conversations of this month`)
    : Effect.void

const digitsOf = (phone: string | null): string | null => (phone === null ? null : PhoneNumber.fold(phone))
