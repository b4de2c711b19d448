/**
 * What a listener or a timer throws is caught by no fiber, and ends the process. So every file that registers one makes it by
 * `guarded`, or stands here with the reason why nothing that a client, a carrier or an upstream sends can make it throw.
 */
import { describe, expect, it } from "vitest"
import { findings } from "./Findings.ts"
import { isPackageSource, sources } from "./Sources.ts"

const registration =
  /\.(?:on|once|addListener|prependListener|addEventListener)\(\s*"\w+"|\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)\(/g

const registrationsIn = (code: string): ReadonlyArray<string> => code.match(registration) ?? []

const isGuarded = (code: string): boolean => /\bguarded\(/.test(code)

const settles = "Its callbacks settle a promise or resume an effect, and read no bytes."
const ends = "Its callbacks end a connection, a timer or a claim, and read no bytes."
const undici = "The HTTP client catches what its handler throws and reports it as an error; the timers read no bytes."
const own = "Its messages come from a thread or a process of the product itself."
const browser = "It runs in a browser, as text of a page."
const operator = "Its listeners concern the operator's own process: signals, its output, its start and its stop."

/** Files whose callbacks are not guarded, and why they need not be. */
const unguarded: Readonly<Record<string, string>> = {
  "packages/adapter-fastify/src/Upgrades.ts":
    "It compares the target's path, and passes the request to the host's router.",
  "packages/client/src/Sender.ts": settles,
  "packages/core/src/host/HostClock.ts": settles,
  "packages/core/src/host/Trunkline.ts": ends,
  "packages/core/src/platform/sockets/UpgradeHttp.ts": settles,
  "packages/node/src/BodyProgress.ts": ends,
  "packages/node/src/NodeHandler.ts": ends,
  "packages/node/src/RequestBatch.ts":
    "Its steps start a fiber, or write an answer that is guarded; the host's own errors pass.",
  "packages/node/src/UnreadAnswers.ts": ends,
  "packages/node/src/outbound/Connection.ts": undici,
  "packages/node/src/recordings/RecordingFolder.ts": settles,
  "packages/portal/src/PortalFiles.ts": browser,
  "packages/providers/src/embedded/FliteEngine.ts": own,
  "packages/providers/src/embedded/NpmPack.ts": own,
  "packages/providers/src/embedded/TarEntries.ts": ends,
  "packages/providers/src/embedded/ThreadEngine.ts": own,
  "packages/providers/src/embedded/ThreadLife.ts": own,
  "packages/providers/src/embedded/ThreadPort.ts": own,
  "packages/providers/src/web-chat/ChatScript.ts": browser,
  "packages/server/src/Application.ts": operator,
  "packages/server/src/CalleeClient.ts":
    "It is a command of the operator's, which reads what a server of the product sends.",
  "packages/server/src/Serve.ts": operator,
  "packages/server/src/Signals.ts": operator,
  "packages/server/src/main.ts": operator,
  "packages/storage-postgres/src/MigrationClaim.ts": ends,
  "packages/storage-postgres/src/PostgresInUse.ts": ends,
  "packages/storage-postgres/src/PostgresMigrations.ts": ends,
  "packages/storage-postgres/src/PostgresServers.ts": ends,
  "packages/storage-postgres/src/PostgresSignals.ts":
    "What somebody else sends on the channel is read by a function that catches.",
  "packages/storage-postgres/src/PostgresStorage.ts": ends,
  "packages/storage-postgres/src/PostgresTransaction.ts": "It notes that a notice came.",
  "packages/storage-postgres/src/WatchedServer.ts": ends,
  "packages/storage-sqlite/src/ConnectionThread.ts": own,
  "packages/storage-sqlite/src/LogSync.ts": settles,
  "packages/storage-sqlite/src/SharedRead.ts": ends,
  "packages/storage-sqlite/src/SqliteWriter.ts": "What a transaction throws becomes its result.",
  "packages/storage-sqlite/src/ThreadConnection.ts": own
}

const registering = sources("packages").filter(
  ({ code, path }) => isPackageSource(path) && !path.startsWith("packages/testing/") && registrationsIn(code).length > 0
)

describe("callbacks outside of a fiber", () => {
  it("are guarded, or cannot throw for a reason that is written down", () => {
    expect(registering.length).toBeGreaterThan(30)
    const open = registering.filter(({ code, path }) => !isGuarded(code) && unguarded[path] === undefined)
    expect(findings(open, ({ code }) => registrationsIn(code))).toEqual([])
  })

  it("have no reason where there is none, or where they are guarded", () => {
    const needed = registering.filter(({ code }) => !isGuarded(code)).map(({ path }) => path)
    expect(Object.keys(unguarded).filter((path) => !needed.includes(path))).toEqual([])
  })

  it("that are registered are found", () => {
    expect(registrationsIn('socket.on(\n "message", read)')).not.toEqual([])
    expect(registrationsIn("setTimeout(() => read(), 5)")).not.toEqual([])
    expect(registrationsIn("outbox.on(name, read)")).toEqual([])
  })
})
