/** Calls with agents on the simulator: callees who are spoken for, and what is known of their calls. */
import { setTimeout as sleep } from "node:timers/promises"
import { muLaw } from "@trunkline/core/audio"
import { type Answer, type VoiceWorld, voice } from "./VoiceWorld.ts"

export const greeting = "Good morning, this is the shop."
export const person = "+14155550101"

/** Waits until something is so. */
export const until = async <A>(find: () => A | Promise<A>, what: string): Promise<NonNullable<A>> => {
  for (const from = performance.now(); performance.now() - from < 300_000; ) {
    const found = await find()
    if (found) return found
    await sleep(50)
  }
  throw new Error(`never: ${what}`)
}

/** A callee who is spoken for on the simulator's socket. */
export class Callee {
  readonly socket: WebSocket
  readonly messages: Array<Answer> = []
  soundBytes = 0
  /** When the last sound came. */
  heardAt = 0

  constructor({ key, origin }: Pick<VoiceWorld, "key" | "origin">, callId: string) {
    const path = `/api/v1/telephony/simulator/calls/${callId}/audio`
    this.socket = new WebSocket(`${origin.replace("http", "ws")}${path}`, ["token", key])
    this.socket.binaryType = "arraybuffer"
    this.socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.messages.push(JSON.parse(data))
      else {
        this.soundBytes += (data as ArrayBuffer).byteLength
        this.heardAt = performance.now()
      }
    })
  }

  say(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  hears(type: string): Promise<Answer> {
    return until(() => this.messages.find((one) => one.type === type), `"${type}" of the callee's socket`)
  }

  get ended(): Promise<Answer> {
    return this.hears("ended")
  }

  /** Speaks in real time, and is silent afterwards. */
  async speak(ms: number): Promise<void> {
    const samples = voice(ms).filter((_, n) => n % 3 === 0)
    const sound = Uint8Array.from(samples, (sample) => muLaw.encoded[sample & 0xffff]!)
    for (let at = 0; at < sound.length; at += 160) {
      this.socket.send(sound.slice(at, at + 160))
      await sleep(19)
    }
  }
}

type Asking = Pick<VoiceWorld, "ask" | "key" | "origin">

export const newBot = async (
  { ask }: Pick<VoiceWorld, "ask">,
  config: object = {},
  prompt = "You sell tea."
): Promise<string> => {
  // A machine that stops for half a second would end a caller's words, as a line that stops does.
  const turn = { silence_ms: 1500 }
  const { body } = await ask("POST", "/api/v1/bots", {
    ...{ name: "Asha", type: "voice", system_prompt: prompt, is_active: true },
    config: { greeting, model: "gemma-4-26b-a4b-it", turn, ...config }
  })
  return body.id
}

/** What is known of a call, and the callee's side of it where somebody speaks for them. */
export class CallOfAgent {
  readonly #world: Asking
  readonly id: string
  readonly callee: Callee

  constructor(world: Asking, id: string) {
    this.#world = world
    this.id = id
    this.callee = new Callee(world, id)
  }

  /** The same call, as another process knows it. */
  at(world: Asking): CallOfAgent {
    return new CallOfAgent(world, this.id)
  }

  async now(): Promise<Answer> {
    return (await this.#world.ask("GET", `/api/v1/telephony/calls/${this.id}`)).body
  }

  async over(): Promise<Answer> {
    return until(async () => {
      const now = await this.now()
      return now.ended_at === null ? null : now
    }, "the end of the call")
  }

  async transcript(): Promise<ReadonlyArray<Answer>> {
    return (await this.#world.ask("GET", `/api/v1/telephony/calls/${this.id}/transcript`)).body
  }

  said(text: string): Promise<Answer> {
    return until(async () => (await this.transcript()).find((entry) => entry.text.includes(text)), `"${text}" said`)
  }

  async session(): Promise<Answer> {
    const { voice_session_id } = await this.now()
    return (await this.#world.ask("GET", `/v1/voice/sessions/${voice_session_id}`)).body
  }

  /** Every session that the call ever had. */
  async sessions(): Promise<ReadonlyArray<Answer>> {
    return (await this.#world.ask("GET", `/v1/voice/sessions?call_id=${this.id}`)).body
  }

  ended(): Promise<Answer> {
    return until(async () => {
      const session = await this.session()
      return session.status === undefined || session.status === "active" ? null : session
    }, "the end of the session")
  }

  /** The caller asks something, once the agent has greeted. */
  async asks(): Promise<void> {
    await this.said(greeting)
    await sleep(300)
    await this.callee.speak(900)
  }
}

export const callTo = async (world: Asking, to: string, botId: string): Promise<CallOfAgent> => {
  const { body, status } = await world.ask("POST", "/api/v1/telephony/calls", { to, bot_id: botId })
  if (status !== 201) throw new Error(`the call was refused: ${JSON.stringify(body)}`)
  return new CallOfAgent(world, body.id)
}
