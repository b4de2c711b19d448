/** The chat channels, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as analytics } from "./analytics/AnalyticsRoom.ts"
import { Room as commerce } from "./commerce/CommerceRoom.ts"
import { Room as compat } from "./compat/CompatRoom.ts"
import { Room as flows } from "./flows/FlowsRoom.ts"
import { configured } from "./MessagingConfigured.ts"
import { rules, settings } from "./MessagingOptions.ts"
import { Room as messagingRoom } from "./MessagingRoom.ts"
import { Room as numbers } from "./numbers/NumbersRoom.ts"
import { Room as optOuts } from "./opt-outs/OptOutsRoom.ts"
import { Room as payments } from "./payments/PaymentsRoom.ts"
import { Room as templateCampaigns } from "./template-campaigns/TemplateCampaignsRoom.ts"
import { Room as templates } from "./templates/TemplatesRoom.ts"

export const messagingArea = area({
  name: "messaging",
  rooms: [analytics, compat, templateCampaigns, numbers, commerce, payments, templates, flows, optOuts, messagingRoom],
  settings,
  rules,
  configured
})
