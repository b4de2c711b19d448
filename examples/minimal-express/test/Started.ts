/** An example as its reader starts it: a process of its own, in an empty folder, on a free port. */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Started {
  readonly url: string
  readonly key: string
  /** Asks it to end, and returns its exit. */
  readonly stop: () => Promise<number | null>
}

/** `ready` is what the example prints last. */
export const started = async (
  file: URL,
  { environment = {}, ready = /svc_\w+/ }: { readonly environment?: NodeJS.ProcessEnv; readonly ready?: RegExp } = {}
): Promise<Started> => {
  const folder = await mkdtemp(join(tmpdir(), "trunkline-example-"))
  const child = spawn(process.execPath, ["--conditions=@trunkline/source", fileURLToPath(file)], {
    cwd: folder,
    env: {
      ...process.env,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      PORT: "0",
      NODE_NO_WARNINGS: "1",
      ...environment
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const exited = once(child, "exit") as Promise<[number | null]>
  let said = ""
  for await (const chunk of child.stdout) {
    said += chunk
    if (/port: \d+/.test(said) && ready.test(said)) break
  }
  return {
    url: `http://localhost:${said.match(/port: (\d+)/)?.[1]}`,
    key: said.match(/svc_\w+/)?.[0] ?? "",
    stop: async () => {
      child.kill("SIGTERM")
      const [code] = await exited
      await rm(folder, { recursive: true, force: true })
      return code
    }
  }
}
