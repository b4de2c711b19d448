/** Uploads in good order. */
import { oneOf, type Random, whole } from "../faults/Random.ts"
import type { Json } from "./Description.ts"

/** A WAV file of silence. */
export const wav = (seconds = 1): Buffer => {
  const bytes = Math.round(seconds * 16_000) * 2
  const head = Buffer.alloc(44)
  head.write("RIFF", 0)
  head.writeUInt32LE(36 + bytes, 4)
  head.write("WAVEfmt ", 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(16_000, 24)
  head.writeUInt32LE(32_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write("data", 36)
  head.writeUInt32LE(bytes, 40)
  return Buffer.concat([head, Buffer.alloc(bytes)])
}

export const batchLine = (nth: number, content = "Hello"): string =>
  JSON.stringify({
    ...{ custom_id: `line-${nth}`, method: "POST", url: "/v1/chat/completions" },
    body: { model: "indic-105b", max_tokens: 10, messages: [{ role: "user", content }] }
  })

const csv = (random: Random): string => {
  const rows = Array.from(
    { length: whole(random, 1, 20) },
    (_, nth) => `+1415556${String(nth).padStart(4, "0")},Ann ${nth}`
  )
  return ["phone,name", ...rows].join("\n")
}

/** Name, type and bytes of the file that a route wants. */
const fileOf = (path: string, random: Random): readonly [name: string, type: string, bytes: Buffer] => {
  if (path.endsWith("/import")) return ["people.csv", "text/csv", Buffer.from(csv(random))]
  if (path === "/v1/files") {
    const lines = Array.from({ length: whole(random, 1, 4) }, (_, nth) => batchLine(nth))
    return ["lines.jsonl", "application/jsonl", Buffer.from(lines.join("\n"))]
  }
  if (path.startsWith("/v1/audio/")) return ["a.wav", "audio/wav", wav(0.5)]
  return oneOf(random, [
    ["a.png", "image/png", Buffer.from("89504e470d0a1a0a", "hex")],
    ["a.txt", "text/plain", Buffer.from("hello")]
  ] as const)
}

export interface Form {
  readonly type: string
  readonly body: Buffer
}

/** A form with the fields of an object, the file last. */
export const formOf = (path: string, fields: Json, random: Random): Form => {
  const boundary = `----trunkline${whole(random, 1e6, 1e7)}`
  const [name, type, bytes] = fileOf(path, random)
  const texts = Object.entries(fields)
    .filter(([field, value]) => field !== "file" && value !== undefined && value !== null)
    .flatMap(([field, value]) => (Array.isArray(value) ? value : [value]).map((one) => [field, one] as const))
    .map(([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`)
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  const body = Buffer.concat([Buffer.from(texts.join("") + head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}
