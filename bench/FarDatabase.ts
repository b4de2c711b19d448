/** A database that is a round trip of two milliseconds away: passes a connection on, and every answer two milliseconds later. */
import { connect, createServer, type Socket } from "node:net"

const [port] = process.argv.slice(2) as [string]

const awayMs = 2

const passOn = (near: Socket): void => {
  const far = connect(Number(port), "127.0.0.1")
  const end = (): void => {
    near.destroy()
    far.destroy()
  }
  for (const socket of [near, far]) socket.setNoDelay(true).on("close", end).on("error", end)
  near.on("data", (bytes) => far.write(bytes))
  far.on("data", (bytes) => setTimeout(() => near.destroyed || near.write(bytes), awayMs))
}

const server = createServer(passOn).listen(0, "127.0.0.1", () => {
  process.send!(server.address())
})
process.once("disconnect", () => process.exit())
