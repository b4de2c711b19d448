/** What is thrown in a callback of the CSV parser ends the request, and not the process. */
import { createTrunkline } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { Parser } from "csv-parse"
import { afterEach, expect, it, vi } from "vitest"

/** A record with such a cell cannot be read by who gets it. */
const unreadable = (record: ReadonlyArray<string>): ReadonlyArray<string> =>
  record.includes("unreadable") ? (null as never) : record

afterEach(() => vi.restoreAllMocks())

it("a callback of the CSV parser that throws is a 500, and the next request is answered", async () => {
  const emit = Parser.prototype.emit
  vi.spyOn(Parser.prototype, "emit").mockImplementation(function (this: Parser, event, ...given) {
    return emit.call(this, event, ...(event === "data" ? [unreadable(given[0])] : given))
  })
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
    encryptionKey: "a key for the secrets of this test",
    log: () => undefined
  })
  const { id: account } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
  const key = (await core.admin.createKey(account)).text
  const { id } = await core.campaigns.create(account, { name: "C" })
  const upload = async (file: string) => {
    const body = new FormData()
    body.set("file", new Blob([file]), "contacts.csv")
    return core.fetch(
      new Request(`http://x/api/v1/voice-campaigns/${id}/contacts/import`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body
      })
    )
  }
  // The last row is handed over as the parser ends.
  const thrown = await upload("phone,name\n+1 212 555 0101,Ann\n+1 212 555 0102,unreadable")
  expect(thrown.status).toBe(500)
  expect(await thrown.json()).toEqual({ detail: expect.any(String) })
  const next = await upload("phone,name\n+1 212 555 0101,Ann\n")
  expect([next.status, await next.json()]).toMatchObject([200, { created: 1, failed: 0 }])
  await core.stop()
})
