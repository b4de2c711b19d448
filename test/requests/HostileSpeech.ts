/** Conversations with an agent on its socket: in good order, and with texts that are hard to read. */
import { oneOf, type Random, whole } from "../faults/Random.ts"
import { type Hostile, sized } from "./Hostile.ts"
import type { SocketRequest } from "./Requests.ts"
import { models, text } from "./Values.ts"

const message = (value: object): string => JSON.stringify(value)

const settings = (agent: object): string => message({ type: "Settings", audio: {}, agent })

const thinks = (prompt: string): object => ({ think: { provider: { model: models.chat[0] }, prompt } })

const welcome = settings({ greeting: "Hello.", ...thinks("Be brief.") })

const applied = { until: "SettingsApplied", ms: 5000 }

type Asker = Parameters<Hostile>[0]

const conversation = ({ access }: Asker, messages: SocketRequest["messages"], waitMs = 1000): SocketRequest => ({
  ...{ via: "socket", target: "/v1/agent/converse", headers: { authorization: `Token ${access.key}` } },
  ...{ messages, waitMs }
})

const said = (request: SocketRequest) => ({ request, right: [101, 402, 429, 503], isPatient: true })

const times = (piece: string, bytes: number): string => piece.repeat(Math.max(1, Math.floor(bytes / piece.length)))

/** What is hard for rules that look for blanks, lines, brackets, Markdown and sentences. */
const hardTexts = [
  "\n ",
  "\n ",
  "\n ",
  " \n",
  "\n",
  " ",
  "\t",
  "[",
  "(",
  "**",
  "*a",
  "_a_",
  "`",
  "# ",
  "> ",
  "- ",
  "1. ",
  "a.",
  "...",
  "!",
  "{{",
  "<a",
  "|",
  "\u00a0",
  "😀",
  "](",
  "http://",
  "a@"
]

/** Up to the maximum of a text on the socket. */
const hardText = (random: Random, max: number): string => {
  const bytes = sized(random, 500, max)
  return random() < 0.7
    ? times(oneOf(random, hardTexts), bytes)
    : `a${times(oneOf(random, hardTexts), bytes / 2)}${times(oneOf(random, hardTexts), bytes / 2)}b`
}

const braces = (random: Random, max: number): string => {
  const length = Math.floor(sized(random, 500, max))
  return oneOf(random, [
    `{{${" ".repeat(length)}`,
    `{{ ${"a ".repeat(length / 2)}`,
    times("{{", length),
    times("{{ ", length),
    times("{{a}}", length),
    `{{${"\t\n".repeat(length / 2)}}}`
  ])
}

const shortSound = Buffer.alloc(3200)

const odd = (random: Random): string | Buffer =>
  oneOf<string | Buffer>(random, [
    "",
    "{",
    "null",
    "[]",
    '"Settings"',
    message({}),
    message({ type: "NoSuch" }),
    message({ type: "x".repeat(200_000) }),
    message({ type: "constructor" }),
    message({ type: "UpdatePrompt" }),
    message({ type: "UpdatePrompt", prompt: { a: 1 } }),
    message({ type: "UpdateThink", think: null }),
    message({ type: "UpdateSpeak", speak: { provider: { model: models.unknown } } }),
    message({ type: "FunctionCallResponse", id: "none", content: "x" }),
    message({ type: "ForceEndTurn" }),
    message({ type: "KeepAlive" }),
    Buffer.alloc(1),
    Buffer.alloc(70_001)
  ])

export const hostileSpeech: Readonly<Record<string, Hostile>> = {
  "a conversation": (asker) =>
    said(
      conversation(asker, [
        welcome,
        applied,
        message({ type: "InjectUserMessage", content: text(asker.random) }),
        shortSound
      ])
    ),
  "a greeting of braces and blanks": (asker) =>
    said(conversation(asker, [settings({ greeting: braces(asker.random, 4990), ...thinks("Be brief.") })])),
  "a prompt of braces and blanks": (asker) =>
    said(conversation(asker, [settings({ greeting: "Hello.", ...thinks(braces(asker.random, 24_000)) })])),
  "a prompt that is added": (asker) =>
    said(
      conversation(asker, [
        welcome,
        applied,
        message({ type: "UpdatePrompt", prompt: braces(asker.random, 20_000) }),
        message({ type: "InjectUserMessage", content: "Hi" })
      ])
    ),
  "a greeting that is hard to speak": (asker) =>
    said(conversation(asker, [settings({ greeting: hardText(asker.random, 4990), ...thinks("Be brief.") })])),
  "a text for the agent to say": (asker) =>
    said(
      conversation(asker, [
        welcome,
        applied,
        message({
          type: "InjectAgentMessage",
          behavior: oneOf(asker.random, ["interrupt", "queue"]),
          message: `a${hardText(asker.random, 250_000)}b`
        })
      ])
    ),
  "words that make a model write hard texts": (asker) =>
    said(
      conversation(
        asker,
        [
          welcome,
          applied,
          message({
            type: "InjectUserMessage",
            content: `UPSTREAM ${oneOf(asker.random, ["blank", "brackets", "long", "stars"])}`
          })
        ],
        1000
      )
    ),
  "settings that are nested deeply": (asker) => {
    const depth = Math.floor(sized(asker.random, 201, 120_000))
    return said(
      conversation(asker, [`{"type":"Settings","audio":{},"agent":${"[".repeat(depth)}${"]".repeat(depth)}}`])
    )
  },
  "settings with many elements": (asker) => {
    const list = (item: object) => Array.from({ length: Math.floor(sized(asker.random, 65, 8000)) }, () => item)
    const agent = oneOf<object>(asker.random, [
      { think: { provider: { model: models.chat[0] }, functions: list({ name: "f" }) } },
      { context: { messages: list({ role: "user", content: "a" }) } },
      { turn: { backchannel: list({ a: 1 }) } },
      { think: list({ provider: { model: models.chat[0] } }) }
    ])
    return said(conversation(asker, [settings(agent)]))
  },
  "odd messages on a socket": (asker) =>
    said(conversation(asker, [welcome, applied, ...Array.from({ length: 8 }, () => odd(asker.random))])),
  "an odd first message": (asker) => said(conversation(asker, [odd(asker.random)], 200)),
  "many messages on a socket": (asker) =>
    said(
      conversation(asker, [
        welcome,
        ...Array.from({ length: Math.floor(sized(asker.random, 100, 3000)) }, () => message({ type: "KeepAlive" }))
      ])
    ),
  "much sound": (asker) =>
    said(
      conversation(asker, [
        welcome,
        applied,
        ...Array.from({ length: whole(asker.random, 5, 60) }, () => Buffer.alloc(64_000))
      ])
    ),
  "a handshake without a key": ({ random }) => ({
    request: {
      via: "socket",
      target: "/v1/agent/converse",
      headers: { authorization: `Token ${"x".repeat(whole(random, 0, 200))}` },
      messages: [],
      waitMs: 0
    },
    right: [401, 429]
  })
}
