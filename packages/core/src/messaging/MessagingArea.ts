/** The chat channels, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as compat } from "./compat/CompatRoom.ts"
import { configured } from "./MessagingConfigured.ts"
import { rules, settings } from "./MessagingOptions.ts"
import { Room as messagingRoom } from "./MessagingRoom.ts"
import { Room as numbers } from "./numbers/NumbersRoom.ts"
import { Room as optOuts } from "./opt-outs/OptOutsRoom.ts"
import { Room as templateCampaigns } from "./template-campaigns/TemplateCampaignsRoom.ts"
import { Room as templates } from "./templates/TemplatesRoom.ts"

export const messagingArea = area({
  name: "messaging",
  rooms: [compat, templateCampaigns, numbers, templates, optOuts, messagingRoom],
  settings,
  rules,
  configured
})
