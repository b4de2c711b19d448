import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** Tests that measure the event loop: they run after all others, one at a time, or they would measure their neighbours. */
const measured = ["packages/storage-sqlite/test/{bulk,writer}.test.ts", "**/*.measured.test.ts"]

/** Tests that need a Postgres server: they run in a project of their own, so that nothing else has to wait for one. */
const postgres = ["packages/storage-postgres/test/**/*.test.ts", "**/*.postgres.test.ts"]

export default defineConfig({
  // Node itself gets these too: with "import" among them, a CommonJS package would be handed the ESM form of another.
  resolve: { conditions: ["@trunkline/source"] },
  ssr: { resolve: { conditions: ["@trunkline/source", "node"] } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Left alone it would be one on a machine of two cores, and many tests mostly wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: "measured",
          include: measured,
          exclude: ["**/node_modules/**"],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          // Whatever else the machine does only adds to what is measured: the best of five runs counts.
          retry: 4
        }
      },
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...postgres, ...measured]
        }
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: postgres,
          exclude: ["**/node_modules/**"],
          // One server for all: what a transaction in one database has written is not read as an event while one that began
          // earlier is open in another, and tests look at once.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          globalSetup: ["./test/EmbeddedPostgres.ts"]
        }
      }
    ]
  }
})
