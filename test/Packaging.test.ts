/**
 * What users of npm get: each package is packed, unpacked beside nothing but what it declares, loaded by a plain Node and
 * type-checked by a plain consumer.
 */
import { execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { readdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import buildPages from "../packages/dashboard/BuildPages.ts"
import makeChunks from "./Chunks.ts"
import { foreignTypes } from "./Declarations.ts"
import { files, type Manifest, manifest, packages, read, root } from "./house/Sources.ts"

const run = promisify(execFile)
const bin = (name: string) => join(root, "node_modules", ".bin", name)

const home = mkdtempSync(join(tmpdir(), "trunkline-packages-"))
const unpacked = (name: string) => join(home, name)
const published = (name: string): Manifest => JSON.parse(readFileSync(join(unpacked(name), "package.json"), "utf8"))

/** Where npm has put a dependency of `folder`: beside it, where the root has another version, else at the root. */
const installed = (folder: string, name: string): string =>
  [folder, "."].map((base) => join(root, base, "node_modules", name)).find(existsSync) ?? ""

/** Makes `name` resolve below `home/<at>` to a package of ours as packed, or to what is installed for `folder`. */
const link = (at: string, name: string, folder = "."): void => {
  const path = join(home, at, "node_modules", name)
  mkdirSync(dirname(path), { recursive: true })
  const own = name.match(/^@trunkline\/(.+)/)?.[1]
  symlinkSync(own === undefined ? installed(folder, name) : unpacked(own), path, "dir")
}

/** Removes builds of sources that are gone: the compiler leaves them, and they would be packed. */
const removeStale = async (name: string): Promise<void> => {
  const folder = join(root, "packages", name)
  if (!existsSync(join(folder, "dist"))) return
  for (const file of await readdir(join(folder, "dist"), { recursive: true })) {
    const source = /^(.+?)(?:\.d)?\.(?:js|ts)(?:\.map)?$/.exec(file)?.[1]
    // Chunks.ts removes chunks of an earlier build, and BuildPages.ts has one module in its folder.
    if (source === undefined || file.startsWith("chunks") || file.startsWith("pages")) continue
    if (!existsSync(join(folder, "src", `${source}.ts`))) rmSync(join(folder, "dist", file))
  }
}

const pack = async (): Promise<void> => {
  await Promise.all(packages.map(removeStale))
  await run(bin("tsc"), ["-b", ...packages.map((name) => `packages/${name}`)], { cwd: root }).catch(
    (error: { readonly stdout: string }) => Promise.reject(new Error(error.stdout))
  )
  await makeChunks()
  await buildPages()
  await run(
    "npm",
    ["pack", "--silent", "--pack-destination", home, ...packages.flatMap((name) => ["-w", `packages/${name}`])],
    {
      cwd: root
    }
  )
  for (const name of packages) {
    await run("tar", ["-xzf", join(home, `trunkline-${name}-${manifest(`packages/${name}`).version}.tgz`), "-C", home])
    renameSync(join(home, "package"), unpacked(name))
  }
  for (const name of packages) {
    const { dependencies = {}, peerDependencies = {} } = published(name)
    for (const one of Object.keys({ ...dependencies, ...peerDependencies })) link(name, one, `packages/${name}`)
  }
}

/** Every entry point as a user writes it, with what its conditions lead to. */
const entries = packages.flatMap((name) => {
  const { exports = {} } = manifest(`packages/${name}`)
  return Object.entries(exports).map(([entry, conditions]) => ({
    name,
    specifier: `@trunkline/${name}${entry.slice(1)}`,
    conditions
  }))
})

beforeAll(pack)
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe("published packages", () => {
  it("share one version, one licence and one range of Node", () => {
    const { version } = manifest("packages/core")
    for (const name of packages) {
      const { dependencies = {}, ...rest } = published(name)
      expect(rest).toMatchObject({
        name: `@trunkline/${name}`,
        version,
        type: "module",
        license: "MIT",
        sideEffects: false,
        engines: { node: ">=22.19" }
      })
      for (const [one, range] of Object.entries(dependencies))
        if (one.startsWith("@trunkline/")) expect(`${name}: ${one} ${range}`).toBe(`${name}: ${one} ${version}`)
      expect(readFileSync(join(unpacked(name), "LICENSE"), "utf8"), name).toBe(read("LICENSE"))
    }
  })

  it("contain what their entries lead to", () => {
    const missing = entries.flatMap(({ name, specifier, conditions }) =>
      Object.entries(conditions)
        // The sources are for this repository, where nothing needs to be built before it runs.
        .filter(([condition, file]) => condition !== "@trunkline/source" && !existsSync(join(unpacked(name), file)))
        .map(([condition, file]) => `${specifier} ${condition} ${file}`)
    )
    const commands = packages.flatMap((name) =>
      Object.values(published(name).bin ?? {})
        .filter((file: string) => !existsSync(join(unpacked(name), file)))
        .map((file) => `${name} ${file}`)
    )
    expect([...missing, ...commands]).toEqual([])
  })

  // A condition that bundlers know, as `source` is, would lead them to what is not published.
  it("name types before code, and code under default, so that every tool finds both", () => {
    for (const { specifier, conditions } of entries)
      expect(`${specifier} ${Object.keys(conditions)}`).toBe(`${specifier} @trunkline/source,types,default`)
  })

  it("contain builds, declarations, their maps, sources, the documentation and nothing else", async () => {
    const expected =
      /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|dist\/.+\.(js|ts)(\.map)?|src\/.+\.(ts|json|css|html|js)|dist\/.+\.(json|html)|bin\/\w+\.js|docs\/(?:[\w-]+\/){0,2}[\w-]+\.(md|svg)|examples\/.+\.(ts|json|md|csv|html))$/
    for (const name of packages) {
      const all = await readdir(unpacked(name), { recursive: true, withFileTypes: true })
      const odd = all
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath, file.name).slice(unpacked(name).length + 1))
        .filter((path) => !path.startsWith("node_modules") && !expected.test(path))
      expect(odd, name).toEqual([])
    }
  })

  it("contain the sources that their maps lead to", async () => {
    for (const name of packages) {
      const all = await readdir(join(unpacked(name), "dist"), { recursive: true })
      const maps = all.filter((file) => file.endsWith(".map")).map((file) => join(unpacked(name), "dist", file))
      expect(maps.length).toBeGreaterThan(0)
      const lost = maps.flatMap((map) => {
        const { sourceRoot = "", sources } = JSON.parse(readFileSync(map, "utf8")) as {
          readonly sourceRoot?: string
          readonly sources: ReadonlyArray<string>
        }
        return sources.map((source) => join(dirname(map), sourceRoot, source)).filter((source) => !existsSync(source))
      })
      expect(lost, name).toEqual([])
    }
  })

  it("contain the documentation that they point at", async () => {
    const core = unpacked("core")
    const pages = (await readdir(join(core, "docs"), { recursive: true }))
      .filter((page) => page.endsWith(".md"))
      .map((page) => join(core, "docs", page))
    expect(pages.length).toBeGreaterThan(20)
    const prose = (page: string) => readFileSync(page, "utf8").replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, "")
    const broken = pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
        .filter(([, to = ""]) => !existsSync(join(dirname(page), to)))
        .map(([, to]) => `${basename(page)}: ${to}`)
    )
    expect(broken).toEqual([])
    for (const name of packages) {
      const named = [...readFileSync(join(unpacked(name), "README.md"), "utf8").matchAll(/`(docs\/[^`]+)`/g)]
      expect(
        named.flatMap(([, page = ""]) => (existsSync(join(core, page)) ? [] : [page])),
        name
      ).toEqual([])
    }
  })

  it("have a command that runs once they are installed", async () => {
    const command = join(unpacked("server"), String(Object.values(published("server").bin ?? {})))
    const { stdout } = await run(bin("node"), [command, "--version"])
    expect(stdout.trim()).toBe(published("server").version)
  })

  it("say which package is missing that only some hosts need", async () => {
    const bare = join(home, "bare", "node_modules")
    const needed = new Map<string, string>()
    for (const name of ["core", "client", "portal", "node"]) {
      cpSync(unpacked(name), join(bare, "@trunkline", name), {
        recursive: true,
        filter: (path) => basename(path) !== "node_modules"
      })
      const { dependencies = {} } = published(name)
      for (const one of Object.keys(dependencies).filter((one) => !one.startsWith("@trunkline/")))
        needed.set(one, `packages/${name}`)
    }
    for (const [one, from] of needed) link("bare", one, from)
    link("bare", "effect")
    writeFileSync(
      join(home, "bare", "audio.mjs"),
      `import { audioLength } from "@trunkline/node"\ntry { audioLength() } catch (error) { console.log(error.code, error.message) }`
    )
    const { stdout } = await run(bin("node"), ["audio.mjs"], { cwd: join(home, "bare") })
    expect(stdout).toMatch(/^audio_length_not_installed .*npm install mediabunny/)
  })

  it("load in a plain Node with nothing installed but what they declare", async () => {
    // The suites belong to a test runner, and are loaded by every test that runs them.
    const loaded = entries.filter(({ name }) => name !== "testing").map(({ specifier }) => specifier)
    const consumer = join(home, "consumer")
    for (const name of packages) link(basename(consumer), `@trunkline/${name}`)
    const program = `for (const one of ${JSON.stringify(loaded)})
      await import(one).then((module) => console.log(one, Object.keys(module).length), (error) => console.log(one, String(error)))`
    writeFileSync(join(consumer, "load.mjs"), program)
    const { stdout } = await run(bin("node"), ["load.mjs"], { cwd: consumer })
    const lines = stdout.trim().split("\n")
    expect(lines.filter((line) => !/^\S+ [1-9]\d*$/.test(line))).toEqual([])
    expect(lines).toHaveLength(loaded.length)
  })

  /** What the compiler says of an empty project with these files. */
  const compiled = async (
    consumer: string,
    resolution: { readonly module: string; readonly moduleResolution: string; readonly skipLibCheck: boolean },
    files: Readonly<Record<string, string>>
  ): Promise<string> => {
    // TypeScript's own declarations are none of ours: to check them too takes a second.
    const compilerOptions = { ...resolution, skipDefaultLibCheck: true, target: "es2024", strict: true, noEmit: true }
    const folder = join(home, consumer)
    for (const name of packages) link(consumer, `@trunkline/${name}`)
    link(consumer, "@types/node")
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`)
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
    // More checkers would each check what they share, beside other tests.
    const { stdout } = await run(bin("tsc"), ["-p", folder, "--checkers", "1"]).catch(
      (error: { readonly stdout: string }) => error
    )
    return stdout
  }

  const importing = (specifiers: ReadonlyArray<string>): string =>
    [
      ...specifiers.map(
        (specifier, at) =>
          `import * as m${at} from "${specifier}"\nexport const known${at}: IsAny<typeof m${at}> = false`
      ),
      "type IsAny<T> = 0 extends 1 & T ? true : false"
    ].join("\n")

  /** What the lines of a guide take from the reader's own program. */
  const readersOwn = [
    'import type { Trunkline } from "@trunkline/core"',
    "declare const core: Trunkline",
    "declare const customer: { readonly id: string; readonly name: string; readonly accountId: string }",
    "declare const database: { customers: { update: (id: string, change: { accountId: string }) => Promise<void> } }"
  ].join("\n")

  // All declarations are checked once, under the stricter resolution: what they import there, a bundler finds too.
  it.each([
    ["nodenext", "nodenext", false],
    ["esnext", "bundler", true]
  ])(
    "type-check with the lines of README and guides in an empty project (module %s, resolution %s)",
    async (module, moduleResolution, skipLibCheck) => {
      const consumer = `consumer-${moduleResolution}`
      for (const name of ["@types/express", "express", "fastify"]) link(consumer, name)
      const shown = ["README.md", ...files("docs/guides").filter((page) => page.endsWith(".md"))].flatMap((page) =>
        [...read(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""], at) => [
          `${page.replaceAll("/", "-")}-${at}.ts`,
          code.startsWith("import ") ? code : `${readersOwn}\n${code}`
        ])
      )
      expect(shown.length).toBeGreaterThan(4)
      const written = { "index.ts": importing(entries.map(({ specifier }) => specifier)), ...Object.fromEntries(shown) }
      expect(await compiled(consumer, { module, moduleResolution, skipLibCheck }, written)).toBe("")
    }
  )

  // A framework's types bring those of Node along, which a compiler does not read by itself.
  it("type-check in an empty project without a framework", async () => {
    const own = [
      "core",
      "client",
      "portal",
      "node",
      "providers",
      "storage-kysely",
      "storage-sqlite",
      "storage-postgres"
    ]
    const specifiers = entries.filter(({ name }) => own.includes(name)).map(({ specifier }) => specifier)
    const resolution = { module: "nodenext", moduleResolution: "nodenext", skipLibCheck: false }
    expect(await compiled("consumer-plain", resolution, { "index.ts": importing(specifiers) })).toBe("")
  })

  it("ask nobody who uses promises to know Effect", () => {
    const entry = join(unpacked("core"), "dist", "index.d.ts").replaceAll("\\", "/")
    expect(foreignTypes(entry).filter((type) => / : @?effect\b/.test(type))).toEqual([])
  })
})
