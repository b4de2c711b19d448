/** The table of turns as a whole: what can happen in which state, and which states follow. Verifies: CONV-6. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import {
  type ConversationState,
  type Happening,
  newState,
  rulesOf
} from "../../../src/voice/turns/ConversationState.ts"
import { Conversation, type ConversationEvent } from "../../../src/voice/turns/index.ts"
import { ignored, type Line, lineOf, react, states, table } from "../../../src/voice/turns/Turns.ts"
import { defaults } from "./ConversationWorld.ts"

/** A value that cannot be changed, nor anything in it. */
const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const one of Object.values(value)) frozen(one)
  }
  return value
}

const nudge = { max: 1, delayMs: 3000, message: "Are you still there?", hangUp: true }
const rules = rulesOf({ ...defaults, nudge, notice: "This is recorded.", greeting: "Hello.", turnId: () => "turn" })

const reactTo = (state: ConversationState, happening: Happening) =>
  react(state, happening, { now: 10_000, playing: () => ({ sentence: 1, part: 0.5 }) }, rules)

const after = (state: ConversationState, ...happenings: ReadonlyArray<Happening>) =>
  frozen(happenings.reduce((known, happening) => reactTo(known, happening).state, state))

/** Everything that can happen in a state, with the ids that it knows. */
const happeningsIn = ({ agent, utterances }: ConversationState): ReadonlyArray<Happening> => {
  const saying = "saying" in agent ? agent.saying : agent._tag === "Interrupted" ? agent.speaking.saying : null
  const run = saying?.run?.id ?? 1
  const sentence = saying?.sentences.find((one) => !one.isPlayed)?.id ?? 1
  const utterance = utterances.open[0]?.id ?? 1
  const words = { _tag: "Transcribed", utterance, model: null, isBroken: false } as const
  const call = { role: "tool", id: "call", name: "book", arguments: "{}", result: "" } as const
  const named = (["LineClosed", "Begun", "ForceEndTurn"] as const).map((_tag) => ({ _tag }))
  const heard = (["SpeechBegun", "SpeechLasted", "WordsCame", "MessageCame", "NothingSaid"] as const).map((_tag) => ({
    _tag
  }))
  return [
    ...[...named, ...heard, { _tag: "NotTranscribed" } as const, { _tag: "Replaced" } as const],
    ...[{ _tag: "Silenced" } as const, { _tag: "TurnDecided", utterance } as const],
    ...[true, false].map((isSpeech) => ({ _tag: "Frame", isSpeech, isCertain: isSpeech }) as const),
    ...["I want a pizza.", "And", "Yes.", ""].map((text) => ({ ...words, text })),
    { ...words, text: "", isBroken: true },
    ...(["silence", "turn", "nudge", "keys", "wait", "first"] as const).map(
      (name) => ({ _tag: "Timer", name }) as const
    ),
    ...["1", "#"].map((key) => ({ _tag: "Key", key }) as const),
    ...(["UserMessage", "Happened"] as const).map((_tag) => ({ _tag, content: "Hello." })),
    ...(["default", "queue", "interrupt"] as const).map(
      (behavior) => ({ _tag: "AgentMessage", message: "A message.", behavior }) as const
    ),
    ...["A sentence. And", "so"].map((text) => ({ _tag: "Written", run, text }) as const),
    ...(["FunctionsBegun", "FunctionsEnded", "ReplyFailed"] as const).map((_tag) => ({ _tag, run })),
    ...([null, "end"] as const).map((what) => ({ _tag: "ReplyEnded", run, model: null, after: what }) as const),
    { _tag: "CallEnded", run, call },
    { _tag: "SoundBegun", sentence, ttsMs: 1 },
    ...(["SoundSent", "Played", "NotSpoken"] as const).map((_tag) => ({ _tag, sentence })),
    { _tag: "Leave", ending: { reason: "max_duration", code: null } }
  ]
}

const writes = { _tag: "Written", run: 1, text: "One sentence. Another one. And" } as const
const soundBegins = { _tag: "SoundBegun", sentence: 1, ttsMs: 1 } as const
const speechBegins: Happening = { _tag: "Frame", isSpeech: true, isCertain: true }
const interruption: ReadonlyArray<Happening> = [speechBegins, { _tag: "SpeechLasted" }]

