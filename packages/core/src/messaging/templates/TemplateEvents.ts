/** Events of templates. Pure. */
import type { EventOf } from "../../platform/events/index.ts"
import type { ChangedTemplate, TemplateChange } from "./TemplateChanges.ts"
import type { templateStatus } from "./TemplateEventEntries.ts"

const eventOf = (
  { previousStatus, template }: ChangedTemplate,
  change: TemplateChange
): EventOf<typeof templateStatus> => ({
  event: "template.status",
  tenantId: template.tenantId,
  botId: null,
  data: {
    business_account_id: template.businessAccountId,
    template_id: template.id,
    name: template.name,
    language: template.language,
    change,
    status: template.status,
    previous_status: previousStatus,
    quality: template.quality,
    category: template.category,
    reason: template.reason
  }
})

/** An event for each thing that has changed. */
export const templateEvents = (changed: ChangedTemplate): ReadonlyArray<EventOf<typeof templateStatus>> =>
  changed.changes.map((change) => eventOf(changed, change))
