/** The chat channels, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as compat } from "./compat/CompatRoom.ts"
import { configured } from "./MessagingConfigured.ts"
import { rules, settings } from "./MessagingOptions.ts"
import { Room as messagingRoom } from "./MessagingRoom.ts"

export const messagingArea = area({
  name: "messaging",
  rooms: [compat, messagingRoom],
  settings,
  rules,
  configured
})