/** Conversations in each state, to which different things have happened. */
const conversations = (): ReadonlyArray<ConversationState> => {
  const initial = frozen(newState(rules))
  const silent = after({ ...initial, greeting: null })
  const asked = after(silent, { _tag: "UserMessage", content: "Hello." })
  const writing = after(asked, writes)
  const speaking = after(writing, soundBegins)
  // Its run goes on, and all that it has written has been played.
  const waiting = after(asked, { ...writes, text: "All of it.\n" }, soundBegins, { _tag: "Played", sentence: 1 })
  const failed = after(asked, { _tag: "ReplyFailed", run: 1 })
  const written = after(speaking, { _tag: "ReplyEnded", run: 1, model: null, after: null })
  return [
    ...[initial, silent, asked, writing, speaking, written],
    ...[silent, writing, speaking].map((state) => after(state, speechBegins)),
    after(speaking, { _tag: "ReplyEnded", run: 1, model: null, after: "end" }),
    // The next frame makes it long enough to interrupt.
    after(speaking, ...Array.from({ length: 11 }, () => speechBegins)),
    ...[waiting, after(waiting, { _tag: "AgentMessage", message: "A message.", behavior: "queue" }, ...interruption)],
    failed,
    after(failed, { _tag: "UserMessage", content: "Hello?" }, { ...writes, run: 2 }, { ...soundBegins, sentence: 2 }),
    after(written, { _tag: "Played", sentence: 1 }, { _tag: "Played", sentence: 2 }),
    after(speaking, ...interruption),
    after(written, ...interruption, { _tag: "Timer", name: "silence" }),
    after(silent, { _tag: "Timer", name: "nudge" }, soundBegins, { _tag: "Played", sentence: 1 }),
    after(initial, { _tag: "Begun" }, soundBegins),
    after(silent, { _tag: "Leave", ending: { reason: "max_duration", code: null } }),
    after(silent, { _tag: "LineClosed" })
  ]
}

const reactionsOf = (state: ConversationState) =>
  happeningsIn(state).map((happening) => ({ from: state, happening, to: reactTo(state, happening) }))

const first = conversations().flatMap(reactionsOf)
/** What comes of everything that can happen to them, and of everything that can happen then. */
const reactions = [...first, ...first.flatMap(({ to }) => reactionsOf(frozen(to.state)))]

/**
 * The states that follow upon a line of the table, by the agent's state before it but `Ended`, where what is said has words; "–" where
 * it is ignored.
 */
const followers: Readonly<Record<Line, readonly [string, string, string, string]>> = {
  Begun: ["Preparing", "–", "–", "–"],
  Frame: ["Silent", "Silent, Preparing", "Speaking, Interrupted", "Interrupted"],
  "Timer silence": ["Silent", "Preparing", "Speaking", "Interrupted"],
  TurnDecided: ["Silent", "Preparing", "Speaking", "Interrupted"],
  ForceEndTurn: ["Silent, Preparing", "Preparing", "Speaking", "Interrupted"],
  Transcribed: [
    "Silent, Preparing",
    "Silent, Preparing",
    "Silent, Preparing, Speaking",
    "Silent, Preparing, Speaking, Interrupted"
  ],
  "Timer turn": ["Silent, Preparing", "Preparing", "Speaking", "Interrupted"],
  Key: ["Silent, Preparing", "Preparing", "Preparing, Speaking", "Preparing, Interrupted"],
  "Timer keys": ["Silent, Preparing", "Preparing", "Preparing, Speaking", "Preparing, Interrupted"],
  UserMessage: ["Preparing", "Preparing", "Preparing, Speaking", "Preparing"],
  Happened: ["Preparing", "Preparing", "Preparing, Speaking", "Preparing"],
  SpeechBegun: ["–", "Silent, Preparing", "–", "–"],
  SpeechLasted: ["–", "–", "Speaking, Interrupted", "–"],
  WordsCame: ["–", "Silent, Preparing", "Silent, Speaking", "Silent"],
  MessageCame: ["–", "Silent, Preparing", "Silent, Speaking", "Silent"],
  NothingSaid: ["Silent, Preparing", "Preparing", "Speaking", "Silent, Preparing, Speaking"],
  NotTranscribed: ["Preparing", "Preparing", "–", "Preparing"],
  Written: ["–", "Preparing", "Speaking", "–"],
  FunctionsBegun: ["–", "Preparing", "Speaking", "–"],
  "Timer wait": ["–", "Preparing", "Speaking", "–"],
  FunctionsEnded: ["–", "Preparing", "Speaking", "–"],
  CallEnded: ["Silent", "Preparing", "Speaking", "Interrupted"],
  ReplyEnded: ["–", "Silent, Preparing", "Silent, Preparing, Speaking", "–"],
  ReplyFailed: ["–", "Preparing", "Preparing, Speaking", "–"],
  SoundBegun: ["–", "Preparing, Speaking", "Speaking", "–"],
  SoundSent: ["–", "Preparing", "Speaking", "–"],
  Played: ["–", "Silent, Preparing, Ended", "Silent, Preparing, Speaking, Ended", "–"],
  NotSpoken: ["–", "Silent, Preparing, Ended", "Silent, Preparing, Speaking, Ended", "–"],
  "Timer first": ["Silent, Preparing", "Preparing", "Speaking", "Interrupted"],
  "Timer nudge": ["Silent, Preparing, Ended", "–", "–", "–"],
  "AgentMessage default": ["Silent, Preparing", "Preparing", "Speaking", "Interrupted"],
  "AgentMessage queue": ["Silent, Preparing", "Preparing", "Speaking", "Interrupted"],
  "AgentMessage interrupt": ["Preparing", "Preparing", "Preparing, Speaking", "Preparing"],
  Replaced: ["–", "Silent, Preparing", "Silent, Speaking", "Silent"],
  Leave: ["Preparing", "Preparing", "Preparing", "Preparing"],
  Silenced: ["–", "Silent", "Silent", "Silent"],
  LineClosed: ["Ended", "Ended", "Ended", "Ended"]
}

