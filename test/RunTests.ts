/**
 * Runs the tests with a temporary folder of their own, and fails when a file in it or a process outlives them. Arguments
 * are passed to vitest. With `TEST_CLOCK`, such as `+40h` or `@2028-02-29 11:58:00`, every process of the run reads its
 * wall clock so (needs libfaketime: Debian's package `faketime`).
 */
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { clockAt, clockLibrary } from "./Clock.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), "trunkline-tests-")))
// Started by root, Postgres runs as a user of its own, who must reach its files in here.
chmodSync(folder, 0o755)

/** One distance to the machine's clock for all processes: an instant would begin anew with each of them. */
const distance = (clock: string): string =>
  clock.startsWith("@") ? `+${Math.round((Date.parse(clock.slice(1).replace(" ", "T")) - Date.now()) / 1000)}` : clock

const clock = (): Record<string, string> => {
  const instant = process.env.TEST_CLOCK
  if (instant === undefined) return {}
  if (clockLibrary === null) throw new Error("TEST_CLOCK needs libfaketime: install Debian's package faketime.")
  return clockAt(clockLibrary, distance(instant))
}

/** Processes that the run started and that are still there. Empty where there is no /proc. */
const processesLeft = (): ReadonlyArray<{ readonly id: number; readonly command: string }> => {
  if (!existsSync("/proc/self/environ")) return []
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        if (!readFileSync(`/proc/${entry}/environ`, "utf8").split("\0").includes(`TMPDIR=${folder}`)) return []
        const command = readFileSync(`/proc/${entry}/cmdline`, "utf8").replaceAll("\0", " ").trim()
        return [{ id: Number(entry), command }]
      } catch {
        // It has ended, or belongs to another user.
        return []
      }
    })
}

const vitest = spawn(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TMPDIR: folder,
      // Compiled code is worth keeping: without this it would be written to the temporary folder.
      NODE_COMPILE_CACHE: join(root, "node_modules/.cache/trunkline-tests"),
      ...clock()
    }
  }
)
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => vitest.kill(signal))

const code = await new Promise<number>((resolve) => vitest.once("exit", (status) => resolve(status ?? 1)))

const children = processesLeft()
for (const { id } of children) process.kill(id, "SIGKILL")
const files = readdirSync(folder)
rmSync(folder, { recursive: true, force: true })
for (const { command } of children) console.error(`A process outlived the tests: ${command}`)
for (const file of files) console.error(`A test left this in its temporary folder: ${file}`)
process.exitCode = code === 0 && children.length + files.length > 0 ? 1 : code
