/** Handlers of analytics. */
import * as Effect from "effect/Effect"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, restOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { messagingErrors, type PricingDimension } from "../channels/index.ts"
import { templateCampaignErrors } from "../template-campaigns/TemplateCampaignErrors.ts"
import { Analytics } from "./Analytics.ts"
import { analyticsGroup } from "./AnalyticsApi.ts"
import { analyticsErrors } from "./AnalyticsErrors.ts"

const answer = answering({ ...analyticsErrors, ...messagingErrors, ...templateCampaignErrors, ...storageErrors })

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(analyticsGroup(brand)),
    "analytics",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Analytics
      return handlers.handleAll({
        delivery: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { campaign_id, from, granularity, phone_number_id, timezone, to, type } = query
          const found = yield* answer(
            service.delivery(tenantId, {
              from: from ?? null,
              to: to ?? null,
              interval: granularity ?? "day",
              timezone: timezone ?? "UTC",
              phoneNumberId: phone_number_id ?? null,
              campaignId: campaign_id ?? null,
              type: type ?? null
            })
          )
          return yield* list(restOf(found), (row) => row)
        }),
        messages: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { end, granularity: interval = "day", phone_number_id: number, start, this_number = true } = query
          const asked = { start, end, interval, ofNumberAlone: this_number }
          return yield* list(restOf(yield* answer(service.messages(tenantId, number, asked))), (counts) => counts)
        }),
        pricing: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { dimensions: named, end, granularity: interval = "day", phone_number_id: number, start } = query
          const dimensions = named === undefined ? [] : Fields.namesIn<PricingDimension>(named)
          const found = yield* answer(service.pricing(tenantId, number, { start, end, interval, dimensions }))
          return yield* list(restOf(found), Wire.toWire)
        }),
        templates: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { end, phone_number_id: number, start, template_ids } = query
          const templateIds = Fields.namesIn(template_ids)
          const found = yield* answer(service.templates(tenantId, number, { start, end, templateIds }))
          return yield* list(restOf(found), Wire.toWire)
        }),
        enableTemplates: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(service.enableTemplates(tenantId, query.phone_number_id))
          return { enabled: true }
        })
      })
    })
  )
