import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Instant } from "../../../src/platform/kernel/index.ts"
import { isTeamChat, type TeamChatMessage, teamChatBody } from "../../../src/webhooks/deliveries/TeamChat.ts"

const at = Instant.make(Date.UTC(2026, 10, 21, 9, 30, 5))

const write = (data: Record<string, unknown>, event = "campaign.completed"): TeamChatMessage =>
  teamChatBody({ event, data, at })

type Block = TeamChatMessage["blocks"][number]

const textsIn = (block: Block) => {
  if (block.type === "context") return block.elements
  return "fields" in block ? block.fields : [block.text]
}

const texts = ({ blocks }: TeamChatMessage) => blocks.flatMap(textsIn)
const header = (message: TeamChatMessage): string => texts(message)[0]?.text ?? ""
const notes = ({ blocks }: TeamChatMessage) => textsIn(blocks.at(-1) as Block).map(({ text }) => text)
/** Everything between title and notes, as a reader sees it. */
const facts = ({ blocks }: TeamChatMessage) =>
  blocks.slice(1, -1).map((block) => textsIn(block).map(({ text, type }) => (type === "mrkdwn" ? `<b>${text}` : text)))

/** What the chat shows of an escaped text. */
const unescape = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

const hostile = fc.oneof(
  fc.constantFrom(
    "<!channel>",
    "<!here|x>",
    "<@U123>",
    "<https://evil.example|bank>",
    "&amp;",
    "&lt;!channel&gt;",
    "*`_~"
  ),
  fc.constantFrom("\ud83d", "\udc4b", "👩‍👩‍👧", "\u202egnp.exe", "\u0000", "\u200b", " ", "\n", "@channel", "#general"),
  unicodeText(),
  fc.string({ unit: "grapheme", maxLength: 4000 }),
  fc
    .tuple(fc.constantFrom("&", "<", "a", "👋"), fc.integer({ min: 1, max: 5000 }))
    .map(([one, times]) => one.repeat(times))
)
const json = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(hostile, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 6 }),
    tie("object")
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom("name", "__proto__", "id", "toString"), hostile), tie("value"), {
    maxKeys: 60
  })
})).object

describe("a team chat's address", () => {
  const hosts = ["hooks.slack.com"]

  it.each([
    ["https://hooks.slack.com/services/T/B/x", true],
    ["https://HOOKS.Slack.com/services", true],
    ["https://hooks.slack.com:443/", true],
    ["https://hooks.slack.com:8443/", true],
    ["https://hooks.slack.com.evil.com/", false],
    ["https://evil-hooks.slack.com/", false],
    ["https://hooks.slack.com@evil.com/", false],
    ["https://evil.com/hooks.slack.com", false],
    ["https://evil.com/?u=https://hooks.slack.com", false],
    ["https://evil.com#@hooks.slack.com", false],
    ["https://hooks.slack.com./", false],
    ["https://hooks。slack。com/", true],
    ["https://slack.com/", false],
    ["hooks.slack.com", false],
    ["", false]
  ])("%s: %s", (url, expected) => {
    expect(isTeamChat(url, hosts)).toBe(expected)
    if (URL.canParse(url)) expect(isTeamChat(new URL(url), hosts)).toBe(expected)
  })

  // Verifies: E-32, W-104.
  it("is on the hosts that are configured, and on no other", () => {
    expect(isTeamChat("https://hooks.slack-gov.com/x", ["hooks.slack.com", "Hooks.Slack-Gov.com"])).toBe(true)
    expect(isTeamChat("https://hooks.slack.com/x", [])).toBe(false)
  })
})

