/** The handler of an agent's test. */
import * as Effect from "effect/Effect"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import { Money } from "../../platform/billing/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { botErrors } from "../bots/BotErrors.ts"
import { makeTrial } from "./AgentTrial.ts"
import { agentTrialGroup } from "./AgentTrialApi.ts"
import { trialErrors } from "./TrialErrors.ts"

const answer = answering({ ...botErrors, ...trialErrors, ...storageErrors })

export const layer = () =>
  RouteHandlers.group(
    contract.add(agentTrialGroup),
    "botTests",
    Effect.fnUntraced(function* (handlers) {
      const answered = yield* makeTrial
      return handlers.handleAll({
        test: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const { config, messages, system_prompt: systemPrompt } = payload
          const { cost, inputTokens, latencyMs, outputTokens, ...said } = yield* answer(
            answered(tenantId, params.bot_id, {
              messages: messages.map(({ content, role }) => ({ role, text: content })),
              change: {
                ...(systemPrompt === undefined ? {} : { systemPrompt }),
                ...(config === undefined ? {} : { config })
              }
            })
          )
          return {
            ...said,
            tools: said.tools.map((tool) => ({ ...tool, arguments: tool.arguments as never })), // the model's JSON
            input_tokens: inputTokens,
            output_tokens: outputTokens,
            credits: Money.toNumber(cost),
            latency_ms: latencyMs
          }
        })
      })
    })
  )
