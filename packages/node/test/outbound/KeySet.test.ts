/** Key sets of the host's sign-in, fetched over Node's connections: docs/reference/access.md#tokens. Verifies: NODE-4. */
import { createServer, type Server, type Socket } from "node:net"
import { createTrunkline } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { afterEach, describe, expect, it } from "vitest"
import { outbound } from "../../src/outbound/UndiciOutbound.ts"
import { startFetch } from "../Hosts.ts"

const ends: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** An identity provider that writes `before` ahead of its answer; what it was asked. */
const provider = async (before: string, answer: string) => {
  const asked: Array<string> = []
  const serve = (socket: Socket) =>
    socket
      .on("error", () => {})
      .once("data", (bytes) => {
        asked.push(String(bytes))
        socket.write(before)
        setImmediate(() => socket.end(answer))
      })
  const server = await new Promise<Server>((resolve) => {
    const made = createServer(serve).listen(0, "127.0.0.1", () => resolve(made))
  })
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return { asked, url: `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/keys` }
}

const answerOf = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`

const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" }] }

/** The status of a request with a token that one of these keys has signed. */
const statusWith = async (jwksUrl: string) => {
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    encryptionKey: "a key for the secrets of this test",
    auth: { jwt: { jwksUrl, issuer: "https://id.example" } },
    outbound: outbound(),
    log: () => {}
  })
  const served = await startFetch(core, {})
  ends.push(async () => {
    await served.close()
    await core.stop()
  })
  const { id } = await core.admin.createAccount({ name: "Account" })
  const token = await new SignJWT({ tenant_id: id, role: "owner", iss: "https://id.example" })
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setExpirationTime("1h")
    .sign(privateKey)
  return (await fetch(`${served.origin}/api/v1/bots`, { headers: { authorization: `Bearer ${token}` } })).status
}

describe("a key set", () => {
  const interim = {
    "no interim answer": "",
    "100, which nobody asked for": "HTTP/1.1 100 Continue\r\n\r\n",
    "102": "HTTP/1.1 102 Processing\r\n\r\n",
    "103, several times": "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(3)
  }
  it.each(Object.entries(interim))("is read behind %s", async (_, before) => {
    const { url } = await provider(before, answerOf("200 OK", JSON.stringify(keys)))
    expect(await statusWith(url)).toBe(200)
  })

  it("is asked for at the URL of the operator alone: no redirect is followed", async () => {
    const elsewhere = await provider("", answerOf("200 OK", JSON.stringify(keys)))
    const moved = `HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
    const { asked, url } = await provider("", moved)
    expect([await statusWith(url), elsewhere.asked]).toEqual([401, []])
    expect(asked[0]).toMatch(/^GET \/keys HTTP\/1\.1\r\n/)
  })

  it("of more than 64 KiB is none", async () => {
    const long = JSON.stringify({ ...keys, more: "x".repeat(70_000) })
    const { url } = await provider("", answerOf("200 OK", long))
    expect(await statusWith(url)).toBe(401)
  })
})
