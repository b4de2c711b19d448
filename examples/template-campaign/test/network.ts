/** Plays the network behind a business number: it has one approved template, takes messages, and reports what became of them. */
import { type FakePlatform, sampleBusinessAccount, sampleNumber, startFakePlatform } from "@trunkline/testing/messaging"

/** How often it looks at what has come. */
const lookMs = 1000

export const businessAccountId = sampleBusinessAccount
export const { phoneNumberId } = sampleNumber
export const appSecret = "the secret of the played app"

const template = {
  id: "5940001",
  name: "order_sent",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  quality_score: { score: "GREEN" },
  components: [
    { type: "BODY", text: "Hello {{1}}, your order is on its way." },
    { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Stop" }] }
  ]
}

export interface Network extends FakePlatform {
  /** Reports go to a server at this address from now on. */
  readonly reportTo: (server: string) => void
}

/** `port` 0 is any that is free. */
export const startNetwork = async (port = 0): Promise<Network> => {
  const platform = await startFakePlatform({ port, keepsRequests: false })
  platform.templates.push(template)
  platform.facts.set(phoneNumberId, {
    display_phone_number: sampleNumber.displayPhoneNumber,
    verified_name: "Northwind",
    status: "CONNECTED",
    quality_rating: "GREEN",
    throughput: { level: "STANDARD" },
    whatsapp_business_manager_messaging_limit: "TIER_10K"
  })
  platform.behave({ does: "accept", delayMs: 50 })
  platform.reportAll(["delivered"])
  const reportTo = (server: string) => platform.deliverTo({ url: `${server}/api/v1/messaging/inbound`, appSecret })
  return { ...platform, reportTo }
}

if (import.meta.main) {
  const network = await startNetwork(8790)
  network.reportTo("http://127.0.0.1:8787")
  console.log(`the network listens at ${network.baseUrl}, and reports to a server at 127.0.0.1:8787`)
  let shown = 0
  setInterval(() => {
    if (network.messages.length === shown) return
    shown = network.messages.length
    console.log(`${shown} messages accepted, to ${new Set(network.messages.map(({ to }) => to)).size} people`)
  }, lookMs)
}
