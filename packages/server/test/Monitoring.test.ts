/** Metrics on a port of their own, and what the page of the API says to browsers: docs/reference/operations.md#metrics. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type Running, serve } from "@trunkline/server"
import { afterAll, afterEach, expect, it, vi } from "vitest"
import { cleanUp, folder } from "./Spawned.ts"

const before = process.cwd()
const servers: Array<Running> = []

afterEach(async () => {
  vi.restoreAllMocks()
  for (const server of servers.splice(0)) await server.stop()
  process.chdir(before)
})
afterAll(cleanUp)

const started = async (environment: Readonly<Record<string, string>>, metrics?: object) => {
  const cwd = folder(200, metrics === undefined ? {} : { metrics })
  process.chdir(cwd)
  let printed = ""
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed += chunk
    return true
  })
  const server = await serve({
    TRUNKLINE_CONFIG: "config.json",
    DATABASE_URL: "sqlite::memory:",
    PORT: "0",
    ...environment
  })
  servers.push(server)
  return { url: server.url, metricsUrl: /^metrics on (\S+)$/m.exec(printed)?.[1] ?? null }
}

// Verifies: D-284.
it.each([
  ["METRICS_PORT", { METRICS_PORT: "0" }, undefined],
  ["metrics.port", {}, { port: 0 }]
])("%s moves the metrics to a port of their own, with the health of the process", async (_, environment, section) => {
  const { metricsUrl, url } = await started(environment, section)
  expect(metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  const metrics = await fetch(metricsUrl!)
  expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining("trunkline_workers_running 1")])
  for (const path of ["/healthz", "/readyz"]) {
    expect((await fetch(new URL(path, metricsUrl!))).status).toBe(200)
    expect((await fetch(url + path)).status).toBe(200)
  }
  for (const path of ["/docs", "/openapi.json", "/api/v1/bots", "/"]) {
    expect((await fetch(new URL(path, metricsUrl!))).status).toBe(404)
  }
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
  await servers.pop()!.stop()
  await expect(fetch(metricsUrl!)).rejects.toThrow()
})

it("shows metrics on its own port where no other is named", async () => {
  const { metricsUrl, url } = await started({})
  expect([metricsUrl, (await fetch(`${url}/metrics`)).status]).toEqual([null, 200])
})

it("says at the start which port of the metrics cannot be used", async () => {
  const other = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => other.once("listening", resolve))
  const { port } = other.address() as AddressInfo
  try {
    await expect(started({ METRICS_PORT: String(port) })).rejects.toThrow(/is in use: .*or set METRICS_PORT/)
    await expect(started({ METRICS_PORT: "http" })).rejects.toThrow(/METRICS_PORT must be a number/)
    await expect(started({ PORT: String(port), METRICS_PORT: String(port) })).rejects.toThrow(/another port than PORT/)
    await expect(started({}, { port: "8" })).rejects.toThrow(/metrics\.port/)
  } finally {
    other.close()
  }
})

// Verifies: D-284.
it("forbids browsers to guess what the page of the API is", async () => {
  const { url } = await started({})
  const page = await fetch(`${url}/docs`)
  expect(page.headers.get("x-content-type-options")).toBe("nosniff")
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
})
