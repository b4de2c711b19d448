/** What the benchmarks of the gateway ask: the product, a route by hand, another gateway for Node, and their upstream. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { connect } from "node:net"
import { join } from "node:path"
import { createTrunkline, type StorageProvider } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import BetterSqlite from "better-sqlite3"
import { freePort } from "../test/FreePort.ts"
import { messageOf, start } from "./Children.ts"
import { encryptionKey } from "./Database.ts"
import type { Asked } from "./GatewayServer.ts"
import type { Memory } from "./Memory.ts"

export const otherGateway = { name: "@portkey-ai/gateway", version: "1.15.2" }

export interface Target {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly server: ChildProcess | null
  readonly stop: () => void
}

export const upstream = async (late = 0) => {
  const child = start("GatewayUpstream.ts", [String(late)])
  return { ...(await messageOf<{ readonly port: number }>(child)), stop: () => child.disconnect() }
}

/** An account that may do all of it, for as long as the benchmark takes. */
export const prepare = async (storage: StorageProvider): Promise<string> => {
  const core = await createTrunkline({ storage, telephony: simulator(), encryptionKey })
  const { id } = await core.admin.createAccount({ name: "Bench", plan: "pro" })
  await core.admin.addCredits(id, "1000000")
  const { text } = await core.admin.createKey(id, {
    requestsPerMinute: 1_000_000,
    concurrency: 1024,
    budget: "1000000"
  })
  await core.stop()
  return text
}

export const ours = async (
  name: "product" | "batches" | "by hand",
  upstreamPort: number,
  path: string,
  key: string
): Promise<Target> => {
  const server = start("GatewayServer.ts", [name, String(upstreamPort), path])
  const { port } = await messageOf<{ readonly port: number }>(server)
  return { port, server, headers: { authorization: `Bearer ${key}` }, stop: () => server.disconnect() }
}

const isUp = async (port: number): Promise<boolean> => {
  const socket = connect(port, "127.0.0.1")
  return await new Promise((resolve) => {
    socket.once("connect", () => resolve(true))
    socket.once("error", () => resolve(false))
  }).then((up) => {
    socket.destroy()
    return up as boolean
  })
}

/** The other gateway is no dependency of ours: it is fetched into the benchmark's folder, or left out. */
export const another = async (home: string, upstreamPort: number): Promise<Target | string> => {
  try {
    const wanted = `${otherGateway.name}@${otherGateway.version}`
    execFileSync("npm", ["install", "--prefix", home, "--no-save", "--ignore-scripts", "--silent", wanted], {
      stdio: ["ignore", "ignore", "pipe"]
    })
  } catch (error) {
    return `${otherGateway.name} cannot be fetched: ${(error as Error).message.split("\n")[0]}`
  }
  const port = await freePort()
  const file = join(home, "node_modules", otherGateway.name, "build/start-server.js")
  const server = spawn(process.execPath, [file, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" }
  })
  process.once("exit", () => server.kill("SIGKILL"))
  for (let tries = 0; !(await isUp(port)); tries++) {
    if (tries > 100) return `${otherGateway.name} does not listen`
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const headers = {
    authorization: "Bearer none",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `http://127.0.0.1:${upstreamPort}/v1`
  }
  return { port, headers, server: null, stop: () => void server.kill("SIGKILL") }
}

const answerOf = <A>(server: ChildProcess, asked: Asked): Promise<A> => {
  server.send(asked)
  return messageOf<A>(server)
}

/** Microseconds that a server has used so far. */
export const cpuOf = async (server: ChildProcess): Promise<number> =>
  (await answerOf<{ readonly cpu: number }>(server, "cpu")).cpu

/** The most bytes that a server has had since it was last asked. */
export const peakOf = async (server: ChildProcess): Promise<number> =>
  (await answerOf<{ readonly peak: number }>(server, "peak")).peak

export const memoryOf = (server: ChildProcess): Promise<Memory> => answerOf<Memory>(server, "memory")

/** The month's calls start anew: a plan has fewer than a benchmark makes. */
export const newMonth = (path: string): void => {
  const db = new BetterSqlite(path, { timeout: 5000 })
  db.exec("update usage_counts set used = 0")
  db.close()
}
