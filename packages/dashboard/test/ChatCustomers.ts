/** Customers who write to the number of an account, through a network that a test plays. */
import { channelProvider } from "@trunkline/core/provider"
import {
  FakeChatPlatform,
  inboundMessages,
  sampleBodies,
  sampleBusinessAccount,
  sampleNumber,
  signed
} from "@trunkline/testing/messaging"
import type { DashboardWorld } from "./DashboardWorld.ts"

const appSecret = "what deliveries are signed with"

/** The network, and the option that connects a world to it. */
export const chatNetwork = () => {
  const platform = new FakeChatPlatform()
  return { platform, messaging: { platform: channelProvider(platform.layer), appSecret } }
}

export interface Written {
  readonly phone: string
  readonly name: string
  readonly text: string
  /** How long ago it was written; by default now. */
  readonly agoMs?: number
}

/** The account's number, by the chat platform's id. */
export const { phoneNumberId } = sampleNumber

/** The account's number is connected. */
export const connectNumber = async (world: DashboardWorld): Promise<string> => {
  const made = await world.ask("POST", "/messaging/phone_numbers", {
    phone_number_id: phoneNumberId,
    business_account_id: sampleBusinessAccount,
    access_token: "EAAG-a-token",
    display_phone_number: sampleNumber.displayPhoneNumber
  })
  return made.id
}

/** A customer writes, as the network delivers it. */
export const customerWrites = async (
  world: DashboardWorld,
  { agoMs = 0, name, phone, text }: Written
): Promise<void> => {
  const timestamp = String(Math.floor((world.now() - agoMs) / 1000))
  const message = sampleBodies.inbound.text(text, { from: phone, from_user_id: undefined, timestamp })
  const delivered = JSON.parse(JSON.stringify(inboundMessages(message)))
  delivered.entry[0].changes[0].value.contacts = [{ profile: { name }, wa_id: phone }]
  const { bytes, headers } = signed(delivered, appSecret)
  const answer = await fetch(new URL("../api/v1/messaging/inbound", world.places.root), {
    method: "POST",
    headers,
    body: new Uint8Array(bytes)
  })
  if (!answer.ok) throw new Error(`A delivery was not taken: ${answer.status} ${await answer.text()}`)
}

/** The open conversation with a customer, as the API has it. */
export const conversationWith = async (world: DashboardWorld, phone: string) =>
  (await world.ask("GET", `/messaging/conversations?status=open&phone=${phone}`))[0]
