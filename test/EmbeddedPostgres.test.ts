/** What keeps the tests' own database server from being started is said before it is tried. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { closedFolder } from "./EmbeddedPostgres.ts"

const home = mkdtempSync(join(tmpdir(), "trunkline-closed-"))
afterAll(() => rmSync(home, { recursive: true }))

it("a folder that other users may not enter is found, the outermost first", () => {
  const inner = join(home, "outer", "inner")
  mkdirSync(inner, { recursive: true })
  for (const folder of [home, join(home, "outer"), inner]) chmodSync(folder, 0o755)
  expect(closedFolder(inner)).toBeNull()
  chmodSync(inner, 0o700)
  expect(closedFolder(inner)).toBe(inner)
  chmodSync(join(home, "outer"), 0o700)
  expect(closedFolder(inner)).toBe(join(home, "outer"))
})
