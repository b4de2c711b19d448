/** The tools that everything else stands on: the Node that runs the tests, the lock file, one version of each library. */
import { existsSync } from "node:fs"
import { join, posix } from "node:path"
import { describe, expect, it } from "vitest"
import { files, type Manifest, manifest, packageNameOf, packages, read, root, sources } from "./Sources.ts"

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(read("package-lock.json"))

const workspaces = files()
  .filter((path) => posix.basename(path) === "package.json" && path !== "package.json")
  .map(posix.dirname)

const wanted = ({ dependencies, devDependencies }: Manifest) => Object.entries({ ...dependencies, ...devDependencies })

describe("tools", () => {
  it("the tests run on the Node that the repository pins, whatever Node the machine has", () => {
    const pinned = read(".node-version").trim()
    expect(process.version).toBe(`v${pinned}`)
    expect(manifest(".").devDependencies?.node).toBe(pinned)
  })

  it("the tools that are installed are those that are pinned; if not, run npm ci", () => {
    const pinned = Object.entries(manifest(".").devDependencies ?? {})
    const installed = pinned.map(([name]) => [name, manifest(`node_modules/${name}`).version])
    expect(Object.fromEntries(installed)).toEqual(Object.fromEntries(pinned))
  })

  it("the lock file knows every workspace and what each asks for", () => {
    const missing = ["", ...workspaces].flatMap((folder) => {
      const locked = lock.packages[folder] as Manifest | undefined
      if (locked === undefined) return [folder]
      const asked = manifest(folder === "" ? "." : folder)
      return JSON.stringify(wanted(locked).sort()) === JSON.stringify(wanted(asked).sort()) ? [] : [folder]
    })
    expect(missing).toEqual([])
  })

  it("the lock file names no place to download from, and what each download must hash to", () => {
    const installed = Object.entries(lock.packages).filter(([path]) => path.includes("node_modules/"))
    const paths = (wrong: (one: Locked) => boolean) =>
      installed.filter(([, one]) => one.link !== true && wrong(one)).map(([path]) => path)
    expect(paths((one) => one.resolved !== undefined)).toEqual([])
    expect(paths((one) => one.integrity === undefined)).toEqual([])
  })

  it("every dependency is pinned, and one library has one version in all packages", () => {
    const versions = new Map<string, Set<string>>()
    for (const folder of [".", ...workspaces]) {
      for (const [name, version] of wanted(manifest(folder)))
        versions.set(name, (versions.get(name) ?? new Set()).add(version))
    }
    const all = [...versions].map(([name, found]) => ({ name, found: [...found] }))
    expect(all.filter(({ found }) => found.length > 1)).toEqual([])
    expect(
      all.filter(({ found }) => !found.every((version) => /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)))
    ).toEqual([])
  })

  it("every tool that the repository brings is used", () => {
    const { devDependencies = {}, scripts = {} } = manifest(".")
    const imported = new Set(
      sources().flatMap(({ imports }) => imports.map(({ specifier }) => packageNameOf(specifier)))
    )
    const commands = new Set(Object.values(scripts).flatMap((script) => script.split(/[\s;&]+/)))
    const isUsed = (name: string): boolean => {
      const typed = name.match(/^@types\/(.+)/)?.[1]
      const { bin } = manifest(`node_modules/${name}`)
      const names = typeof bin === "string" ? [posix.basename(name)] : Object.keys(bin ?? {})
      return typed === "node" || imported.has(typed ?? name) || names.some((one) => commands.has(one))
    }
    // Started by path, so that it can be handed a description to serve.
    const byPath = ["@stoplight/prism-cli"]
    expect(Object.keys(devDependencies).filter((name) => !isUsed(name) && !byPath.includes(name))).toEqual([])
  })

  it("every dependency has a row in docs/dependencies.md, with its version", () => {
    const rows = read("docs/dependencies.md").split("\n")
    const missing = [".", ...packages.map((name) => `packages/${name}`)].flatMap((folder) => {
      const asked = manifest(folder)
      const named = [...wanted(asked), ...Object.entries(asked.peerDependencies ?? {})]
      return named
        .filter(([name]) => !name.startsWith("@trunkline/"))
        .filter(([name, version]) => {
          const own = rows.filter((row) => row.includes(`\`${name}\``))
          return !own.some((row) => name.startsWith("@types/") || row.includes(version))
        })
        .map(([name, version]) => `${folder}: ${name} ${version}`)
    })
    expect(missing).toEqual([])
  })

  it("the changesets release all packages together", () => {
    const { fixed } = JSON.parse(read(".changeset/config.json")) as {
      readonly fixed: ReadonlyArray<ReadonlyArray<string>>
    }
    expect(fixed).toEqual([["@trunkline/*"]])
    expect(existsSync(join(root, "LICENSE"))).toBe(true)
  })
})
