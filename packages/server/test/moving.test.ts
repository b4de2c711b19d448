/** Accounts and installations that move, as an operator moves them: docs/reference/moving-accounts.md. */
import { join } from "node:path"
import { createTrunkline } from "@trunkline/core"
import { serve } from "@trunkline/server"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterAll, afterEach, expect, it, vi } from "vitest"
import { run } from "../src/Cli.ts"
import { cleanUp, folder } from "./Spawned.ts"

const before = process.cwd()
afterEach(() => vi.restoreAllMocks())
afterAll(() => {
  process.chdir(before)
  cleanUp()
})

/** A folder of its own, with two databases that do not exist yet. */
const place = () => {
  const cwd = folder()
  process.chdir(cwd)
  return {
    source: `sqlite:${join(cwd, "source.db")}`,
    target: `sqlite:${join(cwd, "target.db")}`,
    file: join(cwd, "source.db")
  }
}

const environment = { TRUNKLINE_SECRET: "the secret of the source", OTHER: "the secret of the target" }

/** What a command prints, and its exit code. */
const command = async (...words: ReadonlyArray<string>) => {
  const printed = { out: "", err: "" }
  for (const [stream, name] of [
    [process.stdout, "out"],
    [process.stderr, "err"]
  ] as const) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      printed[name] += chunk
      return true
    })
  }
  const code = await run(words, environment, "")
  vi.restoreAllMocks()
  return { code, ...printed, answer: printed.out === "" ? null : JSON.parse(printed.out) }
}

const create = async (database: string): Promise<string> =>
  (await command("account", "create", "--name", "Acme", "--database", database, "--json")).answer.id

it("an account moves to another database with its credit, and is not there twice", async () => {
  const { source, target } = place()
  const id = await create(source)
  await command("credits", "add", "--account", id, "--amount", "5", "--database", source, "--json")
  const options = ["--to", target, "--to-secret-env", "OTHER", "--database", source, "--json"]
  const moved = await command("account", "move", id, ...options)
  expect([moved.code, moved.err]).toEqual([0, ""])
  expect(moved.answer).toMatchObject({ account: id, moved_to: target })
  const shown = await command("account", "show", "--account", id, "--database", target, "--json")
  expect(shown.answer).toMatchObject({ id, credits: 1005 })
  const again = await command("credits", "add", "--account", id, "--amount", "5", "--database", source, "--json")
  expect([again.code, again.err]).toEqual([1, expect.stringMatching(/has moved to another installation/)])
  const cancelled = await command("account", "move", id, ...options, "--cancel")
  expect([cancelled.code, cancelled.err]).toEqual([1, expect.stringMatching(/move it back from there/)])
})

it("an installation is migrated while nothing uses it, and its old database is used no more", async () => {
  const { file, source, target } = place()
  const id = await create(source)
  const core = await createTrunkline({ storage: sqlite(file), encryptionKey: "a key that is not needed for anything" })
  const used = await command("migrate", "--from", source, "--to", target, "--json")
  expect([used.code, used.err]).toEqual([1, expect.stringMatching(/is in use: stop every process/)])
  await core.stop()
  const migrated = await command("migrate", "--from", source, "--to", target, "--json")
  expect([migrated.code, migrated.err]).toEqual([0, ""])
  expect(migrated.answer).toMatchObject({ migrated_to: target })
  const shown = await command("account", "show", "--account", id, "--database", target, "--json")
  expect(shown.answer).toMatchObject({ id, name: "Acme" })
  const old = await command("account", "list", "--database", source, "--json")
  expect([old.code, old.err]).toEqual([1, expect.stringMatching(/has been migrated to .*use that one/)])
  await expect(serve({ ...environment, DATABASE_URL: source, PORT: "0" })).rejects.toThrow(/has been migrated/)
  const again = await command("migrate", "--from", source, "--to", target, "--json")
  expect([again.code, again.err]).toEqual([1, expect.stringMatching(/has been migrated to .* already/)])
})
