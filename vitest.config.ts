import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { givenServer } from "./test/EmbeddedPostgres.ts"
import { LongestFirst } from "./test/LongestFirst.ts"

/** Known once the packages are built, as they are before all tests are run; a file alone needs no more than one worker. */
const { isTooSlow } = await import("@trunkline/testing/slow-machine").catch(() => ({ isTooSlow: () => false }))

/** Tests that measure the event loop: they run after all others, one at a time, or they would measure their neighbours. */
const measured = ["packages/storage-sqlite/test/writer.test.ts", "**/*.measured.test.ts"]

/** Tests that need a Postgres server: they run in a project of their own, so that nothing else has to wait for one. */
const postgres = ["packages/storage-postgres/test/**/*.test.ts", "**/*.postgres.test.ts"]

/** Tests that have a process to themselves: they leave threads and much memory in it, or count what is in it. */
const apart = [
  "packages/providers/test/embedded/{Embedded,ThreadEngine,sentences,spoken-english,telemetry}.test.ts",
  "packages/storage-sqlite/test/opening.test.ts"
]

const installed = "**/node_modules/**"

export default defineConfig({
  // Node itself gets these too: with "import" among them, a CommonJS package would be handed the ESM form of another.
  resolve: { conditions: ["@trunkline/source"] },
  ssr: { resolve: { conditions: ["@trunkline/source", "node"] } },
  test: {
    // A machine that other work slows down tenfold is no fault: these only end what hangs, and no test has a time of its own.
    // What must be fast is measured by the tests themselves.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
    // Left alone it would be one on a machine of two cores, and a worker often waits. Each worker compiles and optimizes the core for
    // itself, though, so that many of them cost more than they use. On a slow machine nobody waits, and tests beside each other would
    // only make each other late.
    maxWorkers: Math.max(isTooSlow() ? 3 : 4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // To import the core anew takes a second, and what has been optimized is lost: files of a project share processes.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "measured",
          include: measured,
          exclude: [installed],
          fileParallelism: false,
          isolate: true,
          sequence: { groupOrder: 2 },
          // Whatever else the machine does only adds to what is measured: the best of five runs counts.
          retry: 4
        }
      },
      {
        extends: true,
        test: {
          name: "unit",
          globalSetup: ["./test/Chunks.ts", "./test/ServerBundle.ts"],
          include: ["{packages,examples}/*/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [installed, ...postgres, ...measured, ...apart]
        }
      },
      {
        extends: true,
        test: { name: "apart", include: apart, exclude: [installed], isolate: true }
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: postgres,
          exclude: [installed],
          // What a transaction in one database has written is not read as an event while one that began earlier is open in
          // another database of the same server, and tests look at once: each worker has a server, or there is one worker.
          ...(givenServer() === undefined ? {} : { fileParallelism: false, sequence: { groupOrder: 1 } }),
          globalSetup: ["./test/EmbeddedPostgres.ts", "./test/ServerBundle.ts"]
        }
      }
    ]
  }
})
