/** This room, as the host has it. */
import type { Brand } from "../../platform/brand/index.ts"
import { room } from "../../platform/room/index.ts"
import { Analytics } from "./Analytics.ts"
import { analyticsGroup } from "./AnalyticsApi.ts"
import { analyticsErrors } from "./AnalyticsErrors.ts"
import * as AnalyticsHttp from "./AnalyticsHttp.ts"
import { DeliveryCountStore } from "./DeliveryCountStore.ts"

export const Room = room({
  name: "messaging/analytics",
  stores: [DeliveryCountStore],
  layer: Analytics.layer,
  api: (brand: Brand) => [analyticsGroup(brand)] as const,
  handlers: (brand: Brand) => AnalyticsHttp.layer(brand),
  errors: analyticsErrors
})
