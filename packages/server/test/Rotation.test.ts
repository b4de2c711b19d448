/** Another secret for an installation, as its operator changes it: docs/reference/operations.md#keys. Verifies: HOOK-8, CHAT-7. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verifyWebhook } from "@trunkline/core/domain"
import { serve } from "@trunkline/server"
import { type FakePlatform, startFakePlatform } from "@trunkline/testing/messaging"
import { type Receiver, startReceiver } from "@trunkline/testing/webhooks"
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest"
import { run } from "../src/Cli.ts"
import { type Client, cleanUp, client, folder } from "./Spawned.ts"

const before = process.cwd()
const phone = { phone_number_id: "106540352242922", business_account_id: "102290129340398" }
const token = "EAAG-the-platforms-own-token"
const template = { type: "template", template: { name: "welcome", language: { code: "en" } } }

let platform: FakePlatform
let receiver: Receiver
let printed = { out: "", err: "" }

beforeAll(async () => {
  ;[platform, receiver] = await Promise.all([startFakePlatform({ tokens: [token] }), startReceiver()])
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  process.chdir(before)
  cleanUp()
  await Promise.all([platform.close(), receiver.close()])
})

type Environment = Readonly<Record<string, string>>

const listen = () => {
  printed = { out: "", err: "" }
  for (const [stream, name] of [
    [process.stdout, "out"],
    [process.stderr, "err"]
  ] as const) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      printed[name] += chunk
      return true
    })
  }
}

/** An installation of its own, in which this process is: for the file as it is now, and what the environment says. */
const installation = () => {
  const cwd = folder()
  process.chdir(cwd)
  return {
    cwd,
    configure: (secrets: object | null) =>
      writeFileSync(
        join(cwd, "config.json"),
        JSON.stringify({
          ...(secrets === null ? {} : { secrets }),
          messaging: { base_url: platform.baseUrl },
          webhooks: { allow_networks: ["127.0.0.0/8"] }
        })
      ),
    within: async (environment: Environment, use: (api: Client) => Promise<void>, key?: string) => {
      listen()
      const server = await serve({ TRUNKLINE_CONFIG: "config.json", PORT: "0", ...environment })
      const made = key ?? /svc_\w+/.exec(printed.out)![0]
      try {
        await use(client(server, made))
      } finally {
        await server.stop()
      }
      return made
    },
    /** What the command prints that re-encrypts secrets, and its exit code. */
    reencrypt: async (environment: Environment) => {
      listen()
      const code = await run(["secrets", "reseal", "--json"], { TRUNKLINE_CONFIG: "config.json", ...environment }, "")
      return { code, answer: printed.out === "" ? null : JSON.parse(printed.out), complaint: printed.err }
    }
  }
}

