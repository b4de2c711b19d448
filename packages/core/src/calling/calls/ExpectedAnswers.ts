/** Whether an agent is expected to answer a call, before it is admitted. Source: docs/reference/telephony.md#agents. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Bot, Bots } from "../../agents/bots/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { CallMedia } from "./CallMedia.ts"
import { Carrier } from "./Carrier.ts"
import { type AgentMeans, expectsAgent, TelephonySettings } from "./TelephonySettings.ts"

export class ExpectedAnswers extends Context.Service<
  ExpectedAnswers,
  {
    /** Whether the bot's calls will be conversations with it. Asked before the transaction of an admission: it may read much. */
    readonly byAgent: (tenantId: Ids.AccountId, botId: Ids.BotId | null) => Effect.Effect<boolean, StorageError>
    /** What the bot has to answer a call with now. */
    readonly meansOf: (bot: Bot | null) => Effect.Effect<AgentMeans>
  }
>()("@trunkline/core/calling/calls/ExpectedAnswers") {
  static readonly layer = Layer.effect(
    ExpectedAnswers,
    Effect.gen(function* () {
      const bots = yield* Bots
      const media = yield* CallMedia
      const storage = yield* Storage
      const hasMedia = (yield* Carrier).sockets !== undefined
      const { answer } = yield* TelephonySettings

      const meansOf = (bot: Bot | null) =>
        Effect.map(
          answer.kind === "standard" && bot !== null ? media.mayAnswer(bot) : Effect.succeed(false),
          (mayAnswer) => ({ hasMedia, mayAnswer })
        )

      const byAgent = Effect.fnUntraced(function* (tenantId: Ids.AccountId, botId: Ids.BotId | null) {
        const isPossible = hasMedia && (answer.kind === "agent" || answer.kind === "standard")
        if (!isPossible || botId === null) return false
        const bot = yield* storage.read(bots.find(tenantId, botId))
        return expectsAgent(answer, bot, yield* meansOf(bot))
      })

      return ExpectedAnswers.of({ byAgent, meansOf })
    })
  )
}
