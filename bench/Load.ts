/**
 * Asks one server for one thing over a few connections, as often as it answers. Does as little as possible for a request, so
 * that the server and not this client is what is measured: a client that reads headers takes longer than a fast server.
 */
import { connect, type Socket } from "node:net"

export interface Asked {
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The status that every answer must have. */
  readonly status: number
  readonly connections: number
  readonly seconds: number
}

/** Bytes of the answer that begins here, or undefined where its head has not come in as a whole. */
const lengthOf = (bytes: Buffer): number | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end))
  if (length === null) throw new Error("an answer without content-length")
  return end + 4 + Number(length[1])
}

/** Calls back after each answer, and asks again until `answered` returns false. */
const ask = (port: number, request: Buffer, expected: Buffer, answered: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1")
    let rest = Buffer.alloc(0)
    socket.setNoDelay(true)
    socket.on("connect", () => socket.write(request))
    socket.on("error", reject)
    socket.on("close", () => resolve())
    socket.on("data", (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const length = lengthOf(rest)
      if (length === undefined || rest.length < length) return
      if (!rest.subarray(0, expected.length).equals(expected)) {
        socket.destroy(new Error(`not as expected: ${rest.toString("latin1", 0, 200)}`))
        return
      }
      rest = rest.subarray(length)
      if (answered()) socket.write(request)
      else socket.end()
    })
  })

export interface Answered {
  readonly count: number
  /** Answers in a second. */
  readonly rate: number
}

const bytesOf = ({ body = "", headers, method, path, port }: Asked): Buffer => {
  const head = {
    host: `127.0.0.1:${port}`,
    connection: "keep-alive",
    ...headers,
    ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) })
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
}

/** Fails at the first answer with another status. */
export const load = async (asked: Asked): Promise<Answered> => {
  const request = bytesOf(asked)
  const expected = Buffer.from(`HTTP/1.1 ${asked.status} `)
  const began = performance.now()
  let count = 0
  let over = false
  const timer = setTimeout(() => {
    over = true
  }, asked.seconds * 1000)
  await Promise.all(
    Array.from({ length: asked.connections }, () =>
      ask(asked.port, request, expected, () => {
        count += 1
        return !over
      })
    )
  )
  clearTimeout(timer)
  return { count, rate: count / ((performance.now() - began) / 1000) }
}
