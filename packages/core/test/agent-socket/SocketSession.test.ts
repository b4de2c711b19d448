/** What a connection holds before its settings are applied. Verifies: ASOC-5. */
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { SocketSession, type SocketSessionOptions } from "../../src/agent-socket/SocketSession.ts"

/** A session whose settings are never applied, and what its client gets. */
const waiting = () => {
  const said: Array<{ readonly type: string; readonly code?: string }> = []
  const closes: Array<readonly [number | undefined, string | undefined]> = []
  const options = {
    live: { session: { id: "s" } },
    connection: {
      send: (message: string) => void said.push(JSON.parse(message)),
      close: (code?: number, reason?: string) => void closes.push([code, reason])
    },
    limits: { settingsTimeoutMs: 15_000, idleTimeoutMs: 120_000 },
    isTokens: false,
    apply: () => Effect.never,
    start: () => Effect.never,
    endUnstarted: () => Effect.succeed(null),
    closed: Effect.void,
    now: () => 0,
    fork: Effect.runFork
  } as unknown as SocketSessionOptions // the parts that a session without settings uses
  const session = new SocketSession(options)
  session.text(JSON.stringify({ type: "Settings" }))
  return { session, said, closes }
}

// Verifies: V-206.
it.each([
  ["sound", (session: SocketSession, bytes: number) => session.bytes(new Uint8Array(bytes))],
  ["text", (session: SocketSession, bytes: number) => session.text("x".repeat(bytes))],
  ["text of many bytes", (session: SocketSession, bytes: number) => session.text("€".repeat(Math.floor(bytes / 3)))]
])("at most 64 KiB of %s is kept", async (_, send) => {
  const { closes, said, session } = waiting()
  for (let n = 0; n < 63; n++) send(session, 1024)
  expect(said.map(({ type }) => type)).toEqual(["Welcome"])
  for (let n = 0; n < 3; n++) send(session, 1024)
  await expect.poll(() => closes).toEqual([[1008, "client_disconnect"]])
  expect(said.at(-1)).toMatchObject({ type: "Error", code: "CLIENT_LIMIT_EXCEEDED" })
})
