/** When an agent replies: docs/reference/messaging.md#replies. */
import { describe, expect, it } from "vitest"
import { isOptOut } from "../../../src/messaging/opt-outs/index.ts"
import {
  isAnswerable,
  leavesWaiting,
  maxTurnsPerHour,
  type ReplySituation,
  skipReason
} from "../../../src/messaging/replies/NoReplyReason.ts"
import { Ids, Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 21, 9, 30))
const text = { type: "text", text: "Hello?" }
const image = { type: "image", text: null }

const good: ReplySituation = {
  number: {
    botId: Ids.as<"Bot">("0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11"),
    aiAutoreplyEnabled: true,
    disconnectedAt: null
  },
  bot: { systemPrompt: "You help.", isActive: true, seesImages: false },
  conversation: { aiAutoreplyEnabled: true },
  messageGroup: [text],
  isOwnNumber: false,
  hasWindow: true,
  windowExpiresAt: Instant.plus(at, Instant.day),
  turnsLastHour: 0,
  isWithinPlan: true,
  at
}

const { bot, number } = { bot: good.bot!, number: good.number }

describe("an agent", () => {
  it("answers when all conditions are met", () => {
    expect(skipReason(good)).toBeNull()
  })

  it.each<[why: string, change: Partial<ReplySituation>]>([
    ["number_disconnected", { number: { ...number, disconnectedAt: at } }],
    ["own_number", { isOwnNumber: true }],
    ["number_unlinked", { number: { ...number, botId: null } }],
    ["bot_gone", { bot: null }],
    ["bot_inactive", { bot: { ...bot, isActive: false } }],
    ["bot_without_prompt", { bot: { ...bot, systemPrompt: null } }],
    ["bot_without_prompt", { bot: { ...bot, systemPrompt: "" } }],
    ["bot_without_prompt", { bot: { ...bot, systemPrompt: " \n\t" } }],
    ["number_switched_off", { number: { ...number, aiAutoreplyEnabled: false } }],
    ["conversation_switched_off", { conversation: { aiAutoreplyEnabled: false } }],
    ["nothing_to_answer", { messageGroup: [] }],
    ["nothing_to_answer", { messageGroup: [{ type: "audio", text: null }, image] }],
    ["opted_out", { messageGroup: [text, { type: "text", text: "STOP" }, { type: "sticker", text: null }] }],
    ["window_closed", { windowExpiresAt: null }],
    ["window_closed", { windowExpiresAt: at }],
    ["too_many_turns", { turnsLastHour: maxTurnsPerHour }],
    ["too_many_turns", { turnsLastHour: maxTurnsPerHour + 1 }],
    ["quota_exceeded", { isWithinPlan: false }]
  ])("is silent for %s: %j", (why, change) => {
    expect(skipReason({ ...good, ...change })).toBe(why)
  })

  it("answers in the last millisecond of the window, and for the last time in the hour", () => {
    expect(skipReason({ ...good, windowExpiresAt: Instant.plus(at, 1), turnsLastHour: maxTurnsPerHour - 1 })).toBeNull()
    expect(maxTurnsPerHour).toBe(60)
  })

  it("replies to a message group of which anything can be answered", () => {
    const messageGroup = [{ type: "sticker", text: null }, text, { type: "reaction", text: null }]
    expect(skipReason({ ...good, messageGroup })).toBeNull()
  })

  // Verifies: M-15.
  it("answers an image when its model sees", () => {
    expect(skipReason({ ...good, messageGroup: [image], bot: { ...bot, seesImages: true } })).toBeNull()
    expect(skipReason({ ...good, messageGroup: [image] })).toBe("nothing_to_answer")
  })

  // Verifies: M-11, M-12, M-13, M-14, M-16, N-5, N-52.
  it("is silent whenever any condition fails, whatever else is met", () => {
    const faults: ReadonlyArray<Partial<ReplySituation>> = [
      { isOwnNumber: true },
      { bot: null },
      { conversation: { aiAutoreplyEnabled: false } },
      { messageGroup: [] },
      { windowExpiresAt: null },
      { turnsLastHour: maxTurnsPerHour },
      { isWithinPlan: false }
    ]
    for (const one of faults)
      for (const other of faults) expect(skipReason({ ...good, ...one, ...other })).not.toBeNull()
  })
})

describe("a message that can be answered", () => {
  // Verifies: M-15.
  it("is text that is not blank", () => {
    expect(isAnswerable(text, { seesImages: false })).toBe(true)
    for (const blank of [null, "", " \n\u3000"])
      expect(isAnswerable({ type: "text", text: blank }, { seesImages: true })).toBe(false)
  })

  it("is an image, with a caption or without, where the model sees", () => {
    for (const caption of [null, "Look"]) {
      expect(isAnswerable({ type: "image", text: caption }, { seesImages: true })).toBe(true)
      expect(isAnswerable({ type: "image", text: caption }, { seesImages: false })).toBe(false)
    }
  })

  it.each([
    ...["audio", "video", "document", "sticker", "location", "contacts", "interactive", "button", "reaction", "order"],
    ...["system", "unsupported", "request_welcome", "unknown", "hologram"]
  ])("is not %s, words or not", (type) => {
    expect(isAnswerable({ type, text: "words" }, { seesImages: true })).toBe(false)
  })
})

describe("an opt-out", () => {
  const says = (said: string) => isOptOut({ type: "text", text: said })

  it("is the word alone, however it is written", () => {
    for (const said of [
      "STOP",
      "stop.",
      " Stop! ",
      "Opt-out",
      "opt out",
      "«Unsubscribe»",
      "De\u0301sabonner",
      "СТОП",
      "退订"
    ])
      expect(says(said), said).toBe(true)
  })

  it("is nothing that has more to say", () => {
    for (const said of [
      "Does the bus stop here?",
      "stop the delivery please",
      "Cancel",
      "End",
      "no",
      "",
      "🛑",
      "sto p"
    ])
      expect(says(said), said).toBe(false)
  })

  it("is text: a caption or a button may read like one", () => {
    expect(isOptOut({ type: "image", text: "STOP" })).toBe(false)
    expect(isOptOut({ type: "text", text: null })).toBe(false)
  })
})

describe("a group without a reply", () => {
  const sticker = { type: "sticker", text: null }
  const audio = { type: "audio", text: null }

  // Verifies: B-503.
  it.each<
    [why: Parameters<typeof leavesWaiting>[0], group: ReadonlyArray<typeof text | typeof sticker>, leaves: boolean]
  >([
    [null, [text], true],
    ["quota_exceeded", [text], true],
    ["too_many_turns", [text], true],
    ["bot_inactive", [text], true],
    ["conversation_switched_off", [text], true],
    ["payment_method_required", [text], true],
    ["window_closed", [text], true],
    ["nothing_to_answer", [audio], true],
    ["nothing_to_answer", [image], true],
    ["nothing_to_answer", [sticker], false],
    ["nothing_to_answer", [{ type: "reaction", text: "👍" }], false],
    ["nothing_to_answer", [{ type: "text", text: " " }], false],
    ["opted_out", [text], false],
    ["own_number", [text], false]
  ])("for %s, of %j, leaves somebody waiting: %s", (why, group, leaves) => {
    expect(leavesWaiting(why, group)).toBe(leaves)
  })
})
