/** What browsers get of the pages, as they are built. */
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { files } from "../BuiltFiles.ts"

const bytesOf = (base64: string | null): Buffer => Buffer.from(base64 ?? "", "base64")
const textOf = (name: string): string => bytesOf(files[name]?.bytes ?? "").toString()

const page = textOf("index.html")

describe("built pages", () => {
  it("are one page, and assets with the digest of their content in the name", () => {
    const assets = Object.keys(files).filter((name) => name !== "index.html")
    expect(assets.length).toBeGreaterThan(1)
    expect(assets.filter((name) => !/^assets\/[\w.-]+-[\w-]{8}\.(?:js|css|svg|woff2)$/.test(name))).toEqual([])
  })

  it("name each other by relative addresses alone", () => {
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address)
    expect(addresses).toContain("./theme.css")
    expect(addresses.filter((address) => !/^(?:\.\/|data:,$)/.test(address))).toEqual([])
    const missing = addresses.filter((one) => one.startsWith("./assets/") && files[one.slice(2)] === undefined)
    expect(missing).toEqual([])
  })

  // Verifies: B-106.
  it("have no script, style or handler inside of the page", () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/i)
    const scripts = [...page.matchAll(/<script([^>]*)>([^<]*)/g)].map(([, attributes = "", text = ""]) => ({
      attributes,
      text
    }))
    expect(scripts.filter(({ attributes, text }) => text !== "" && !attributes.includes("application/json"))).toEqual(
      []
    )
    expect(scripts.filter(({ attributes }) => attributes.includes('id="settings"'))).toHaveLength(1)
  })

  // Verifies: B-109.
  it("have neither the name of their maker nor a source map", () => {
    expect(Object.keys(files).filter((name) => /trunkline|sourceMappingURL/i.test(`${name} ${textOf(name)}`))).toEqual(
      []
    )
  })

  it("are compressed beforehand, where that makes them smaller", () => {
    for (const [name, { brotli, gzip }] of Object.entries(files)) {
      expect(brotliDecompressSync(bytesOf(brotli)).toString(), name).toBe(textOf(name))
      // A file of a hundred bytes is one that gzip does not make smaller.
      if (gzip !== null) expect(gunzipSync(bytesOf(gzip)).toString(), name).toBe(textOf(name))
      if (textOf(name).length > 1000) expect(bytesOf(brotli).length, name).toBeLessThan(bytesOf(gzip).length)
    }
  })
})
