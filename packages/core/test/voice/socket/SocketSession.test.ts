/** One conversation's socket while its settings are applied. Verifies: ASOC-3. */
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { Instant } from "../../../src/platform/kernel/index.ts"
import type { LiveSession } from "../../../src/voice/sessions/index.ts"
import { SocketSession, type SocketSessionOptions } from "../../../src/voice/socket/SocketSession.ts"

/** A session whose settings are never applied, and what its client is sent. */
const applying = () => {
  const sent: Array<string> = []
  const ended: Array<string> = []
  const options: SocketSessionOptions = {
    live: { session: { id: "session-1" } } as unknown as LiveSession,
    connection: {
      ...{ send: (message) => void sent.push(String(message)), terminate: () => undefined, unsentBytes: () => 0 },
      close: (code, reason) => void sent.push(`close ${code} ${reason}`)
    },
    limits: { settingsTimeoutMs: 15_000, idleTimeoutMs: 120_000 },
    isTokens: false,
    apply: () => Effect.never,
    start: () => Effect.never,
    endUnstarted: (reason) =>
      Effect.as(
        Effect.sync(() => ended.push(reason)),
        null
      ),
    closed: Effect.void,
    now: () => Instant.make(0),
    fork: (effect) => Effect.runFork(effect)
  }
  const session = new SocketSession(options)
  session.text('{"type":"Settings"}')
  return { ended, sent, session }
}

const limit = { type: "Error", code: "CLIENT_LIMIT_EXCEEDED" }
const errors = (sent: ReadonlyArray<string>) =>
  sent.flatMap((message) => (message.includes('"Error"') ? [JSON.parse(message)] : []))

// Verifies: V-206.
it.each([
  ["sound", (session: SocketSession, bytes: number) => session.bytes(new Uint8Array(bytes))],
  ["texts", (session: SocketSession, bytes: number) => session.text("x".repeat(bytes))],
  ["texts of two bytes a character", (session: SocketSession, bytes: number) => session.text("é".repeat(bytes / 2))]
])("buffers 64 KiB of %s that come before the settings are applied, and no more", async (_, send) => {
  const { ended, sent, session } = applying()
  for (let n = 0; n < 64; n++) send(session, 1024)
  expect(errors(sent)).toEqual([])
  send(session, 2)
  expect(errors(sent)).toMatchObject([limit])
  await expect.poll(() => sent.at(-1)).toBe("close 1008 client_disconnect")
  expect(ended).toEqual(["client_disconnect"])
  // It is over: nothing of what follows is looked at.
  send(session, 1024)
  session.closed()
  expect(ended).toEqual(["client_disconnect"])
})
