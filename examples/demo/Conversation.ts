/**
 * A caller and an agent speak with each other, both with voices of this machine, which also hears. Only the language model is the
 * reader's, or a scripted one.
 */
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Trunkline, TrunklineOptions } from "@trunkline/core"
import { audioLength, nodeHandler } from "@trunkline/node"
import { type EmbeddedProvider, silero } from "@trunkline/providers/embedded"
import { openai } from "@trunkline/providers/openai"
import { Caller, type Said } from "./Caller.ts"
import { type ChatEnvironment, type Chosen, chosen, model } from "./Chat.ts"
import { type Ask, inMemory, refusalIn } from "./InMemory.ts"
import { type ScriptedReply, scriptedModels } from "./ScriptedModels.ts"
import { whyDeaf } from "./Speech.ts"

type Say = (line?: string) => void

/** A listening model of the catalogue, for a machine that cannot hear. */
const scriptedListener = "saaras:v3"
const greeting = "Good morning, this is the Linden hotel. How can I help you?"
const prompt =
  "You answer the telephone of the Linden hotel. A double room is ninety euros a night with breakfast, parking is free, arrival is from three in the afternoon. Describe rooms at length."

/** The second one interrupts the agent. */
export const sentences = [
  "What is the price of a double room?",
  "Wait a moment. Is parking free?",
  "Thank you very much. Goodbye."
]

/** The nth one is to the nth sentence. */
export const replies: ReadonlyArray<ScriptedReply> = [
  {
    to: /price|room|double/i,
    text: "A double room is ninety euros a night. Breakfast is included. Every room has a balcony that looks over the old town and the river, and you may arrive at any time from three in the afternoon."
  },
  { to: /park|free/i, text: "Yes, parking is free for our guests." },
  { to: /thank|much|\bby/i, text: "You are welcome. Goodbye!", ends: true }
]

/** After which time of the agent's reply the caller interrupts it. */
const interruptsAfterMs = 3500
const maxReplyMs = 12_000

export const conversation = async (say: Say, env: ChatEnvironment, engine: EmbeddedProvider): Promise<void> => {
  const scripted = await scriptedModels(replies, sentences)
  try {
    const there = await chosen(env)
    const deaf = await whyDeaf(engine)
    const hears = deaf === null
    const options = optionsFor({ engine, there, baseUrl: scripted.baseUrl, hears })
    say("A conversation on /v1/agent/converse. Both speak with voices of this machine, in real time:")
    say(`  hearing: ${hears ? "moonshine-tiny, on this machine" : `SCRIPTED, since this machine cannot: ${deaf}`}`)
    say(
      `  thinking: ${there === null ? "SCRIPTED replies, since no language model is set: OPENAI_API_KEY or LLM_BASE_URL" : `${there.name} at ${new URL(there.baseUrl).host}`}\n`
    )
    await inMemory(options, (ask, { core, key }) => held(say, ask, { core, key, hears }))
  } catch (error) {
    say(`The conversation did not take place: ${error instanceof Error ? error.message : String(error)}\n`)
  } finally {
    scripted.close()
  }
}

interface Parts {
  readonly engine: EmbeddedProvider
  readonly there: Chosen | null
  readonly baseUrl: string
  readonly hears: boolean
}

const optionsFor = ({
  baseUrl,
  engine,
  hears,
  there
}: Parts): Pick<TrunklineOptions, "audioLength" | "models" | "voice"> => {
  const { apiKey } = there ?? {}
  const thinker =
    there === null
      ? openai({ baseUrl })
      : openai({ baseUrl: there.baseUrl, ...(apiKey === undefined ? {} : { apiKey }) })
  const listening = hears ? {} : { [scriptedListener]: { upstream: "scripted" } }
  return {
    audioLength: audioLength(),
    models: {
      fallback: engine,
      upstreams: { thinker, scripted: openai({ baseUrl }) },
      routes: { [model]: { upstream: "thinker", model: there?.name ?? "scripted" }, ...listening }
    },
    ...(hears ? { voice: { detector: silero() } } : {})
  }
}

interface World {
  readonly core: Trunkline
  readonly key: string
  readonly hears: boolean
}

const held = async (say: Say, ask: Ask, { core, hears, key }: World): Promise<void> => {
  const voices: Array<Int16Array> = []
  for (const sentence of sentences) voices.push(await spoken(ask, sentence))
  const server = createServer(nodeHandler(core))
  server.on("upgrade", (request, socket, head) => core.upgrade(request, socket, head) || socket.destroy())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/agent/converse`
  try {
    const caller = new Caller(url, key, (said, seconds) => show(say, said, seconds))
    await caller.next("Welcome", 5000)
    caller.send(settings(hears))
    await played(caller, voices)
    say(`  The session has ended: ${await caller.closed}`)
    const file = join(tmpdir(), "trunkline-demo-conversation.wav")
    await writeFile(file, caller.recording())
    say(`  Listen to it, the caller on the left, the agent on the right: ${file}\n`)
  } finally {
    await core.closeSockets()
    server.close()
  }
}

/** The caller's words, with a man's voice. */
const spoken = async (ask: Ask, input: string): Promise<Int16Array> => {
  const body = JSON.stringify({ model: "flite", voice: "rms", input, response_format: "pcm" })
  const headers = { "content-type": "application/json" }
  const answer = await ask("/v1/audio/speech", { method: "POST", headers, body })
  if (!answer.ok) throw new Error(await refusalIn(answer))
  return new Int16Array(await answer.arrayBuffer())
}

const settings = (hears: boolean): object => ({
  type: "Settings",
  agent: {
    greeting,
    listen: { provider: { model: hears ? "moonshine-tiny" : scriptedListener } },
    think: { provider: { model }, prompt },
    speak: { provider: { model: "flite", voice: "slt" } }
  }
})

/** Waits for the agent, as a caller does; once it speaks at length, interrupts it. */
const played = async (caller: Caller, [first, second, third]: ReadonlyArray<Int16Array>): Promise<void> => {
  const begun = await caller.next("SettingsApplied", 10_000)
  const microphone = begun === null ? Promise.resolve() : caller.run()
  const heard = async () => {
    await caller.next("AgentAudioDone", maxReplyMs)
    await caller.untilHeard()
    await sleep(400)
  }
  const say = (voice: Int16Array | undefined) => caller.say(voice ?? new Int16Array(0))
  await heard()
  say(first)
  await caller.next("LatencyReport", maxReplyMs)
  await sleep(interruptsAfterMs)
  say(second)
  await caller.next("LatencyReport", maxReplyMs)
  await heard()
  say(third)
  await heard()
  await Promise.race([caller.closed, sleep(2000)])
  caller.close()
  await microphone
}

const ms = (value: unknown): string => (typeof value === "number" ? `${Math.round(value * 1000)} ms` : "–")

const show = (say: Say, said: Said, seconds: number): void => {
  const at = `  ${seconds.toFixed(1).padStart(5)} s  `
  if (said.type === "ConversationText") say(`${at}${said.role === "user" ? "caller" : "agent "}  ${said.content}`)
  if (said.type === "Warning" || said.type === "Error") say(`${at}${said.type} ${said.code}: ${said.description}`)
  if (said.type !== "LatencyReport") return
  const { eou_latency, stt_latency, total_latency, ttt_token_latency, tts_latency } = said
  const parts = `silence ${ms(eou_latency)}, hearing ${ms(stt_latency)}, first token ${ms(ttt_token_latency)}, first sound ${ms(tts_latency)}`
  say(`${" ".repeat(11)}${ms(total_latency)} after the caller's last word: ${parts}`)
}
