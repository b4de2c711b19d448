/** Handlers of agents. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentPrincipal } from "../access/index.ts"
import type { Api } from "../http/Api.ts"
import { list, pageOf } from "../http/Lists.ts"
import { answer } from "../http/PlatformErrors.ts"
import type { Bot } from "./BotStore.ts"
import { Bots } from "./Bots.ts"

/** `channel` is the type of an agent that does not say another. */
export const layer = (api: Api, channel: string) =>
  HttpApiBuilder.group(
    api,
    "bots",
    Effect.fnUntraced(function* (handlers) {
      const bots = yield* Bots
      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(
            yield* answer(
              bots.create(tenantId, {
                name: payload.name,
                type: payload.type ?? channel,
                systemPrompt: payload.system_prompt ?? null,
                isActive: payload.is_active ?? true,
                config: payload.config ?? {}
              })
            )
          )
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(bots.list(tenantId, pageOf(query, 100))), record)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(bots.get(tenantId, params.bot_id)))
        })
      })
    })
  )

const record = (bot: Bot) => ({
  id: bot.id,
  tenant_id: bot.tenantId,
  name: bot.name,
  type: bot.type,
  system_prompt: bot.systemPrompt,
  is_active: bot.isActive,
  config: bot.config as Readonly<Record<string, never>>,
  created_at: bot.createdAt,
  updated_at: bot.updatedAt
})
