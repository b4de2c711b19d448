/** Webhooks, as the host has them. */
import { area } from "../platform/room/index.ts"
import { configured } from "./WebhooksConfigured.ts"
import { rules, settings } from "./WebhooksOptions.ts"
import { Room as webhooksRoom } from "./WebhooksRoom.ts"

export const webhooksArea = area({
  name: "webhooks",
  rooms: [webhooksRoom],
  settings,
  rules,
  configured
})
