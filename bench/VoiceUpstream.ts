/**
 * The models' side of the benchmark of voice agents, in a process of its own: hears, thinks and speaks after fixed times, and logs
 * how long each part of a turn was with it, up to the first sound. A turn is known by the name in its words.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export const times = {
  listenMs: 200,
  firstTokenMs: 200,
  tokenMs: 25,
  firstSoundMs: 100,
  soundPerCharacterMs: 20
} as const

export type ProcessMessage = { readonly port: number } | { readonly turns: ReadonlyArray<readonly [string, number]> }

/** Milliseconds of each turn that were the upstream's: asked one after the other, they add up. */
const turns = new Map<string, number>()
let utterances = 0

const add = (turn: string | undefined, from: number): void => {
  if (turn !== undefined) turns.set(turn, (turns.get(turn) ?? 0) + performance.now() - from)
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const chunkOf = (fields: object): string =>
  `data: ${JSON.stringify({ id: "chatcmpl-there", object: "chat.completion.chunk", model: "m", ...fields })}\n\n`

const listen = async (response: ServerResponse, from: number): Promise<void> => {
  utterances += 1
  const turn = `s${utterances}`
  await sleep(times.listenMs)
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify({ text: `This is question ${turn} of mine.` }))
  add(turn, from)
}

const long =
  "I will now count all the numbers from one to twenty, slowly, so that there is time enough to interrupt me."

const think = async (response: ServerResponse, body: string, from: number): Promise<void> => {
  const turn = [...body.matchAll(/question (\w+)/g)].at(-1)?.[1]
  const text = turn?.startsWith("long") ? long : `Answer ${turn} is here. Do you need more?`
  await sleep(times.firstTokenMs)
  response.setHeader("content-type", "text/event-stream").flushHeaders()
  let isFirst = true
  for (const content of text.match(/\S+\s*/g) ?? []) {
    response.write(chunkOf({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }))
    if (isFirst && content.includes(".")) {
      add(turn, from)
      isFirst = false
    }
    await sleep(times.tokenMs)
  }
  response.write(chunkOf({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }))
  response.write(chunkOf({ choices: [], usage: { prompt_tokens: 60, completion_tokens: 8, total_tokens: 68 } }))
  response.end("data: [DONE]\n\n")
}

const sounds = new Map<number, Buffer>()

/** A quiet tone of 24 kHz. */
const soundOf = (characters: number): Buffer => {
  const made =
    sounds.get(characters) ??
    Buffer.from(
      Int16Array.from({ length: characters * times.soundPerCharacterMs * 24 }, (_, n) => 3000 * Math.sin(n / 12)).buffer
    )
  sounds.set(characters, made)
  return made
}

const speak = async (response: ServerResponse, body: string, from: number): Promise<void> => {
  const { input } = JSON.parse(body) as { readonly input: string }
  await sleep(times.firstSoundMs)
  response.setHeader("content-type", "audio/pcm").end(soundOf(input.length))
  add(/Answer (\w+)/.exec(input)?.[1], from)
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  const from = performance.now()
  const { url = "" } = request
  if (url.endsWith("/transcriptions")) await listen(response, from)
  else if (url.endsWith("/speech")) await speak(response, body.toString(), from)
  else await think(response, body.toString(), from)
})
server.keepAliveTimeout = 60_000
server.listen({ host: "127.0.0.1", port: 0, backlog: 1024 }, () => {
  process.send!({ port: (server.address() as AddressInfo).port } satisfies ProcessMessage)
})
process.on("message", () => {
  process.send!({ turns: [...turns] } satisfies ProcessMessage)
  turns.clear()
})
process.once("disconnect", () => process.exit())