describe("a message for people", () => {
  it("says in words what happened, what people ask first, and when", () => {
    const message = write({
      campaign_id: "0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11",
      total_contacts: 120,
      tags: ["spring", "b2b"],
      dial_mode: "power",
      amd_enabled: true,
      bot_id: null,
      status: "completed",
      name: "Spring & Summer"
    })
    expect(message).toEqual({
      text: "Campaign completed (2026-11-21 09:30:05 UTC)",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "Campaign completed", emoji: false } },
        {
          type: "section",
          fields: [
            { type: "mrkdwn", text: "*Name*" },
            { type: "plain_text", text: "Spring &amp; Summer", emoji: false },
            { type: "mrkdwn", text: "*Status*" },
            { type: "plain_text", text: "completed", emoji: false },
            { type: "mrkdwn", text: "*Total contacts*" },
            { type: "plain_text", text: "120", emoji: false },
            { type: "mrkdwn", text: "*Tags*" },
            { type: "plain_text", text: "spring, b2b", emoji: false },
            { type: "mrkdwn", text: "*Dial mode*" },
            { type: "plain_text", text: "power", emoji: false }
          ]
        },
        {
          type: "section",
          fields: [
            { type: "mrkdwn", text: "*Amd enabled*" },
            { type: "plain_text", text: "yes", emoji: false },
            { type: "mrkdwn", text: "*Campaign ID*" },
            { type: "plain_text", text: "0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11", emoji: false }
          ]
        },
        {
          type: "context",
          elements: [
            { type: "plain_text", text: "2026-11-21 09:30:05 UTC", emoji: false },
            { type: "plain_text", text: "campaign.completed", emoji: false }
          ]
        }
      ],
      unfurl_links: false,
      unfurl_media: false
    })
  })

  it.each([
    ["voice_session.ended", "Voice session ended"],
    ["api_key.expired", "API key expired"],
    ["payment_request.partially_paid", "Payment request partially paid"],
    ["call.amd_detected", "Call answered by a person or a machine"],
    ["test", "Test event"],
    ["constructor", "Constructor"],
    ["", "Event"],
    ["\u200b", "Event"]
  ])("has %s as %s", (event, title) => {
    expect(header(write({}, event))).toBe(title)
  })

  it("puts ids last, whether their name or their form shows them", () => {
    const uuid = "0190F2A4-7C1E-7B3A-9A55-2F1F0C5D8E11"
    const message = write({
      id: "1",
      msgid: "2",
      actor: uuid,
      msgids: ["3"],
      paid: "4",
      call_ids: ["5"],
      grid: "6",
      name: "7"
    })
    expect(facts(message)[0]?.filter((_, i) => i % 2 === 1)).toEqual(["7", "4", "6", "1", "2"])
    expect(facts(message)[1]?.filter((_, i) => i % 2 === 1)).toEqual([uuid, "3", "5"])
  })

  it("lays out one level of nesting and counts what is deeper", () => {
    const data = {
      caller: { full_name: "Ann", tags: { a: 1, b: 2 } },
      turns: [{ a: 1 }],
      more: { x: [[1], [2]] },
      odd: { y: { z: 1 } }
    }
    expect(facts(write(data))).toEqual([
      [
        ...["<b>*Caller › Full name*", "Ann", "<b>*Caller › Tags*", "2 fields", "<b>*Turns*", "1 entry"],
        ...["<b>*More › X*", "2 entries", "<b>*Odd › Y*", "1 field"]
      ]
    ])
  })

  it("gives a long text, and one of several lines, the whole width, in their place", () => {
    const long = "word ".repeat(40).trim()
    expect(facts(write({ name: "A", text: long, note: "one\ntwo", status: "ok" }))).toEqual([
      ["<b>*Name*", "A", "<b>*Status*", "ok"],
      [`Text:\n${long}`],
      ["Note:\none\ntwo"]
    ])
  })

  it("neither shows nor counts what is empty", () => {
    const message = write({
      a: null,
      b: "",
      c: [],
      d: {},
      e: " \t\u0000",
      f: "\u200b\ufeff",
      g: { h: null },
      i: [null]
    })
    expect(facts(message)).toEqual([])
    expect(notes(message)).toHaveLength(2)
  })

  it("has a word for a field without a name", () => {
    expect(facts(write({ "": 1, "\u200b": 2, "_.": { a: 3 } }))).toEqual([
      ["(no name)", "1", "(no name)", "2", "<b>*A*", "3"]
    ])
  })

  it("shows zero and no", () => {
    expect(facts(write({ a: 0, b: false }))).toEqual([["<b>*A*", "0", "<b>*B*", "no"]])
  })

  it("says how many fields it has left out", () => {
    const many = Object.fromEntries(Array.from({ length: 37 }, (_, i) => [`n${i}`, i]))
    expect(notes(write(many)).at(-1)).toBe("7 more not shown")
    expect(facts(write(many)).flat()).toHaveLength(60)
  })

  it("leaves the place of a text that has no room to shorter ones", () => {
    const data = Object.fromEntries(["a", "b", "c", "d", "e"].map((key) => [key, "x".repeat(5000)]))
    const message = write({ ...data, f: "short" })
    expect(facts(message).map(([one]) => one?.length)).toEqual([3000, 3000, 3000, "<b>*F*".length])
    expect(notes(message).at(-1)).toBe("2 more not shown")
  })
})

