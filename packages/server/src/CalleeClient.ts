/** Calls somebody on a server's simulator, speaks for the callee, and prints the conversation. Source: docs/guides/voice-quickstart.md. */
import { randomUUID } from "node:crypto"
import { bytesPerSecond } from "./CalleeSound.ts"
import { type Heard, isSound, turnOf } from "./CalleeTurns.ts"
import { UsageError } from "./UsageError.ts"

export interface CalleeOptions {
  /** The server's address, without a slash at its end. */
  readonly url: string
  readonly key: string
  readonly to: string
  readonly bot: string
  /** Mu-law of 8 kHz; null for a callee that says nothing. */
  readonly sound: Uint8Array | null
  readonly print: (line: string) => void
}

const calls = "/api/v1/telephony/calls"
const socketOf = (id: string) => `/api/v1/telephony/simulator/calls/${id}/audio`

/** An id that nothing has. */
const nobody = "00000000-0000-7000-8000-000000000000"

const everyMs = 200

type Json = Readonly<Record<string, unknown>>

const ask = async ({ key, url }: CalleeOptions, path: string, body?: object): Promise<Response> => {
  try {
    return await fetch(url + path, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": randomUUID() }
    })
  } catch {
    throw new UsageError(`there is no server at ${url}: start it with trunkline serve, or name another with --url`)
  }
}

/** A real carrier would call a person. */
const needSimulator = async (options: CalleeOptions): Promise<void> => {
  const { status } = await ask(options, socketOf(nobody))
  if (status !== 426) {
    throw new UsageError(`the server at ${options.url} has no simulator, and this command calls nobody for real`)
  }
}

const place = async (options: CalleeOptions): Promise<string> => {
  const answer = await ask(options, calls, { to: options.to, bot_id: options.bot })
  const body = (await answer.json()) as Json
  if (answer.status === 201) return String(body.id)
  const detail = typeof body.detail === "string" ? body.detail : JSON.stringify(body.detail)
  throw new UsageError(`the server does not place this call (${answer.status}): ${detail}`)
}

/** Who says an entry of the transcript; functions are called by the agent, and say nothing. */
const names: Readonly<Record<string, string>> = { user: "callee", assistant: "agent" }

/** Prints what was said since the last time. */
const transcript = (options: CalleeOptions, id: string) => {
  let printed = 0
  return async (): Promise<void> => {
    const answer = await ask(options, `${calls}/${id}/transcript?offset=${printed}`)
    if (!answer.ok) return
    const entries = (await answer.json()) as ReadonlyArray<Json>
    printed += entries.length
    for (const { role, text } of entries) {
      const name = names[String(role)]
      if (name !== undefined) options.print(`${name}: ${String(text)}`)
    }
  }
}

/** The callee's side of the call until it is over; returns why it is. */
const speak = ({ key, print, sound, url }: CalleeOptions, id: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, "ws") + socketOf(id), ["token", key])
    socket.binaryType = "arraybuffer"
    let heard: Heard = { answeredAt: null, heardAt: null, saidAt: null }
    const timer = setInterval(() => {
      const at = performance.now()
      const turn = turnOf(heard, at)
      if (turn === "hangs up") socket.send('{"type":"hangup"}')
      if (turn !== "says") return
      if (sound !== null) socket.send(Uint8Array.from(sound))
      heard = { ...heard, saidAt: at + ((sound?.length ?? 0) / bytesPerSecond) * 1000 }
    }, everyMs)
    const end = (reason: string) => {
      clearInterval(timer)
      socket.close()
      resolve(reason)
    }
    socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
      const at = performance.now()
      if (typeof data !== "string") {
        if (isSound(new Uint8Array(data))) heard = { ...heard, heardAt: at }
        return
      }
      const { end_reason, type } = JSON.parse(data) as Json
      if (type === "ended") return end(String(end_reason))
      if (type !== "answered") return
      heard = { ...heard, answeredAt: at }
      print("answered")
    })
    socket.addEventListener("close", () => end("the connection was closed"))
  })

export const callOnSimulator = async (options: CalleeOptions): Promise<void> => {
  const { print, url } = options
  await needSimulator(options)
  const id = await place(options)
  print(`calling ${options.to}`)
  const tell = transcript(options, id)
  let isOver = false
  const over = speak(options, id).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await tell()
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, everyMs))])
  }
  await tell()
  print(`ended: ${await over}`)
  print(`What was said: curl -s ${url}${calls}/${id}/transcript -H "Authorization: Bearer $KEY"`)
}
