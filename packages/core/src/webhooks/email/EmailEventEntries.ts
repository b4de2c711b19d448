/** What happens to emails, as receivers of events see it. Pure. */
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"

const { means, payload, text, orNull, exampleId } = EventFields

/** Every field is there; what was not reported is null. */
const EmailData = payload("EmailEventData", {
  email_id: means(orNull(text), "The send that the event is about; null when it is not known which"),
  message_id: means(orNull(text), "The Message-ID of RFC 5322"),
  recipient: means(text, "The address"),
  detail: means(orNull(text), "The reason that was reported"),
  domain: means(orNull(text), "The domain that sent it")
})

const email = {
  email_id: exampleId("e0a1"),
  message_id: "<0192f3a4@mail.example.com>",
  recipient: "asha@example.com",
  detail: null,
  domain: "mail.example.com"
} as const

const emailBounced = event({
  name: "email.bounced",
  surface: "email",
  place: 110,
  category: "Emails",
  fires: "when a recipient's mail server has refused a message; the address is suppressed from then on",
  source: "host",
  data: EmailData,
  example: { ...email, detail: "550 5.1.1 mailbox does not exist" }
})

const emailComplained = event({
  name: "email.complained",
  surface: "email",
  place: 110,
  category: "Emails",
  fires: "when a recipient has reported a message as spam; the address is suppressed from then on",
  source: "host",
  data: EmailData,
  example: { ...email, detail: "abuse" }
})

const emailSent = event({
  name: "email.sent",
  surface: "email",
  place: 110,
  category: "Emails",
  fires: "when a mail server has accepted a message for delivery",
  source: "never",
  data: EmailData,
  example: email
})

const emailDelivered = event({
  name: "email.delivered",
  surface: "email",
  place: 110,
  category: "Emails",
  fires: "when a message has reached the mailbox",
  source: "never",
  data: EmailData,
  example: email
})

const emailOpened = event({
  name: "email.opened",
  surface: "email",
  place: 110,
  category: "Emails",
  fires: "when a recipient has opened a tracked message",
  source: "never",
  data: EmailData,
  example: email
})

const emailReceived = event({
  name: "email.received",
  surface: "email",
  place: 110,
  category: "Emails",
  fires: "when a message has arrived at an address of the account",
  source: "never",
  data: EmailData,
  example: { ...email, email_id: null, recipient: "help@example.com", domain: "example.com" }
})

export const emailEvents = [
  emailBounced,
  emailComplained,
  emailSent,
  emailDelivered,
  emailOpened,
  emailReceived
] as const
