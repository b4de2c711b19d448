import { defineConfig } from "vitest/config"

/** Tests that need a Postgres server: they run in a project of their own, so that nothing else has to wait for one. */
const postgres = ["packages/storage-postgres/test/**/*.test.ts", "**/*.postgres.test.ts"]

export default defineConfig({
  // Node itself gets these too: with "import" among them, a CommonJS package would be handed the ESM form of another.
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source", "node"] } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...postgres]
        }
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: postgres,
          exclude: ["**/node_modules/**"],
          globalSetup: ["./test/EmbeddedPostgres.ts"]
        }
      }
    ]
  }
})
