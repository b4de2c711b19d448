/**
 * Asks one server for one thing over a few connections, as often as it answers. Does as little as possible for a request, so
 * that the server and not this client is what is measured: a client that reads headers takes longer than a fast server.
 */
import { connect, type Socket } from "node:net"

export interface Asked {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}

const ok = Buffer.from("HTTP/1.1 200 ")

/** Bytes of the answer that begins here, or undefined where its head has not come in as a whole. */
const lengthOf = (bytes: Buffer): number | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end))
  if (length === null) throw new Error("an answer without content-length")
  return end + 4 + Number(length[1])
}

/** Calls back after each answer, and asks again until told not to. */
const ask = (port: number, request: Buffer, answered: () => boolean): Promise<void> =>
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
      if (!rest.subarray(0, ok.length).equals(ok)) {
        socket.destroy(new Error(`not 200: ${rest.toString("latin1", 0, 200)}`))
        return
      }
      rest = rest.subarray(length)
      if (answered()) socket.write(request)
      else socket.end()
    })
  })

/** Answers in a second. Fails at the first that is not 200. */
export const load = async ({ connections, headers, path, port, seconds }: Asked): Promise<number> => {
  const head = Object.entries({ host: `127.0.0.1:${port}`, connection: "keep-alive", ...headers })
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
  )
  const began = performance.now()
  let count = 0
  let over = false
  const timer = setTimeout(() => {
    over = true
  }, seconds * 1000)
  await Promise.all(
    Array.from({ length: connections }, () =>
      ask(port, request, () => {
        count += 1
        return !over
      })
    )
  )
  clearTimeout(timer)
  return count / ((performance.now() - began) / 1000)
}
