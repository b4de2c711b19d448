import { defineConfig } from "vitest/config"

const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source", "node", "import", "module", "default"] } } }

export default defineConfig({
  ...source,
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "examples/*/test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
