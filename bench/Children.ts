/** Processes that do one thing and tell about it. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join, relative, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const cache = join(root, "node_modules/.cache/trunkline-bench")

const written = new Set<string>()

/** Writes a file, and all that it imports by path, as JavaScript. */
const javaScriptOf = (file: string): string => {
  const target = join(cache, relative(root, file)).replace(/\.ts$/, ".mjs")
  if (written.has(target)) return target
  written.add(target)
  const text = stripTypeScriptTypes(readFileSync(file, "utf8")).replaceAll(
    /"(\.{1,2}\/[^"]+)\.ts"/g,
    (_, path: string) => {
      javaScriptOf(resolve(dirname(file), `${path}.ts`))
      return `"${path}.mjs"`
    }
  )
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  return target
}

/** Starts a file of this folder, as a server in production is started: a process that strips types needs 27 MB more. */
export const start = (file: string, words: ReadonlyArray<string> = []): ChildProcess =>
  fork(javaScriptOf(join(import.meta.dirname, file)), words, { env: { ...process.env, NODE_ENV: "production" } })

/** The next message of a process. Rejects when it ends instead. */
export const messageOf = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`${child.spawnargs.at(1)} ended with ${code} and said nothing`))
    child.once("exit", ended)
    child.once("error", reject)
    child.once("message", (message) => {
      child.off("exit", ended)
      child.off("error", reject)
      resolve(message as A)
    })
  })
