/** The chat of a page does what every channel promises. Verifies: WEBC-1. */
import { channelSuite } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { tokenOf } from "../../src/web-chat/VisitorToken.ts"
import { channelWith, chat, request, secret } from "./Chats.ts"

const visitorId = "0190f2a4-7c1e-4b3a-9a55-2f1f0c5d8e11"

channelSuite(
  "web-chat",
  Effect.map(channelWith(), (channel) => {
    const token = tokenOf(secret, { connectionId: chat.id, visitorId })
    return {
      channel,
      connection: chat,
      addressed: chat,
      keepsTemplate: null,
      customer: { _tag: "User", id: visitorId } as const,
      texts: null,
      refusals: [],
      breaksOff: null,
      writes: (id: string, text: string) => request("message", { token, id: `message-${id}`, text }),
      forged: ({ body }) => {
        const { token: own, ...rest } = JSON.parse(new TextDecoder().decode(body))
        return request("message", { ...rest, token: `${own.slice(0, -1)}${own.endsWith("0") ? "1" : "0"}` })
      }
    }
  })
)
