/** A start whose database is cut off in the middle: docs/reference/operations.md#start. Verifies: SERV-6. */
import { StorageError } from "@trunkline/core/storage"
import { classify } from "@trunkline/storage-postgres"
import { describe, expect, it } from "vitest"
import { retryStart } from "../src/StartRetry.ts"
import { UsageError } from "../src/UsageError.ts"

const of = (code: string, message = "no") => classify(Object.assign(new Error(message), { code }), "connect")
const cut = of("57P01", "terminating connection due to administrator command")
const terminated = classify(new Error("Connection terminated unexpectedly"), "migrate")
const refused = of("ECONNREFUSED")

/** A start that fails with these in turn, and then succeeds, on a clock of its own. */
const play = async (faults: ReadonlyArray<StorageError>, last: unknown = null) => {
  const left = [...faults]
  const said: Array<string> = []
  let at = 0
  const start = () => {
    at += 100
    const fault = left.shift()
    if (fault !== undefined) return Promise.reject(new UsageError("a line for people", fault))
    return last === null ? Promise.resolve("started") : Promise.reject(last)
  }
  const ended = retryStart(start, {
    now: () => at,
    sleep: (milliseconds) => {
      at += milliseconds
      return Promise.resolve()
    },
    onRetry: ({ detail }) => void said.push(detail)
  })
  return { came: await ended.catch((error: Error) => error.message), said, at }
}

describe("a start whose database is cut off", () => {
  it.each([
    ["by its server", [cut]],
    ["without a word", [terminated]],
    ["and restarts", [cut, of("57P03"), refused, refused, of("EAI_AGAIN"), terminated]]
  ])("%s begins again, and says so once", async (_, faults) => {
    const { came, said } = await play(faults)
    expect(came).toBe("started")
    expect(said).toEqual([faults[0]!.detail])
  })

  // Verifies: D-264.
  it("is given up after 30 s, with the last reason", async () => {
    const { at, came, said } = await play([cut], new UsageError("nobody there", refused))
    expect(came).toBe("nobody there")
    expect(said).toHaveLength(1)
    expect(at).toBeGreaterThan(29_000)
    expect(at).toBeLessThan(33_000)
  })
})

describe("a start that cannot succeed", () => {
  it.each([
    ["no server at all", refused],
    ["no such host", of("ENOTFOUND")],
    ["a wrong password", of("28P01")],
    ["no such database", of("3D000")],
    ["a file that is no database", new StorageError({ reason: "corrupt", detail: "no" })],
    ["a file that cannot be opened", new StorageError({ reason: "unavailable", detail: "no" })]
  ])("because of %s fails at once", async (_, fault) => {
    expect(await play([fault])).toEqual({ came: "a line for people", said: [], at: 100 })
  })

  it("fails at once for what is no fault of the database", async () => {
    expect(await play([], new UsageError("port in use"))).toMatchObject({ came: "port in use", said: [] })
  })

  it("fails at once when a password is refused after a cut", async () => {
    expect(await play([cut, of("28P01")])).toMatchObject({ came: "a line for people", at: 1_200 })
  })
})
