/** Changing the encryption key of an installation: docs/reference/operations.md#keys. Verifies: HOOK-8, CHAT-7, FLOW-3. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTrunkline, type LogEntry, type Trunkline, TrunklineError, type TrunklineOptions } from "@trunkline/core"
import { channelProvider, telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { FakeChatPlatform } from "@trunkline/testing/messaging"
import * as Redacted from "effect/Redacted"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

const [first, second] = ["the first key of this installation", "the second key of this installation"]
const numbers = "/api/v1/messaging/phone_numbers"
const token = "EAAG-a-token-of-the-number"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reencryption-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const log: Array<LogEntry> = []

/** A process of the installation, under keys that it is given. */
const within = async <A>(
  keys: Pick<TrunklineOptions, "encryptionKey" | "previousEncryptionKeys">,
  use: (core: Trunkline, platform: FakeChatPlatform) => Promise<A>
): Promise<A> => {
  const platform = new FakeChatPlatform().owns("3", "1", "2")
  const core = await createTrunkline({
    storage: sqlite(join(folder, "trunkline.db")),
    telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
    messaging: { platform: channelProvider(platform.layer), publicUrl: "https://chat.example.com" },
    log: (entry) => log.push(entry),
    ...keys
  })
  try {
    return await use(core, platform)
  } finally {
    await core.stop()
  }
}

const ask = async (core: Trunkline, key: string, path: string, json: object) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(json) })
  return core.fetch(request)
}

/**
 * An account with a webhook whose secret was rotated, a connected number that has a key and a flow with an endpoint, one that has no token any
 * more, and an agent with a header.
 */
const settle = async (core: Trunkline) => {
  const { id } = await core.admin.createAccount({ name: "Account" })
  const { text: key } = await core.admin.createKey(id)
  const { webhook } = await core.webhooks.create(id, { url: "https://example.com/hooks", events: ["campaign.started"] })
  await core.webhooks.rotateSecret(id, webhook.id, 3600)
  for (const phone_number_id of ["1", "2"]) {
    const connection = { phone_number_id, business_account_id: "3", access_token: token }
    const answer = await ask(core, key, numbers, connection)
    expect(answer.status).toBe(201)
    const { id: phoneId } = (await answer.json()) as { readonly id: string }
    if (phone_number_id === "1") {
      await core.flows.makeKey(id, phoneId)
      const flow = { name: "Book", categories: ["OTHER"], endpointUrl: "https://example.com/flows" }
      expect((await core.flows.create(id, "1", flow)).endpointSecret).toMatch(/^whsec_/)
      continue
    }
    const headers = { authorization: `Bearer ${key}` }
    await core.fetch(new Request(`http://localhost${numbers}/${phoneId}`, { method: "DELETE", headers }))
  }
  const endpoint = { url: "https://example.com", headers: { Authorization: "x" } }
  const bot = { name: "Agent", config: { functions: [{ name: "book", endpoint }] } }
  expect((await ask(core, key, "/api/v1/bots", bot)).status).toBe(201)
  return key
}

const template = { type: "template", template: { name: "welcome", language: { code: "en" } } }
const sends = (core: Trunkline, key: string) =>
  ask(core, key, "/api/v1/messaging/messages", { phone_number_id: "1", to: "16505551234", ...template })

describe("another encryption key", () => {
  it("decrypts what the one before it has encrypted, encrypts that again, and then does without it", async () => {
    const key = await within({ encryptionKey: first }, settle)
    const both = { encryptionKey: second, previousEncryptionKeys: [first] }
    await within(both, async (core, platform) => {
      expect((await sends(core, key)).status).toBe(200)
      expect(Redacted.value(platform.accepted[0]!.number.credentials)).toBe(token)
      expect(await core.admin.reencryptSecrets()).toEqual({ reencrypted: 6, unreadable: 0 })
      expect(await core.admin.reencryptSecrets()).toEqual({ reencrypted: 0, unreadable: 0 })
    })
    await within({ encryptionKey: second }, async (core, platform) => {
      expect((await sends(core, key)).status).toBe(200)
      expect(Redacted.value(platform.accepted[0]!.number.credentials)).toBe(token)
      expect(await core.admin.reencryptSecrets()).toEqual({ reencrypted: 0, unreadable: 0 })
    })
  })

  it("without the one before it reads nothing, says which one is missing, and spoils nothing", async () => {
    const key = await within({ encryptionKey: first }, settle)
    await within({ encryptionKey: second }, async (core, platform) => {
      log.length = 0
      const answer = await sends(core, key)
      expect(answer.status).toBe(500)
      expect(await answer.text()).not.toMatch(/key/)
      expect(platform.calls).toEqual([])
      expect(JSON.stringify(log)).toMatch(/encrypted with the encryption key [0-9a-f]{8}, which is not configured/)
      expect(await core.admin.reencryptSecrets()).toEqual({ reencrypted: 0, unreadable: 6 })
    })
    await within({ encryptionKey: first }, async (core) => {
      expect((await sends(core, key)).status).toBe(200)
    })
    expect(JSON.stringify(log)).not.toContain(token)
  })

  // Verifies: D-238.
  it("is refused where it is missing or too short, by a sentence that says how to make one", async () => {
    for (const encryptionKey of [undefined, "", "short", 5]) {
      const made = within({ encryptionKey } as never, async () => undefined)
      await expect(made).rejects.toThrow(TrunklineError)
      await expect(made).rejects.toMatchObject({ code: "options_refused", fields: [{ path: ["encryptionKey"] }] })
      await expect(made).rejects.toThrow(/encryptionKey: .*openssl rand -base64 32.*node -p/)
    }
    const previous = within({ encryptionKey: first, previousEncryptionKeys: ["short"] }, async () => undefined)
    await expect(previous).rejects.toThrow(/previousEncryptionKeys\.0: must be a text of at least 32 characters/)
  })
})
