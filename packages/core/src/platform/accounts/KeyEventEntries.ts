/** What becomes of API keys, as receivers of events see it. Pure. */
import { EventFields } from "../events/index.ts"
import { event } from "../room/index.ts"

const { means, payload, instant, text, hostId, orNull, exampleId } = EventFields

const ApiKeyExpiredData = payload("ApiKeyExpiredEventData", {
  key_id: means(hostId, "The key"),
  name: means(orNull(text), "Its name"),
  prefix: means(text, "Its first characters, for people to recognise it by"),
  expires_at: means(instant, "When it expired")
})

export const apiKeyExpired = event({
  name: "api_key.expired",
  surface: "platform",
  place: 80,
  category: "Keys",
  fires: "once, within a minute of a key's expiry",
  source: "product",
  data: ApiKeyExpiredData,
  example: {
    key_id: exampleId("ce91"),
    name: "Support desk",
    prefix: "svc_4f9KqZ2b",
    expires_at: "2026-11-21T09:30:00.000Z"
  }
})

export const keyEvents = [apiKeyExpired] as const
