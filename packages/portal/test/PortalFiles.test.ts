/** What the portal is made of: files for browsers, and the module that carries them as text. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { neutralBrand } from "@trunkline/core/testing"
import { css, html, js } from "@trunkline/portal"
import { english } from "@trunkline/portal/words"
import { describe, expect, it } from "vitest"
import { files, generated, source } from "../GenerateFiles.ts"

describe("the portal's files", () => {
  it("are generated from their sources", () => {
    expect(source("PortalFiles.ts") === generated(), "run: npm run generate").toBe(true)
    expect({ html, css, js }).toEqual(files())
  })

  it("have a script without type errors", () => {
    const options =
      "--ignoreConfig --noEmit --allowImportingTsExtensions --moduleResolution bundler --module esnext --allowJs --checkJs --strict --noUncheckedIndexedAccess --moduleDetection force"
    const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url))
    const target = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", ""]
    const script = fileURLToPath(new URL("../src/webhooks.js", import.meta.url))
    const { stdout } = spawnSync(tsc, [...options.split(" "), ...target, script], { encoding: "utf8" })
    expect(stdout).toBe("")
  })

  /** Texts of a script that a person would read: what begins with a capital, has several words, or ends as a sentence. */
  const labelsOf = (script: string): ReadonlyArray<string> =>
    [...script.matchAll(/(?:(class|"aria-describedby"): )?(?:"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/g)]
      .filter(([, attribute]) => attribute === undefined)
      .map(([, , quoted, template]) => quoted ?? template?.replace(/\$\{[^}]*\}/g, "{}") ?? "")
      .filter((text) => /^\p{Lu}\p{Ll}|[\p{L}}]\S* \p{L}|\p{L}.*[.!?…]$/u.test(text))

  // Verifies: E-70.
  it("say nothing of their own: every label and every sentence is in the catalogue, and everything in it is said", () => {
    const script = source("webhooks.js").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    expect(labelsOf(script).filter((text) => !["Bearer {}", "Enter", "Escape"].includes(text))).toEqual([])
    expect(labelsOf('h("p", { class: "box quiet" }, "Saved", "at any time", `{} left`, "done.")')).toHaveLength(4)
    const said = `${script}${source("webhooks.html")}`
    const isSaid = (key: string) => [`"${key}"`, `{${key}}`].some((word) => said.includes(word))
    expect(Object.keys(english).filter((key) => !isSaid(key.replace(/\.(one|other)$/, "")))).toEqual([])
    const shown = html.replace(/<!--[\s\S]*?-->|<[^>]*>/g, " ").match(/\S+/g)
    expect(shown).toEqual(["{page.title}", "{page.loading}", "{page.script}"])
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
