/** How the records of an account refer to each other: each arrow is a field of the record that it leaves. */
import type { Bot } from "../../src/agents/bots/BotStore.ts"
import type { Call } from "../../src/calling/calls/Call.ts"
import type { Campaign } from "../../src/calling/campaigns/Campaign.ts"
import type { CampaignContact } from "../../src/calling/campaigns/CampaignContact.ts"
import type { ConnectedNumber } from "../../src/messaging/channels/ConnectedNumber.ts"
import type { Conversation } from "../../src/messaging/conversations/Conversation.ts"
import type { Customer } from "../../src/messaging/customers/Customer.ts"
import type { Message } from "../../src/messaging/messages/Message.ts"
import type { VoiceSession } from "../../src/voice/sessions/VoiceSession.ts"
import { arrow, type Box, box, type Picture, path, words } from "./Drawing.ts"

interface Records {
  readonly campaign: Campaign
  readonly contact: CampaignContact
  readonly call: Call
  readonly session: VoiceSession
  readonly agent: Bot
  readonly connected: ConnectedNumber
  readonly customer: Customer
  readonly conversation: Conversation
  readonly message: Message
}

type Place = keyof Records | "number" | "endpoint"

const size = { width: 200, height: 62 }
const [left, middle, right] = [30, 350, 670]
const row = (nth: number): number => 66 + nth * 108

const boxes: Readonly<Record<Place, Box>> = {
  campaign: { ...size, x: left, y: row(0), lines: ["Campaign", "whom to call, and when"] },
  contact: { ...size, x: left, y: row(1), lines: ["Contact", "one person on its list"] },
  call: { ...size, x: left, y: row(2), lines: ["Call", "one attempt by telephone"] },
  session: { ...size, x: left, y: row(3), lines: ["Voice session", "what was said; its cost"] },
  number: { ...size, x: middle, y: row(0), lines: ["Caller number", "what phones display"] },
  agent: {
    ...size,
    x: middle,
    y: row(2) - 30,
    height: 80,
    lines: ["Agent (bot)", "prompt, models, voice,", "knowledge, functions"]
  },
  endpoint: { ...size, height: 46, x: middle, y: 520, tone: "outside", lines: ["Your endpoint", "gets signed events"] },
  connected: { ...size, x: right, y: row(0), lines: ["Connected number", "an address for chats"] },
  customer: { ...size, x: right, y: row(1), lines: ["Customer", "a person who writes"] },
  conversation: { ...size, x: right, y: row(2), lines: ["Conversation", "ends after a silent day"] },
  message: { ...size, x: right, y: row(3), lines: ["Message", "what one of them wrote"] }
}

/** A record, the field in which it names another one, and which one that is. */
const refers =
  <From extends keyof Records>(from: From) =>
  (field: keyof Records[From] & string, to: Place, shift = 0, place = 0.5) => ({ from, field, to, shift, place })

const fields = [
  refers("contact")("campaignId", "campaign"),
  refers("call")("contactId", "contact"),
  refers("call")("voiceSessionId", "session"),
  refers("campaign")("fromNumberId", "number"),
  refers("campaign")("botId", "agent", 0, 0.45),
  refers("call")("botId", "agent"),
  refers("session")("botId", "agent"),
  refers("connected")("botId", "agent", 0, 0.45),
  refers("customer")("phoneId", "connected"),
  refers("conversation")("customerId", "customer"),
  refers("message")("conversationId", "conversation")
]

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

export const belongings: Picture = {
  title: "What belongs to an account, and which record names which other one",
  width: 900,
  height: 584,
  parts: [
    box({ x: 14, y: 14, width: 872, height: 456, tone: "frame", lines: [] }),
    words("Account: one customer of yours, to whom everything here belongs", { x: 30, y: 40 }, { kind: "name" }),
    ...fields.map(({ field, from, place, shift, to }) =>
      arrow({ from: boxes[from], to: boxes[to], label: snakeCase(field), shift, place })
    ),
    path(
      [
        [450, 470],
        [450, 520]
      ],
      { label: "events of all of these" }
    ),
    ...Object.values(boxes).map(box)
  ]
}