/** Lines that a reader of the documentation finds, and their words there. */
const documented: Partial<Readonly<Record<Line, string>>> = {
  SpeechBegun: "an utterance begins",
  SpeechLasted: "it lasts for `turn.min_speech_ms`",
  WordsCame: "it has words that do not only confirm",
  NothingSaid: "it has none, and nothing else is waited for",
  NotTranscribed: "it is not transcribed, and nothing else is waited for",
  "Timer turn": "the turn is over",
  UserMessage: "`InjectUserMessage`",
  "AgentMessage default": "`InjectAgentMessage`, `default`",
  "AgentMessage queue": "`InjectAgentMessage`, `queue`",
  "AgentMessage interrupt": "`InjectAgentMessage`, `interrupt`",
  Written: "the model writes",
  ReplyEnded: "the model has written its reply",
  ReplyFailed: "a reply is not made",
  SoundBegun: "the sound of a sentence begins",
  Played: "a sentence has been played",
  NotSpoken: "a sentence is not spoken",
  "Timer nudge": "`nudge_delay_seconds` have passed",
  Leave: "the agent is to say goodbye",
  LineClosed: "the line is gone"
}

const page = readFileSync(
  fileURLToPath(new URL("../../../../../docs/reference/turn-taking.md", import.meta.url)),
  "utf8"
)

const lines = Object.keys(table) as ReadonlyArray<Line>

const followersOf = (line: Line): ReadonlyArray<string> =>
  states.slice(0, -1).map((state, nth) => {
    if (table[line][nth] === ignored) return "–"
    const here = reactions.filter(({ from, happening }) => lineOf(happening) === line && from.agent._tag === state)
    const found = new Set(here.map(({ to }) => to.state.agent._tag))
    return states.filter((one) => found.has(one)).join(", ")
  })

describe("the table of turns", () => {
  it.for(lines)("leads from %s to these states", (line) => {
    expect(followersOf(line)).toEqual(followers[line])
  })

  it("does nothing where it ignores what happens, and an ended conversation ignores everything but the end of its line", () => {
    for (const { from, happening, to } of first) {
      if (table[lineOf(happening)][states.indexOf(from.agent._tag)] !== ignored) continue
      expect(to).toEqual({ state: from, commands: [] })
    }
    expect(lines.filter((line) => table[line].at(-1) !== ignored)).toEqual(["LineClosed"])
  })

  it("changes no state, and leads from the same one with the same commands to the same one", () => {
    for (const { from, happening, to } of first) expect(reactTo(from, happening)).toEqual(to)
  })

  it("is in the documentation where the agent's state counts", () => {
    const [, below = ""] = page.split(/^\| What happens \| Silent \|.+\n\|[-|]+\|\n/m)
    const rows = Object.entries(documented).map(([line, words]) => [words, ...followers[line as Line]])
    expect(below.split("\n\n")[0]).toBe(rows.map((row) => `| ${row.join(" | ")} |`).join("\n"))
  })
})

describe("an ended conversation", () => {
  it("does nothing for words that waited for those which ended it, where its goodbye has none", () => {
    const messages = { ...defaults.messages, goodbye: "" }
    const conversation = new Conversation({ ...defaults, messages, turnId: () => "turn" })
    const send = (event: ConversationEvent) =>
      conversation.handle(event, { now: 0, playing: () => ({ sentence: null, part: 0 }) })
    const utterances = Array.from({ length: 4 }, (_, nth) => nth + 1)
    for (const _ of utterances) {
      send({ _tag: "Frame", isSpeech: true, isCertain: true })
      for (let n = 0; n < 20; n++) send({ _tag: "Frame", isSpeech: false, isCertain: false })
    }
    const words = utterances
      .toReversed()
      .flatMap((utterance) =>
        send({ _tag: "Transcribed", utterance, text: "I want a pizza.", model: null, isBroken: utterance < 4 })
      )
    expect(words.map(({ _tag }) => _tag)).toEqual(["ClearTimer", "End"])
  })
})
