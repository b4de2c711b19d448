/** Processes that do one thing and tell about it. */
import { type ChildProcess, fork } from "node:child_process"

/** Starts a file of this folder, as a server in production is started. */
export const start = (file: string, words: ReadonlyArray<string> = []): ChildProcess =>
  fork(new URL(file, import.meta.url), words, { env: { ...process.env, NODE_ENV: "production" } })

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
