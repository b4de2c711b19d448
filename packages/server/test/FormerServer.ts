/** The server as it was before a change, out of the history of the repository, on the present dependencies. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleServer } from "../../../test/ServerBundle.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

const git = (...words: ReadonlyArray<string>): string =>
  execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()

/** The commit before the one that added a file; null where there is no such history. */
export const commitBefore = (file: string): string | null => {
  try {
    const added = git("log", "--diff-filter=A", "--format=%H", "--", file).split("\n").at(-1)
    return added === undefined || added === "" ? null : git("rev-parse", `${added}^`)
  } catch {
    return null
  }
}

/** Links everything that is installed, but for the packages of the repository: they are those of the commit. */
const linkDependencies = (folder: string): void => {
  const own = join(folder, "node_modules/@trunkline")
  mkdirSync(own, { recursive: true })
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@trunkline" && !name.startsWith(".")) {
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name))
    }
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(own, name))
    const nested = join(root, "packages", name, "node_modules")
    if (existsSync(nested)) symlinkSync(nested, join(folder, "packages", name, "node_modules"))
  }
}

/** The command of a commit, made once. */
export const formerBundle = async (commit: string): Promise<string> => {
  const into = join(root, "node_modules/.cache/trunkline-server-before", commit)
  const command = join(into, "src/main.js")
  if (existsSync(join(into, "package.json"))) return command
  const sources = mkdtempSync(join(tmpdir(), "trunkline-before-"))
  try {
    const archive = execFileSync("git", ["archive", commit, "packages", "tsconfig.base.json"], {
      cwd: root,
      maxBuffer: 1024 ** 3
    })
    execFileSync("tar", ["-x", "-C", sources], { input: archive })
    linkDependencies(sources)
    await bundleServer(sources, into)
    return command
  } finally {
    rmSync(sources, { recursive: true, force: true })
  }
}
