/** The command in the test's own process: a process for each would take longer than everything else. */
import { readFileSync } from "node:fs"
import { vi } from "vitest"
import { run as runHere } from "../src/Cli.ts"

export const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** Runs a command in a folder to its end. One at a time: what is printed and the folder are the process's. */
export const run = async (
  cwd: string,
  words: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
) => {
  const said = { out: "", err: "" }
  const listen = (stream: NodeJS.WriteStream, name: keyof typeof said) =>
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      said[name] += chunk
      return true
    })
  const spies = [listen(process.stdout, "out"), listen(process.stderr, "err")]
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const code = await runHere(words, { TRUNKLINE_CONFIG: "config.json", ...environment }, version)
    return { code, ...said }
  } finally {
    process.chdir(before)
    for (const spy of spies) spy.mockRestore()
  }
}

/** Runs a command that must succeed, and reads its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about.
export const json = async (cwd: string, ...words: ReadonlyArray<string>): Promise<any> => {
  const { code, err, out } = await run(cwd, [...words, "--json"])
  if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`)
  return JSON.parse(out)
}
