/** The configuration of an agent over the HTTP interface: docs/reference/voice-agent.md#configuration, #secrets. Verifies: VAGT-1, VAGT-4, BOTS-8. */
import { createTrunkline, type LogEntry, type Trunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const secret = "Bearer s3cret-of-the-host"
const functions = (headers: object, url = "https://api.example/book") => [{ name: "book", endpoint: { url, headers } }]

let core: Trunkline
let key: string
const log: Array<LogEntry> = []

beforeAll(async () => {
  core = await createTrunkline({
    storage: sqlite(":memory:"),
    telephony: simulator(),
    encryptionKey: "a key for the secrets of this test",
    log: (entry) => log.push(entry)
  })
  const { id } = await core.admin.createAccount({ name: "Account" })
  key = (await core.admin.createKey(id)).text
})
afterAll(() => core.stop())

const ask = async (method: string, path: string, body?: object) => {
  const answer = await core.fetch(
    new Request(`http://localhost/api/v1/bots${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe("a bot's configuration", () => {
  // Verifies: V-116, V-135.
  it("with wrong values is 422, and every fault has its place", async () => {
    const config = { stt_model: 7, turn: { silence_ms: 1 }, functions: [{ name: "book" }], other: { kept: true } }
    const { body, status } = await ask("POST", "", { name: "Agent", config })
    expect(status).toBe(422)
    expect(body).toEqual({
      detail: [
        {
          loc: ["body", "config", "turn", "silence_ms"],
          msg: "must be a whole number from 200 to 3000",
          type: "value_error"
        },
        { loc: ["body", "config", "stt_model"], msg: "must be a text of 0 to 255 characters", type: "value_error" },
        {
          loc: ["body", "config", "functions", 0, "endpoint"],
          msg: "is needed: an object with a url",
          type: "value_error"
        }
      ]
    })
    const made = await ask("POST", "", { name: "Agent", config: { other: { kept: true } } })
    expect(made).toMatchObject({ status: 201, body: { config: { other: { kept: true } } } })
    const changed = await ask("PATCH", `/${made.body.id}`, { config: { nudge_max: 9 } })
    expect(changed).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "config", "nudge_max"] }] } })
    expect((await ask("GET", `/${made.body.id}`)).body.config).toEqual({ other: { kept: true } })
  })

  // Verifies: V-139.
  it("never shows a header, and accepts its mask, but not for another host", async () => {
    const made = await ask("POST", "", { name: "Agent", config: { functions: functions({ Authorization: secret }) } })
    const path = `/${made.body.id}`
    const masked = { functions: functions({ Authorization: "***" }) }
    expect(made.body.config).toEqual(masked)
    expect((await ask("GET", path)).body.config).toEqual(masked)
    expect(await ask("PATCH", path, { config: masked })).toMatchObject({ status: 200, body: { config: masked } })
    const elsewhere = { functions: functions({ Authorization: "***" }, "https://evil.example/") }
    expect(await ask("PATCH", path, { config: elsewhere })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "config", "functions", 0, "endpoint", "headers", "Authorization"] }] }
    })
    expect(JSON.stringify([log, made])).not.toContain("s3cret")
  })
})
