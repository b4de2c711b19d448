/** Campaigns, calls, contacts and the do-not-call list, as the host has them. */
import { area } from "../platform/room/index.ts"
import { configured, opened } from "./CallingConfigured.ts"
import { rules, settings } from "./CallingOptions.ts"
import { Room as calls } from "./calls/TelephonyRoom.ts"
import { Room as campaigns } from "./campaigns/CampaignsRoom.ts"
import { Room as contacts } from "./contacts/ContactsRoom.ts"
import { Room as csv } from "./csv/CsvRoom.ts"
import { Room as preview } from "./preview/PreviewRoom.ts"
import { Room as suppression } from "./suppression/SuppressionRoom.ts"

export const callingArea = area({
  name: "calling",
  rooms: [preview, contacts, campaigns, calls, suppression, csv],
  settings,
  rules,
  configured,
  opened
})
