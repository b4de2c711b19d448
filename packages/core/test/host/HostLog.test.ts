/** The product's log lines: docs/reference/operations.md#logs. */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { afterEach, expect, it, vi } from "vitest"
import { logger } from "../../src/host/HostLog.ts"

afterEach(() => void vi.restoreAllMocks())

it("a log of the host that throws ends nothing: its line goes to the console, with the reason", () => {
  const console = vi.spyOn(globalThis.console, "error").mockImplementation(() => undefined)
  const broken = logger(() => {
    throw new Error("the disk is full")
  })
  const program = Effect.as(Effect.logError("the worker failed"), "went on")
  expect(Effect.runSync(Effect.provide(program, Logger.layer([broken])))).toBe("went on")
  expect(console.mock.calls).toEqual([
    ["trunkline: the worker failed"],
    [expect.stringMatching(/^trunkline: the host's log function threw: the disk is full\n/)]
  ])
})
