/** The server on a Postgres that breaks connections off while it starts: docs/reference/operations.md#start. Verifies: SERV-6. */
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"
import { cleanUp, folder, serve, stop } from "./Spawned.ts"

afterAll(cleanUp)

const reason = missing()

/** A proxy of a server that closes the first connections after given numbers of bytes of the server's answers. */
const breaking = (url: URL, cuts: ReadonlyArray<number>) => {
  const left = [...cuts]
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname)
    let most = left.shift() ?? Number.POSITIVE_INFINITY
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => [near, far].forEach((one) => void one.destroy()))
    }
    near.on("data", (chunk) => far.write(chunk))
    far.on("data", (chunk) => {
      most -= chunk.length
      if (most < 0) near.destroy()
      else near.write(chunk)
    })
  })
  return Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const through = new URL(url)
        through.hostname = "127.0.0.1"
        through.port = String((server.address() as { readonly port: number }).port)
        resume(Effect.succeed(through.href))
      })
    }),
    () =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )
}

describe.skipIf(reason !== null)(`a start on Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  // Verifies: D-264.
  it("begins again when its connections are broken off", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* database
          const through = yield* breaking(new URL(url), [0, 2000])
          const server = yield* Effect.promise(() => serve(folder(), { DATABASE_URL: through }))
          const lines = server.logged().trim().split("\n")
          expect(lines.filter((line) => line.includes("was cut off while the server started"))).toHaveLength(1)
          yield* Effect.promise(() => stop(server))
        })
      )
    ))
})
