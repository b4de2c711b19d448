import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { serverBundle } from "../../../test/ServerBundle.ts"

const run = promisify(execFile)

/** Enough for the server to be killed in the middle: they take some seconds. */
const people = 300

/** How many the program says that there are of something. */
const numberOf = (what: RegExp, printed: string): number => Number(what.exec(printed)?.[1] ?? Number.NaN)

// Verifies: M-47.
it("the example writes to everybody who may be written to, and to nobody twice, although its server is killed", async () => {
  const file = new URL("try.ts", import.meta.url).pathname
  const flags = ["--conditions=@trunkline/source", "--disable-warning=ExperimentalWarning"]
  const { stdout } = await run(process.execPath, [...flags, file], {
    env: { ...process.env, PEOPLE: String(people), SERVER: serverBundle }
  })
  expect(stdout).toMatch(new RegExp(`${people - 1} added, 1 twice`))
  expect(stdout).toMatch(/skipped: 1 opted_out, 1 do_not_call, 19 no_opt_in, 2 missing_variable/)
  const sendable = numberOf(/(\d+) of 299 get the message/, stdout)
  expect(sendable).toBe(276)
  expect(stdout).toContain('first message: "Hello Asha, your order is on its way.')
  expect(stdout).toContain("the campaign is completed")
  expect(stdout).toContain("people with two messages: 0")
  const written = numberOf(/accepted by the network: (\d+) messages/, stdout)
  const doubtful = numberOf(/people without one, .*: (\d+)/, stdout)
  expect(written + doubtful).toBe(sendable)
  // What is committed and not asked for when the server dies is a part of a second.
  expect(written).toBeGreaterThan(sendable / 2)
})
