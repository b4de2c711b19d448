/** What the portal is made of: files for browsers, and the module that carries them as text. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { neutralBrand } from "@trunkline/core/effect"
import { css, html, js } from "@trunkline/portal"
import { describe, expect, it } from "vitest"
import { generated, source } from "../GenerateFiles.ts"

describe("the portal's files", () => {
  it("are generated from their sources", () => {
    expect(source("PortalFiles.ts") === generated(), "run: npm run generate").toBe(true)
    expect({ html, css, js }).toEqual({
      html: source("webhooks.html"),
      css: source("webhooks.css"),
      js: source("webhooks.js")
    })
  })

  it("have a script without type errors", () => {
    const options =
      "--ignoreConfig --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess --moduleDetection force"
    const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url))
    const target = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", ""]
    const script = fileURLToPath(new URL("../src/webhooks.js", import.meta.url))
    const { stdout } = spawnSync(tsc, [...options.split(" "), ...target, script], { encoding: "utf8" })
    expect(stdout).toBe("")
  })

  it("load nothing from anywhere else, and have nothing that the policy forbids", () => {
    for (const text of [html, js, css]) {
      const urls = [...text.matchAll(/\b(?:https?:)?\/\/[\w.-]+\.\w+[^\s"')]*/g)].map(([url]) => url)
      expect(urls.filter((url) => new URL(url, "https://x").hostname !== "example.com")).toEqual([])
    }
    expect(html).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/)
    expect(html.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"', 'href="webhooks.css"', 'src="webhooks.js"'])
    expect(css).not.toMatch(/@import|url\(|@font-face/)
    expect(js).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function|localStorage|cookie/)
  })

  it("name no product", () => {
    for (const text of [html, js, css]) {
      expect(text).not.toMatch(/trunkline/i)
      expect(text).not.toContain(neutralBrand.keyPrefix)
    }
  })
})
