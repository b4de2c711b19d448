/** What the gateway's benchmarks ask for, as it is sent. */
import type { Target } from "./GatewayTargets.ts"

const boundary = "----a-boundary-of-the-benchmark"

/** Speech for a machine: 16-bit mono at 16 kHz, about a megabyte, that nobody listens to. */
const recording = (bytes: number): Buffer => {
  const wav = Buffer.alloc(bytes)
  wav.write("RIFF", 0, "latin1")
  wav.writeUInt32LE(bytes - 8, 4)
  wav.write("WAVEfmt ", 8, "latin1")
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(16_000, 24)
  wav.writeUInt32LE(32_000, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write("data", 36, "latin1")
  wav.writeUInt32LE(bytes - 44, 40)
  for (let at = 44; at + 1 < bytes; at += 2) wav.writeInt16LE(((at * 7919) % 20_000) - 10_000, at)
  return wav
}

const megabyte = 1024 * 1024

const form = Buffer.concat([
  Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-large-v3-turbo\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="speech.wav"\r\nContent-Type: audio/wav\r\n\r\n`
  ),
  recording(megabyte),
  Buffer.from(`\r\n--${boundary}--\r\n`)
])

type Asked = Pick<Target, "headers" | "port">

const post = ({ headers, port }: Asked, path: string, contentType: string, body: Buffer): Buffer => {
  const all = { host: `127.0.0.1:${port}`, "content-type": contentType, "content-length": body.length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), body])
}

export const uploadTo = (target: Asked): Buffer =>
  post(target, "/v1/audio/transcriptions", `multipart/form-data; boundary=${boundary}`, form)

const guide =
  "You answer guests of a small hotel by the sea. Be brief, be kind, and say so where you do not know. Breakfast is " +
  "from seven to ten, the pool closes at eight, and a room with a view costs 140 euros a night in the season."

const turns = [
  ["system", guide],
  ["user", "Good morning! Is there a room with a view for two on Friday?"],
  ["assistant", "Good morning! Yes, one is free on Friday. May I keep it for you?"],
  ["user", "Please do. What does it cost, and when is breakfast?"]
].map(([role, content]) => ({ role, content }))

const inputs = Array.from({ length: 128 }, (_, nth) => `Room ${nth} has a view of the sea and a small balcony.`)

export const embeddingsTo = (target: Asked): Buffer =>
  post(
    target,
    "/v1/embeddings",
    "application/json",
    Buffer.from(JSON.stringify({ model: "text-embedding-3-small", input: inputs, encoding_format: "base64" }))
  )

/** A chat as a line of a batch. */
const batchLine = (nth: number): string =>
  `${JSON.stringify({
    custom_id: `line-${nth}`,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "gpt-5.4", messages: turns, temperature: 0.2, max_completion_tokens: 400 }
  })}\n`

/** The lines of a batch, as a file. */
export const batchFile = (lines: number): Blob => new Blob(Array.from({ length: lines }, (_, nth) => batchLine(nth)))

/** Chats, each under an Idempotency-Key of its own. */
export const keyedChatsTo = (target: Asked): (() => Buffer) => {
  const key = crypto.randomUUID()
  let nth = 0
  return () => {
    nth += 1
    const headers = { ...target.headers, "idempotency-key": `${key}-${nth}` }
    return chatTo({ ...target, headers }, { isStreamed: false })
  }
}

export const chatTo = (target: Asked, { isStreamed }: { readonly isStreamed: boolean }): Buffer => {
  const body = { model: "gpt-5.4", messages: turns, temperature: 0.2, max_completion_tokens: 400 }
  return post(
    target,
    "/v1/chat/completions",
    "application/json",
    Buffer.from(JSON.stringify(isStreamed ? { ...body, stream: true } : body))
  )
}
