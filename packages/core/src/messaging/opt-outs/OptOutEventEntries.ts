/** What people want, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { optOutScopes, optOutSources } from "./OptOut.ts"

const { means, orNull, payload, text } = EventFields

const PreferenceData = payload("ContactPreferenceEventData", {
  phone_number_id: means(
    orNull(text),
    "The number that is meant, by the upstream platform's id; null for every number of the account"
  ),
  user_id: means(orNull(text), "The person, by the upstream platform's id; null where it is not known"),
  phone: means(orNull(text), "The person's phone; null where it is not known"),
  preference: means(
    Schema.Literals(["stopped", "resumed"]),
    "Whether the person gets no more messages, or gets them again"
  ),
  scope: means(
    Schema.Literals(optOutScopes),
    "Whether marketing messages alone are meant, or all messages of campaigns"
  ),
  source: means(Schema.Literals(optOutSources), "How the person, or the account for the person, has said so")
})

export const contactPreference = event({
  name: "contact.preference",
  surface: "platform",
  place: 15,
  category: "Templates and numbers",
  fires: "when somebody opts out of messages of campaigns, or takes it back",
  source: "product",
  data: PreferenceData,
  example: {
    phone_number_id: null,
    user_id: null,
    phone: "14155550123",
    preference: "stopped",
    scope: "all",
    source: "keyword"
  }
})
