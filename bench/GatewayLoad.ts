/** Uploads one recording over a few connections, again and again; returns how many a second, and how long each waited. */
import { connect } from "node:net"

export interface Upload {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly milliseconds: number
}

export interface Answered {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from the first byte sent to the first byte of the answer, ascending. */
  readonly waits: ReadonlyArray<number>
}

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

const requestOf = (port: number, headers: Upload["headers"]): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n` +
        `content-length: ${form.length}\r\n${Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join("")}\r\n`
    ),
    form
  ])

/** True once the whole answer is there; throws when it is no success. */
const isWhole = (bytes: Buffer): boolean => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return false
  const head = bytes.toString("latin1", 0, end)
  if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`not 200: ${bytes.toString("utf8", 0, 600)}`)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)
  return length === null
    ? bytes.subarray(-5).toString("latin1") === "0\r\n\r\n"
    : bytes.length >= end + 4 + Number(length[1])
}

const ask = (port: number, request: Buffer, answered: (ms: number) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    let bytes = Buffer.alloc(0)
    let began = 0
    let firstByte = 0
    const begin = (): void => {
      began = performance.now()
      firstByte = 0
      socket.write(request)
    }
    socket.setNoDelay(true)
    socket.on("connect", begin)
    socket.on("error", reject)
    socket.on("close", () => resolve())
    socket.on("data", (chunk) => {
      if (firstByte === 0) firstByte = performance.now() - began
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      try {
        if (!isWhole(bytes)) return
      } catch (error) {
        socket.destroy(error as Error)
        return
      }
      bytes = Buffer.alloc(0)
      if (answered(firstByte)) begin()
      else socket.end()
    })
  })

/** Fails at the first answer that is no success. */
export const uploads = async ({ connections, headers, milliseconds, port }: Upload): Promise<Answered> => {
  const request = requestOf(port, headers)
  const waits: Array<number> = []
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () =>
      ask(port, request, (ms) => {
        waits.push(ms)
        return performance.now() - began < milliseconds
      })
    )
  )
  const seconds = (performance.now() - began) / 1000
  return { count: waits.length, perSecond: waits.length / seconds, waits: waits.sort((a, b) => a - b) }
}

/** The wait that a percentage of the requests does not exceed. */
export const percentile = ({ waits }: Answered, of: number): number =>
  waits[Math.min(waits.length - 1, Math.floor((waits.length * of) / 100))]!