describe("data in a message", () => {
  it("cannot call people, link or set type", () => {
    const message = write({
      name: "<!channel> <https://evil.example|your bank> & *free* `code` :tada:",
      "<!here>": "x",
      "*b*": "y"
    })
    expect(texts(message).slice(1, -2)).toEqual([
      { type: "mrkdwn", text: "*Name*" },
      {
        type: "plain_text",
        text: "&lt;!channel&gt; &lt;https://evil.example|your bank&gt; &amp; *free* `code` :tada:",
        emoji: false
      },
      { type: "plain_text", text: "&lt;!here&gt;", emoji: false },
      { type: "plain_text", text: "x", emoji: false },
      { type: "plain_text", text: "*b*", emoji: false },
      { type: "plain_text", text: "y", emoji: false }
    ])
  })

  it("is cut between characters that are whole, with a sign of the cut", () => {
    const cut = (text: string) => facts(write({ text }))[0]?.[0]?.slice("Text:\n".length) ?? ""
    const room = 3000 - "Text:\n".length
    expect(cut("a".repeat(room))).toBe("a".repeat(room))
    expect(cut("a".repeat(room + 1))).toBe(`${"a".repeat(room - 1)}…`)
    expect(cut(`${"a".repeat(room - 2)}👋b`)).toBe(`${"a".repeat(room - 2)}…`)
    expect(cut(`${"a".repeat(room - 5)}&`)).toBe(`${"a".repeat(room - 5)}&amp;`)
    expect(cut(`${"a".repeat(room - 4)}&`)).toBe(`${"a".repeat(room - 4)}…`)
    expect(cut(`${"a".repeat(room - 5)}&b`)).toBe(`${"a".repeat(room - 5)}…`)
  })

  it("turns no text around", () => {
    expect(facts(write({ name: " a\u202egnp.exe\u0007b\n" }))).toEqual([["<b>*Name*", "agnp.exe b"]])
  })

  it("of any kind give a message within the format's bounds, without markup of their own", () => {
    fc.assert(
      fc.property(json, fc.oneof(hostile, fc.constant("call.completed")), (data, event) => {
        const message = teamChatBody({ event, data, at })
        const all = texts(message)
        expect(message.blocks.length).toBeLessThanOrEqual(50)
        expect(all.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(12_000)
        for (const block of message.blocks) {
          const bound = { header: 150, section: "fields" in block ? 2000 : 3000, context: 2000 }[block.type]
          const inside = textsIn(block)
          expect(inside.length).toBeGreaterThan(0)
          expect(inside.length).toBeLessThanOrEqual(10)
          for (const { text } of inside) {
            expect(text.length).toBeLessThanOrEqual(bound)
            expect(text).toMatch(/[^\p{Z}\p{Cf}\p{M}\n]/u)
          }
        }
        for (const { text, type } of [...all, { type: "plain_text", text: message.text }]) {
          expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/)
          expect(text.isWellFormed()).toBe(true)
          if (type === "mrkdwn") expect(text).toMatch(/^\*[\p{L}\p{N} ›]+\*$/u)
        }
        expect(JSON.parse(JSON.stringify(message))).toEqual(message)
      }),
      { numRuns: 300 }
    )
  })

  it("are read back as they were, where they are short and plain", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 15, unit: fc.constantFrom("a", "<", ">", "&", ";", "l", "t", "é", "👋") }),
        (name) => {
          expect(unescape(facts(write({ name }))[0]?.[1] ?? "")).toBe(name)
        }
      )
    )
  })

  it("are all shown or counted", () => {
    const flat = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.oneof(fc.integer(), fc.stringMatching(/^[a-z]{1,4000}$/)),
      {
        maxKeys: 50
      }
    )
    fc.assert(
      fc.property(flat, (data) => {
        const message = write(data)
        const shown = facts(message).reduce((sum, one) => sum + (one.length === 1 ? 1 : one.length / 2), 0)
        const left = Number(notes(message)[2]?.split(" ")[0] ?? 0)
        expect(shown + left).toBe(Object.keys(data).length)
      })
    )
  })
})
