/** The tools that everything else stands on: the Node that runs the tests, the lock file, one version of each library. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { installedWith, megabytesOf } from "../Installed.ts"
import { files, type Manifest, manifest, packageNameOf, packages, read, root, sources } from "./Sources.ts"

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly inBundle?: boolean
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(read("package-lock.json"))

/** The generator of the documentation's site is installed by `npm run docs` alone, from a lock file of its own. */
const site = "site"

const workspaces = files()
  .filter((path) => posix.basename(path) === "package.json" && path !== "package.json")
  .map(posix.dirname)
  .filter((folder) => folder !== site)

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

  it.for([".", site])(
    "the lock file of %s names no place to download from, and what each download must hash to",
    (folder) => {
      const { packages } = JSON.parse(read(`${folder}/package-lock.json`)) as typeof lock
      const installed = Object.entries(packages).filter(([path]) => path.includes("node_modules/"))
      const paths = (wrong: (one: Locked) => boolean) =>
        installed.filter(([, one]) => one.link !== true && wrong(one)).map(([path]) => path)
      expect(paths((one) => one.resolved !== undefined)).toEqual([])
      // What is inside of another download is hashed with it.
      expect(paths((one) => one.integrity === undefined && one.inBundle !== true)).toEqual([])
    }
  )

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
    const rows = read("docs/dependencies.md").replaceAll("\\|", "|").split("\n")
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

  it("docs/dependencies.md says how much npm installs beside each package", () => {
    const page = read("docs/dependencies.md")
    for (const [section, names, beside] of [
      ["core", ["core"], ["effect"]],
      ["node, adapter-express, adapter-fastify", ["node"], ["effect"]],
      ["server", ["server"], []]
    ] as const) {
      const said = new RegExp(`^## ${section}\n\nInstalls? (\\d+) packages, ([\\d.]+) MB`, "m").exec(page)
      const places = [...installedWith(names)].filter((place) => !beside.some((name) => place.endsWith(`/${name}`)))
      expect([section, Number(said?.[1])]).toEqual([section, places.length])
      const megabytes = places.reduce((sum, place) => sum + megabytesOf(place), 0)
      expect(Math.abs(Number(said?.[2]) - megabytes), `${section}: ${megabytes}`).toBeLessThan(0.1 * megabytes)
    }
  })

  it("no package brings a database client that it does not use, or types that all of a host's files would see", () => {
    // The suites come with their test runner, and nobody compiles against the server.
    const brought = packages
      .filter((name) => name !== "testing" && name !== "server")
      .flatMap((name) => [...installedWith([name])].map((place) => `${name}: ${place}`))
    expect(brought.filter((one) => /redis|node_modules\/@types\//.test(one))).toEqual([])
  })

  it("npm knows every setting of the repository's, and says nothing about the machine's Node", async () => {
    const env = { ...process.env, npm_config_userconfig: "/dev/null" }
    const ask = (...flags: ReadonlyArray<string>) =>
      promisify(execFile)("npm", ["pkg", "get", "name", ...flags], { cwd: root, env })
    expect((await ask("--loglevel=warn")).stderr).not.toContain("project config")
    expect((await ask()).stderr).toBe("")
    expect(read(".npmrc")).toMatch(/^loglevel=error$/m)
  })

  it("the command runs without a build, in whatever folder it is called", async () => {
    const { bin, version } = manifest("packages/server")
    const command = join(root, "packages/server", String(Object.values(bin ?? {})))
    expect(command).not.toContain("dist")
    expect(files("packages/server")).toContain(posix.join("packages/server", "bin/trunkline.js"))
    const { stdout } = await promisify(execFile)(process.execPath, [command, "--version"], { cwd: tmpdir() })
    expect(stdout.trim()).toBe(version)
  })

  it("the changesets release all packages together", () => {
    const { fixed } = JSON.parse(read(".changeset/config.json")) as {
      readonly fixed: ReadonlyArray<ReadonlyArray<string>>
    }
    expect(fixed).toEqual([["@trunkline/*"]])
    expect(existsSync(join(root, "LICENSE"))).toBe(true)
  })
})
