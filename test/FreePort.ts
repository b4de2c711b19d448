/** A port for a server that is told its port, or keeps it over a restart. */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** Below the ports that systems give to outgoing connections: one of these could be in the server's place when it restarts. */
const ports = { min: 12_000, max: 32_000 }

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })

/** A random one that is free now, so that processes that ask at the same time hardly ever get the same. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(ports.min, ports.max)
    if (await isFree(port)) return port
  }
}
