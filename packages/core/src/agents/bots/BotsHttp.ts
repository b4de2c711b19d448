/** Handlers of agents and of what they know. */
import * as Effect from "effect/Effect"
import { actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { botErrors } from "./BotErrors.ts"
import { BotRecord } from "./BotStore.ts"
import { Bots } from "./Bots.ts"
import { botsGroup } from "./BotsApi.ts"
import { Knowledge } from "./Knowledge.ts"
import { KnowledgeRecord } from "./KnowledgeStore.ts"

const answer = answering({ ...botErrors, ...storageErrors })

/** As many as an agent is shown. */
const maxFound = 5

const api = contract.add(botsGroup)

/** `channel` is the type of an agent that does not say another. */
export const layer = ({ channel }: Pick<Brand, "channel">) =>
  RouteHandlers.group(
    api,
    "bots",
    Effect.fnUntraced(function* (handlers) {
      const bots = yield* Bots
      const knowledge = yield* Knowledge
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
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const changed = bots.change(tenantId, params.bot_id, Wire.fromWire(payload), actorOf(caller))
          return record(yield* answer(changed))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(bots.remove(tenantId, params.bot_id, actorOf(caller)))
        }),
        addKnowledge: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          return entryRecord(yield* answer(knowledge.add(tenantId, params.bot_id, payload, actorOf(caller))))
        }),
        listKnowledge: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(knowledge.list(tenantId, params.bot_id, pageOf(query, 100))), entryRecord)
        }),
        searchKnowledge: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(bots.get(tenantId, params.bot_id))
          const found = yield* answer(knowledge.search(params.bot_id, query.q, maxFound))
          return yield* list({ items: found, total: found.length }, ({ id, ...entry }) => ({ entry_id: id, ...entry }))
        }),
        changeKnowledge: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          return entryRecord(
            yield* answer(knowledge.change(tenantId, params.bot_id, params.entry_id, payload, actorOf(caller)))
          )
        }),
        removeKnowledge: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(knowledge.remove(tenantId, params.bot_id, params.entry_id, actorOf(caller)))
        })
      })
    })
  )

const record = BotRecord.toWire

const entryRecord = KnowledgeRecord.toWire
