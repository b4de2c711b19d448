/** What becomes of templates, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { templateChanges } from "./TemplateChanges.ts"

const { means, orNull, payload, text } = EventFields

const TemplateData = payload("TemplateEventData", {
  business_account_id: means(text, "The business account, by the upstream platform's id"),
  template_id: means(text, "The template, by the upstream platform's id"),
  name: means(orNull(text), "What the template is called; null where it is not known"),
  language: means(orNull(text), "The language of the template, such as `en_US`; null where it is not known"),
  change: means(Schema.Literals(templateChanges), "What has changed of it"),
  status: means(orNull(text), "Its status, in the upstream platform's words; null where it is not known"),
  previous_status: means(orNull(text), "The status that it had before; null where that is not known"),
  quality: means(orNull(text), "How customers take it, in the upstream platform's words; null where it is not known"),
  category: means(orNull(text), "Its category, such as `MARKETING`; null where it is not known"),
  reason: means(orNull(text), "Why it has its status, in the upstream platform's words; null where it names no reason")
})

export const templateStatus = event({
  name: "template.status",
  surface: "platform",
  place: 15,
  category: "Templates and numbers",
  fires: "when the status, the quality, the category or the words of a template have changed",
  source: "product",
  data: TemplateData,
  example: {
    business_account_id: "102290129340398",
    template_id: "594425479261596",
    name: "order_sent",
    language: "en_US",
    change: "status",
    status: "APPROVED",
    previous_status: "PENDING",
    quality: null,
    category: "UTILITY",
    reason: null
  }
})
