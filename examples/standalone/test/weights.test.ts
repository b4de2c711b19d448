/** The image and its compose file: what the engine fetches outlives a container. Source: docs/reference/operations.md#docker. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8")

it("the weights of the embedded engine are in a volume, which compose names, of the user that the server runs as", () => {
  const image = read("Dockerfile")
  const caches = /^ENV .*\bXDG_CACHE_HOME=(\S+)/m.exec(image)?.[1]
  expect(caches).toMatch(/^\/srv\/trunkline\/\w+$/)
  expect(image).toMatch(new RegExp(`^VOLUME .*"${caches}"`, "m"))
  expect(image).toMatch(/^RUN install -d -o node -m 700 data cache$/m)
  const compose = read("docker-compose.yml")
  const volume = new RegExp(`- (\\w+):${caches}\\n`).exec(compose)?.[1]
  expect(compose.slice(compose.lastIndexOf("\nvolumes:"))).toContain(`\n  ${volume}: {}`)
})

it("recordings outlive a container too, settings have a file, and both services start again with the machine", () => {
  const compose = read("docker-compose.yml")
  const named = compose.slice(compose.lastIndexOf("\nvolumes:"))
  expect(compose).toContain("- data:/srv/trunkline/data\n")
  expect(named).toContain("\n  data: {}")
  const [, file] = /TRUNKLINE_CONFIG: (\S+)/.exec(compose) ?? []
  expect(compose).toContain(`- ./config.json:${file}:ro\n`)
  expect(JSON.parse(read("config.json"))).toEqual({})
  expect(compose.match(/\n {4}restart: unless-stopped\n/g)).toHaveLength(2)
})
