/** What stands at the root of the server: docs/reference/http-conventions.md#root. */
import { createHash } from "node:crypto"
import { neutralBrand } from "@trunkline/core/testing"
import { describe, expect, it } from "vitest"
import { frontOf, frontPage, frontPolicy } from "../src/FrontPage.ts"

const vendor = { ...neutralBrand, name: 'A & "B"', url: "https://vendor.example/?a=1&b=2" }

describe("the root of the server", () => {
  // Verifies: D-286.
  it("names the service, its health, the API reference and the documentation", () => {
    expect(frontOf(neutralBrand, "ready")).toEqual({
      name: "Calling, messaging and inference",
      status: "ready",
      links: {
        reference: "/docs",
        openapi: "/openapi.json",
        health: "/readyz",
        documentation: "docs/guides/README.md"
      }
    })
    expect(frontOf(vendor, "not ready")).toMatchObject({
      name: 'A & "B"',
      status: "not ready",
      links: { documentation: "https://vendor.example/?a=1&b=2" }
    })
  })

  // Verifies: D-286.
  it("is a page that needs nothing else, whose policy allows its style alone", () => {
    const html = frontPage(neutralBrand, "not ready")
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(html) ?? []
    const hash = createHash("sha256").update(style).digest("base64")
    expect(frontPolicy).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
    expect(frontPolicy).not.toContain("unsafe")
    expect(html).not.toMatch(/<script| style=| on\w+=/)
    expect(html).toContain('This server is <a href="readyz">not ready</a>.')
    for (const path of ["docs", "openapi.json"]) expect(html).toContain(`<a href="${path}">`)
  })

  it("has the vendor's name and site, as text", () => {
    const html = frontPage(vendor, "ready")
    expect(html).toContain("<title>A &#38; &#34;B&#34;</title>")
    expect(html).toContain('<a href="https://vendor.example/?a=1&#38;b=2">')
    expect(html).not.toMatch(/trunkline/i)
  })
})
