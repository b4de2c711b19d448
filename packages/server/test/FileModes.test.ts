/** Who may read what the server keeps: docs/reference/operations.md#start. */
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { cleanUp, folder, serve, stop } from "./Spawned.ts"

afterAll(cleanUp)

const database = ["trunkline.db", "trunkline.db-wal", "trunkline.db-shm"]

// Verifies: D-240.
it.skipIf(process.platform === "win32")(
  "the server keeps its data to its user, and names files that others can read and the command that closes them",
  async () => {
    const cwd = folder()
    const modeOf = (name: string) => (statSync(join(cwd, "data", name)).mode & 0o777).toString(8)
    const mask = process.umask(0)
    const first = await serve(cwd).finally(() => process.umask(mask))
    expect([".", "secret", ...database].map(modeOf)).toEqual(["700", "600", "600", "600", "600"])
    expect(first.logged()).not.toContain("can read")
    await stop(first)

    chmodSync(join(cwd, "data", "trunkline.db"), 0o644)
    const second = await serve(cwd)
    const warning = second
      .logged()
      .split("\n")
      .find((line) => line.includes("can read"))
    expect(JSON.parse(warning!)).toMatchObject({
      level: "warn",
      message: expect.stringMatching(
        /^other users of this machine can read \.\/data\/trunkline\.db, .*: run chmod 600 /
      )
    })
    await stop(second)
  }
)
