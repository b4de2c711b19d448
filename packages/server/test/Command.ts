/** The command in the test's own process: a process for each would take longer than everything else. */
import { readFileSync } from "node:fs"
import { vi } from "vitest"
import { run as runHere } from "../src/Cli.ts"

export const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

type Variables = Readonly<Record<string, string>>

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const signals = ["SIGTERM", "SIGINT"] as const

let last: Promise<unknown> = Promise.resolve()

/** Runs a command in a folder to its end, after those before it: what is printed and the folder are the process's. */
export const run = (cwd: string, words: ReadonlyArray<string>, environment: Variables = {}): Promise<Ended> => {
  const ended = last.then(() => runAlone(cwd, words, environment))
  last = ended.catch(() => undefined)
  return ended
}

const runAlone = async (cwd: string, words: ReadonlyArray<string>, environment: Variables): Promise<Ended> => {
  const said = { out: "", err: "" }
  const listen = (stream: NodeJS.WriteStream, name: keyof typeof said) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      said[name] += chunk
      return true
    })
  const spies = [listen(process.stdout, "out"), listen(process.stderr, "err")]
  const before = process.cwd()
  const listeners = signals.map((signal) => process.listeners(signal))
  process.chdir(cwd)
  try {
    const code = await runHere(words, { TRUNKLINE_CONFIG: "config.json", ...environment }, version)
    return { code, ...said }
  } finally {
    process.chdir(before)
    for (const spy of spies) spy.mockRestore()
    // A server that could not start would still end this process at a signal.
    for (const [at, signal] of signals.entries()) {
      for (const one of process.listeners(signal)) if (!listeners[at]!.includes(one)) process.off(signal, one)
    }
  }
}

/** Runs a command that must succeed, and reads its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about.
export const json = async (cwd: string, ...words: ReadonlyArray<string>): Promise<any> => {
  const { code, err, out } = await run(cwd, [...words, "--json"])
  if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`)
  return JSON.parse(out)
}
