/** Verifies: NODE-5. */
import { createServer, type Socket } from "node:net"
import { type Receiver, startReceiver } from "@trunkline/testing/webhooks"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Connection } from "../../src/outbound/Connection.ts"

let there: Receiver
beforeEach(async () => {
  there = await startReceiver()
})
afterEach(() => there.close())

/** Posts, and records the callbacks. */
const posted = (
  url: string,
  connection = new Connection({ url: new URL(url), address: "127.0.0.1", authorities: undefined })
) => {
  const callbacks: Array<string> = []
  const request = { method: "POST", url: new URL(url), headers: {}, body: new Uint8Array(1), remainingMs: 5_000 }
  connection.send(request, {
    answered: (status) => callbacks.push(`answered ${status}`),
    failed: () => callbacks.push("failed"),
    free: () => callbacks.push("free"),
    closed: () => callbacks.push("closed")
  })
  return { connection, callbacks }
}

const callsBack = (callbacks: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
  vi.waitFor(() => expect([...callbacks].sort()).toEqual([...expected].sort()), 300_000)

describe("a connection reports", () => {
  it("the status, and that it is free once the answer is read", async () => {
    there.behave({ does: "trickle", totalBytes: 10, everyMs: 20 })
    const { connection, callbacks } = posted(there.origin)
    await callsBack(callbacks, ["answered 200"])
    await callsBack(callbacks, ["answered 200", "free"])
    connection.close()
    await callsBack(callbacks, ["answered 200", "free", "closed"])
  })

  it("that the other side has closed it while it waited", async () => {
    const { callbacks } = posted(there.origin)
    await callsBack(callbacks, ["answered 200", "free"])
    await there.close()
    await callsBack(callbacks, ["answered 200", "free", "closed"])
  })

  it("no failure after an answer, whatever becomes of the body", async () => {
    there.behave({ does: "truncate" })
    const { callbacks } = posted(there.origin)
    await callsBack(callbacks, ["answered 200", "closed"])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(callbacks).toEqual(["answered 200", "closed"])
  })

  it("a failure when it is closed before an answer, in the middle of dialing too, and once only", async () => {
    there.behave({ does: "hang" })
    const hanging = posted(there.origin)
    await there.until(() => there.received.length === 1)
    hanging.connection.close()
    hanging.connection.close()
    await callsBack(hanging.callbacks, ["closed", "failed"])

    const sockets = new Set<Socket>()
    const silent = createServer((socket) => sockets.add(socket.on("error", () => {}).resume()))
    const port = await new Promise<number>((resolve) => {
      silent.listen(0, "127.0.0.1", () => resolve((silent.address() as { port: number }).port)) // of TCP: never a path
    })
    const dialing = posted(`https://hooks.example:${port}/`)
    await vi.waitFor(() => expect(sockets.size).toBe(1), 300_000)
    dialing.connection.close()
    await callsBack(dialing.callbacks, ["closed", "failed"])
    silent.close()
  })
})