it("a secret that replaces another one reads what that one has encrypted, encrypts it anew, and then does without it", async () => {
  const [first, second] = [{ TRUNKLINE_SECRET: "the first" }, { TRUNKLINE_SECRET: "the second" }]
  const { configure, reencrypt, within } = installation()
  let webhook = { id: "", secret: "" }
  const works = async (api: Client) => {
    const { body, status } = await api("POST", "/api/v1/messaging/messages", {
      phone_number_id: phone.phone_number_id,
      to: "16505551234",
      ...template
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(platform.of("send").at(-1)!.token).toBe(token)
    expect((await api("POST", `/api/v1/webhooks/${webhook.id}/test`)).body).toMatchObject({ success: true })
    const { body: bytes, headers } = receiver.received.at(-1)!
    expect(verifyWebhook(webhook.secret, headers, bytes, { now: Date.now() })).toMatchObject({ ok: true })
  }

  configure(null)
  const key = await within(first, async (api) => {
    const number = await api("POST", "/api/v1/messaging/phone_numbers", { ...phone, access_token: token })
    expect(number.status).toBe(201)
    webhook = (await api("POST", "/api/v1/webhooks", { url: receiver.origin, events: ["call.failed"] })).body
    await works(api)
  })

  // Without the one before, nothing is read and nothing is spoilt.
  expect(await reencrypt(second)).toEqual({
    code: 1,
    answer: { resealed: 0, unreadable: 2, next: expect.stringContaining("secrets.previous") },
    complaint: expect.stringMatching(
      /encryption key [0-9a-f]{8}, which is not configured[\s\S]*\ntrunkline: not all could be resealed: [^\n]+\n$/
    )
  })

  configure({ previous: [{ env: "BEFORE" }] })
  const both = { ...second, BEFORE: first.TRUNKLINE_SECRET }
  await within(
    both,
    async (api) => {
      await works(api)
      const done = { code: 0, complaint: "" }
      const next = expect.stringMatching(/^remove secrets\.previous from the configuration and restart/)
      expect(await reencrypt(both)).toEqual({ ...done, answer: { resealed: 2, unreadable: 0, next } })
      expect(await reencrypt(both)).toEqual({ ...done, answer: { resealed: 0, unreadable: 0, next } })
      await works(api)
    },
    key
  )

  configure(null)
  await within(second, works, key)
  expect((await reencrypt(second)).answer).toMatchObject({
    resealed: 0,
    unreadable: 0,
    next: expect.stringMatching(/^nothing/)
  })
  expect(await reencrypt(first)).toMatchObject({ code: 1, answer: { resealed: 0, unreadable: 2 } })
})

/** Runs servers of one installation side by side, and stops them all. */
const sideBySide = async (
  environments: ReadonlyArray<Environment>,
  use: (...apis: ReadonlyArray<Client>) => Promise<void>,
  key: string
) => {
  listen()
  const servers = []
  try {
    for (const environment of environments) {
      servers.push(await serve({ TRUNKLINE_CONFIG: "config.json", PORT: "0", ...environment }))
    }
    await use(...servers.map((server) => client(server, key)))
  } finally {
    for (const server of servers) await server.stop()
  }
}

it("two processes change the secret one after the other, and each reads at every step what the other one has sealed", async () => {
  const { configure, reencrypt, within } = installation()
  configure(null)
  const key = await within({ TRUNKLINE_SECRET: "the old" }, async () => undefined)
  configure({ previous: [{ env: "OTHER" }] })
  const steps = {
    old: { TRUNKLINE_SECRET: "the old", OTHER: "the new" },
    new: { TRUNKLINE_SECRET: "the new", OTHER: "the old" }
  }
  const made: Array<string> = []
  const works = async (api: Client) => {
    for (const id of made) {
      const { body } = await api("POST", `/api/v1/webhooks/${id}/test`)
      expect(body).toMatchObject({ success: true })
    }
  }
  // Each process makes a webhook, and both use those of both.
  const bothWork = async (...apis: ReadonlyArray<Client>) => {
    for (const api of apis) {
      const { body } = await api("POST", "/api/v1/webhooks", { url: receiver.origin, events: ["call.failed"] })
      made.push(body.id)
    }
    for (const api of apis) await works(api)
  }
  await sideBySide([steps.old, steps.old], bothWork, key)
  await sideBySide([steps.new, steps.old], bothWork, key)
  await sideBySide(
    [steps.new, steps.new],
    async (...apis) => {
      await bothWork(...apis)
      // Two by the old secret in the first step, one in the second.
      expect(await reencrypt(steps.new)).toMatchObject({ code: 0, answer: { resealed: 3, unreadable: 0 } })
      for (const api of apis) await works(api)
    },
    key
  )
  configure(null)
  await sideBySide([{ TRUNKLINE_SECRET: "the new" }, { TRUNKLINE_SECRET: "the new" }], bothWork, key)
})

it("secrets are resealed with the server's secret, never with one that was made up for it", async () => {
  const { configure, cwd, reencrypt, within } = installation()
  configure(null)
  await within({ TRUNKLINE_SECRET: "the server's" }, async () => undefined)
  expect(await reencrypt({})).toEqual({
    code: 1,
    answer: null,
    complaint: "trunkline: the server's secret is not here: set TRUNKLINE_SECRET, or change to the folder it runs in\n"
  })
  expect(existsSync(join(cwd, "data/secret"))).toBe(false)
  // The one before still stands in its file, and the new one was forgotten.
  writeFileSync(join(cwd, "data/secret"), "the one before\n")
  configure({ previous: ["the one before"] })
  const { code, complaint } = await reencrypt({})
  expect(code).toBe(1)
  expect(complaint).toMatch(/secrets\.previous\.0: is the present secret/)
})
