/** The API's description in a host: docs/reference/embedding.md#reference. Verifies: NODE-14. */
import { createTrunkline, type Trunkline, type TrunklineOptions } from "@trunkline/core"
import { internalsOf } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterEach, describe, expect, it } from "vitest"
import { apiReference } from "../src/index.ts"

const open: Array<Trunkline> = []
afterEach(async () => {
  for (const core of open.splice(0)) await core.stop()
})

const make = async (options: Partial<TrunklineOptions>): Promise<Trunkline> => {
  const core = await createTrunkline({
    ...{ storage: sqlite(":memory:"), encryptionKey: "a key for the secrets of this test" },
    ...options
  })
  open.push(core)
  return core
}

const ask = (core: Trunkline, path: string, method = "GET") =>
  core.fetch(new Request(`https://host.example/phone${path}`, { method }), { path })

describe("a host that passes apiReference", () => {
  // Verifies: D-289.
  it("serves the description for its mount point, and a page that shows it and loads nothing from elsewhere", async () => {
    const core = await make({ reference: apiReference({ url: "/phone" }), brand: { name: "Acme" } })
    expect(core.matches("/docs") && core.matches("/openapi.json")).toBe(true)
    expect(internalsOf(core).patterns).toEqual(expect.arrayContaining(["/docs", "/openapi.json"]))
    const described = await ask(core, "/openapi.json")
    expect(described.headers.get("content-type")).toBe("application/json")
    expect(await described.json()).toEqual(JSON.parse(JSON.stringify(core.openapi({ url: "/phone" }))))
    const page = await ask(core, "/docs")
    expect(page.headers.get("x-request-id")).toMatch(/./)
    const policy = page.headers.get("content-security-policy")
    expect(policy).toMatch(/^default-src 'none'; .*connect-src 'self'; .*frame-ancestors 'none'$/)
    expect(policy).not.toContain("unsafe-eval")
    const html = await page.text()
    expect(html).toContain("<title>Acme API</title>")
    expect(html).toContain('"servers":[{"url":"/phone"}]')
    expect(html).not.toMatch(/<(script|link)[^>]+(src|href)="(https?:)?\/\//)
  })

  it("has the brand's logo, colour, font and terms, and loads its logo from the brand's address alone", async () => {
    const brand = {
      logo: "https://images.example.com/acme.png",
      licence: { name: "Acme's terms", url: "https://acme.example.com/terms" },
      theme: { accent: "#0a5c36", font: "Inter, system-ui", colorScheme: "dark" }
    } as const
    const core = await make({ reference: apiReference(), brand })
    const page = await ask(core, "/docs")
    const html = await page.text()
    expect(page.headers.get("content-security-policy")).toContain(
      "img-src 'self' data: blob: https://images.example.com;"
    )
    expect(html).toContain('<img class="brand-logo" src="https://images.example.com/acme.png" alt="" />')
    expect(html).toContain("--scalar-color-accent: #0a5c36")
    expect(html).toContain("--scalar-font: Inter, system-ui")
    expect(html).toContain('"forceDarkModeState":"dark"')
    const { info } = core.openapi() as { readonly info: Record<string, unknown> }
    expect(info.license).toEqual(brand.licence)
  })

  it("names no licence where the brand has none", async () => {
    const core = await make({ reference: apiReference() })
    expect(core.openapi()).toMatchObject({ info: expect.not.objectContaining({ license: expect.anything() }) })
  })

  it("answers other methods with those that are allowed", async () => {
    const core = await make({ reference: apiReference() })
    const { headers, status } = await ask(core, "/docs", "POST")
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  it("is refused with a mount point that is no URL, by the sentence that says what is one", async () => {
    await expect(make({ reference: apiReference({ url: "phone" }) })).rejects.toMatchObject({ code: "url_invalid" })
  })
})

it("without it both paths are the host's", async () => {
  const core = await make({})
  expect(core.matches("/docs") || core.matches("/openapi.json")).toBe(false)
})
