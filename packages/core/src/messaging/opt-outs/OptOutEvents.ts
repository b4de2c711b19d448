/** Events of what people want. Pure. */
import type { EventOf } from "../../platform/events/index.ts"
import type { OptOut } from "./OptOut.ts"
import type { contactPreference } from "./OptOutEventEntries.ts"

export const preferenceEvent = (
  { phone, phoneNumberId, scope, source, tenantId, userId }: OptOut,
  preference: "stopped" | "resumed"
): EventOf<typeof contactPreference> => ({
  event: "contact.preference",
  tenantId,
  botId: null,
  data: { phone_number_id: phoneNumberId, user_id: userId, phone, preference, scope, source }
})
