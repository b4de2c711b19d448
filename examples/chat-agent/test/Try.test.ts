import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const run = promisify(execFile)

it("the example's agent answers each question from what the hotel has written down", async () => {
  const file = new URL("Try.ts", import.meta.url).pathname
  const flags = ["--conditions=@trunkline/source", "--disable-warning=ExperimentalWarning"]
  const { stdout } = await run(process.execPath, [...flags, file])
  const said = stdout.split("\n").filter((line) => line.startsWith("agent"))
  expect(said).toHaveLength(3)
  expect(said[0]).toMatch(/10 euros a night/)
  expect(said[1]).toMatch(/12 euros/)
  expect(said[2]).toMatch(/two days before/)
})
