/** Sends one request over a few connections, again and again; returns how many a second, and how long each waited. */
import { connect, type Socket } from "node:net"

export interface Load {
  readonly port: number
  /** The same each time, or another one each time. */
  readonly request: Buffer | (() => Buffer)
  readonly connections: number
  /** When no further request is sent: after a time, or after a number of answers. */
  readonly until: { readonly milliseconds: number } | { readonly answers: number }
  /** What every whole answer has among its last bytes. */
  readonly mark?: string
}

export interface Answered {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from the first byte sent to the first byte of the answer, ascending. */
  readonly waits: ReadonlyArray<number>
  /** The same to the last byte. */
  readonly ends: ReadonlyArray<number>
}

const endOfHead = Buffer.from("\r\n\r\n")
const tailBytes = 64

/** One answer that is read piece by piece. */
class Reading {
  #head: Buffer | null = Buffer.alloc(0)
  /** Bytes of the body that have not come; null where the head does not say. */
  #left: number | null = null
  #tail: Buffer = Buffer.alloc(0)

  /** True once the whole answer is there; throws when it is no success. */
  take(chunk: Buffer): boolean {
    const body = this.#head === null ? chunk : this.#takeHead(this.#head, chunk)
    if (body === null) return false
    this.#tail = body.length >= tailBytes ? body.subarray(-tailBytes) : this.#lastOf(body)
    if (this.#left === null) return this.#tail.subarray(-5).toString("latin1") === "0\r\n\r\n"
    this.#left -= body.length
    return this.#left <= 0
  }

  ends(mark: string): boolean {
    return this.#tail.includes(mark)
  }

  #lastOf(body: Buffer): Buffer {
    return Buffer.concat([this.#tail, body]).subarray(-tailBytes)
  }

  #takeHead(before: Buffer, chunk: Buffer): Buffer | null {
    const bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk])
    const end = bytes.indexOf(endOfHead)
    this.#head = end === -1 ? Buffer.from(bytes) : null
    if (end === -1) return null
    const head = bytes.toString("latin1", 0, end)
    if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`not 200: ${bytes.toString("utf8", 0, 600)}`)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    this.#left = length === null ? null : Number(length[1])
    return bytes.subarray(end + endOfHead.length)
  }
}

const ask = ({ mark, port, request }: Load, answered: (firstMs: number, lastMs: number) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    let reading = new Reading()
    let began = 0
    let firstByte = 0
    const begin = (): void => {
      began = performance.now()
      firstByte = 0
      reading = new Reading()
      socket.write(typeof request === "function" ? request() : request)
    }
    socket.setNoDelay(true)
    socket.on("connect", begin)
    socket.on("error", reject)
    socket.on("close", () => resolve())
    socket.on("data", (chunk) => {
      if (firstByte === 0) firstByte = performance.now() - began
      try {
        if (!reading.take(chunk)) return
        if (mark !== undefined && !reading.ends(mark)) throw new Error(`an answer without ${mark}`)
      } catch (error) {
        socket.destroy(error as Error)
        return
      }
      if (answered(firstByte, performance.now() - began)) begin()
      else socket.end()
    })
  })

/** Fails at the first answer that is no success. */
export const load = async (asked: Load): Promise<Answered> => {
  const { connections, until } = asked
  const waits: Array<number> = []
  const ends: Array<number> = []
  const began = performance.now()
  const goesOn = (): boolean =>
    "answers" in until ? waits.length + connections <= until.answers : performance.now() - began < until.milliseconds
  await Promise.all(
    Array.from({ length: connections }, () =>
      ask(asked, (firstMs, lastMs) => {
        waits.push(firstMs)
        ends.push(lastMs)
        return goesOn()
      })
    )
  )
  const seconds = (performance.now() - began) / 1000
  return { count: waits.length, perSecond: waits.length / seconds, waits: ascending(waits), ends: ascending(ends) }
}

const ascending = (times: ReadonlyArray<number>): ReadonlyArray<number> => times.toSorted((a, b) => a - b)

/** The wait that a percentage of the requests does not exceed. */
export const percentile = ({ waits }: Answered, of: number): number =>
  waits[Math.min(waits.length - 1, Math.floor((waits.length * of) / 100))]!

/** Sends a request over many connections at once, and closes them all when each has had a piece of its answer's body. */
export const abandon = async ({
  connections,
  port,
  request
}: Pick<Load, "connections" | "port"> & { readonly request: Buffer }): Promise<void> => {
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, "127.0.0.1", () => socket.write(request))
          let begun = ""
          socket.on("error", reject)
          socket.on("data", (chunk) => {
            begun += chunk.toString("latin1")
            if (begun.includes("\r\n\r\n") && !begun.startsWith("HTTP/1.1 200 ")) {
              socket.destroy(new Error(`not 200: ${begun.slice(0, 600)}`))
            }
            if (begun.includes("\ndata: ")) resolve(socket)
          })
        })
    )
  )
  for (const socket of sockets) socket.destroy()
}
