/** What the portal is made of: files for browsers, and the module that carries them into whatever host there is. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { neutralBrand } from "@trunkline/core/effect"
import { describe, expect, it } from "vitest"

const pathOf = (name: string) => fileURLToPath(new URL(`../../src/webhooks/portal/${name}`, import.meta.url))
const read = (name: string) => readFileSync(pathOf(name), "utf8")

const [page, style, script] = [read("webhooks.html"), read("webhooks.css"), read("webhooks.js")] as const

/** The same text inside a template literal. */
const literal = (text: string) => `\`${text.replace(/[\\`]|\$\{/g, "\\$&")}\``

const module = `/**
 * The files of the portal as text, because the core reads no files. Made of those beside it, which are what is to be
 * changed; then \`vitest run PortalFiles --update\` writes this anew.
 */
export const page = ${literal(page)}

export const style = ${literal(style)}

export const script = ${literal(script)}
`

describe("the portal's files", () => {
  it("are in the core as they are", async () => {
    await expect(module).toMatchFileSnapshot("../../src/webhooks/portal/PortalFiles.ts")
    for (const text of [page, style, script]) expect(new Function(`return ${literal(text)}`)()).toBe(text)
  })

  it("have a script without errors of type", () => {
    const options =
      "--ignoreConfig --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess --moduleDetection force"
    const tsc = fileURLToPath(new URL("../../../../node_modules/.bin/tsc", import.meta.url))
    const target = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", ""]
    const { stdout } = spawnSync(tsc, [...options.split(" "), ...target, pathOf("webhooks.js")], { encoding: "utf8" })
    expect(stdout).toBe("")
  })

  it("load nothing from anywhere else, and have nothing that the policy forbids", () => {
    for (const text of [page, script, style]) {
      const urls = [...text.matchAll(/\b(?:https?:)?\/\/[\w.-]+\.\w+[^\s"')]*/g)].map(([url]) => url)
      expect(urls.filter((url) => new URL(url, "https://x").hostname !== "example.com")).toEqual([])
    }
    expect(page).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/)
    expect(page.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"', 'href="webhooks.css"', 'src="webhooks.js"'])
    expect(style).not.toMatch(/@import|url\(|@font-face/)
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function|localStorage|cookie/)
  })

  it("name no product", () => {
    for (const text of [page, script, style]) {
      expect(text).not.toMatch(/trunkline/i)
      expect(text).not.toContain(neutralBrand.keyPrefix)
    }
  })
})
