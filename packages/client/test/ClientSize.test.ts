/** What one area costs a page that uses it: docs/reference/client.md#size. */
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"

const areas = ["agents", "calling", "gateway", "messaging", "voice", "webhooks"]

const index = new URL("../src/index.ts", import.meta.url).pathname

const bundled = async (area: string): Promise<string> => {
  const entry = "\0page"
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) =>
          id === entry
            ? `import { ${area}, createClient } from ${JSON.stringify(index)}\nconsole.log(createClient({ url: "/", areas: [${area}] }))`
            : null
      }
    ]
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  return output[0].code
}

it.each(areas)("the area %s has at most 12 kB compressed, and nothing of the others", async (area) => {
  const code = await bundled(area)
  expect(gzipSync(code).byteLength).toBeLessThanOrEqual(12_000)
  expect(code.includes("/api/v1/voice-campaigns")).toBe(area === "calling")
  expect(code.includes("/v1/chat/completions")).toBe(area === "gateway")
})
