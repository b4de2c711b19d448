/** Requests as no HTTP client writes them, byte by byte, to a server of its own. Verifies: HTTP-3, HTTP-4. */
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cleanUp, folder, keyOf, type Server, serve, stop } from "./Spawned.ts"

interface RawAnswer {
  readonly status: number
  readonly headers: string
  readonly body: string
}

describe("a request that is written by hand", () => {
  let server: Server
  beforeAll(async () => {
    server = await serve(folder())
  })
  afterAll(async () => {
    await stop(server)
    cleanUp()
  })

  /** Sends the lines of a head, and a body, and waits for the end of the connection. */
  const ask = (lines: ReadonlyArray<string>, body = ""): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      let text = ""
      socket.setEncoding("utf8").on("data", (piece: string) => {
        text += piece
      })
      socket.on("error", reject)
      socket.on("close", () => {
        const [head = "", ...rest] = text.split("\r\n\r\n")
        resolve({ status: Number(head.split(" ")[1]), headers: head.toLowerCase(), body: rest.join("\r\n\r\n") })
      })
      socket.write([...lines, "", body].join("\r\n"))
    })

  const plain = (start: string, ...more: ReadonlyArray<string>) =>
    ask([start, "Host: x", `Authorization: Bearer ${keyOf(server)}`, "Connection: close", ...more])

  it("may have the whole address as its target", async () => {
    for (const target of ["http://x/api/v1/bots", "HTTP://other:80/api/v1/bots?limit=1", "https://x/healthz"]) {
      expect(await plain(`GET ${target} HTTP/1.1`), target).toMatchObject({ status: 200 })
    }
    expect(await plain("GET http://x HTTP/1.1")).toMatchObject({ status: 302 })
    expect(await plain("GET http://x/nowhere HTTP/1.1")).toMatchObject({ status: 404 })
  })

  it("is 405 with what is allowed, whatever method its parser knows", async () => {
    for (const method of ["PROPFIND", "SEARCH", "PURGE", "M-SEARCH", "TRACE", "LOCK", "QUERY"]) {
      const { headers, status } = await plain(`${method} /api/v1/bots HTTP/1.1`, "Content-Length: 0")
      expect([method, status]).toEqual([method, 405])
      expect(headers).toContain("allow: post, get, head")
    }
    expect(await plain("PROPFIND /nowhere HTTP/1.1", "Content-Length: 0")).toMatchObject({ status: 404 })
  })

  it("is 400 in the form of its family where its path does not decode", async () => {
    for (const [path, code] of [
      ["/api/v1/bots/%ff", '{"detail":'],
      ["/v1/models/%ff", '"code":"invalid_request"'],
      ["/api/v1/messaging/%ff/messages", '"code":100']
    ] as const) {
      const answer = await plain(`GET ${path} HTTP/1.1`)
      expect([path, answer.status]).toEqual([path, 400])
      expect(answer.body).toContain(code)
    }
  })

  it("is 404 with its code on a path that nothing has", async () => {
    const answer = await plain("GET /api/v1/nowhere HTTP/1.1")
    expect([answer.status, answer.body]).toEqual([404, '{"detail":"Not Found"}'])
    expect(answer.headers).toContain("x-service-error: not_found")
    expect((await plain("GET /v1/nowhere HTTP/1.1")).headers).not.toContain("x-service-error")
  })

  it("is refused with an id that an operator can search for, also where it is no HTTP", async () => {
    const refused = [
      [400, ["GET /x HTTP/1.1", "Host: x", "no header"]],
      [400, ["GET /api/v1/bots HTTP/1.1", "Connection: close"]],
      [400, ["POST /api/v1/bots HTTP/1.1", "Host: x", "Content-Length: 2", "Transfer-Encoding: chunked"]],
      [400, ["GET nowhere HTTP/1.1", "Host: x"]],
      [417, ["POST /api/v1/bots HTTP/1.1", "Host: x", "Expect: more", "Content-Length: 2"]],
      [431, ["GET /api/v1/bots HTTP/1.1", "Host: x", `X: ${"a".repeat(20_000)}`]]
    ] as const
    for (const [status, lines] of refused) {
      const answer = await ask(lines)
      expect([lines[0], answer.status]).toEqual([lines[0], status])
      expect(answer.headers).toMatch(/x-request-id: [0-9a-f-]{36}/)
      expect(answer.headers).toMatch(/x-service-error: [a-z_]+/)
      expect(answer.body).toContain('{"detail":"')
    }
  })
})
