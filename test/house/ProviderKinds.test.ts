/** A kind of provider is its folder and one line of the server's list, and costs nothing until it is used. Verifies: SETT-4. */
import { describe, expect, it } from "vitest"
import { type Exceptions, expectOnly, findings } from "./Findings.ts"
import { type Import, type Source, sources } from "./Sources.ts"

const all = sources("packages")
const byPath = new Map(all.map((source) => [source.path, source]))
const kinds = all.filter(({ path }) => /^packages\/providers\/src\/[^/]+\/\w+Kind\.ts$/.test(path))

/** `web-chat`, `web_chat`, `webChat` and `WebChat` for the folder `web-chat`. */
const words = kinds.map(({ path }) => path.split("/").at(-2)!.replaceAll("-", "[-_]?"))

describe("kinds of providers", () => {
  it("are named by no file of the server but its list", () => {
    const server = all.filter(({ path }) => path.startsWith("packages/server/src/"))
    const callee = "`trunkline call` speaks for a callee, and only the simulator has callees that can be spoken for"
    const engine = "the engine on this machine stands in for upstreams, and finds speech on lines"
    const exceptions: Exceptions = {
      "packages/server/src/CalleeClient.ts: simulator": callee,
      "packages/server/src/CalleeSound.ts: simulator": callee,
      "packages/server/src/Cli.ts: embedded": engine,
      "packages/server/src/Cli.ts: simulator": callee,
      "packages/server/src/Metrics.ts: openai": "a path of the API begins so",
      "packages/server/src/StandInEngine.ts: embedded": engine,
      "packages/server/src/StartLines.ts: embedded": engine,
      "packages/server/src/commands/CallCommand.ts: simulator": callee,
      "packages/server/src/commands/ModelCommands.ts: embedded": engine
    }
    const found = findings(server, ({ code, path }) =>
      path.endsWith("/ProviderKinds.ts")
        ? []
        : [...code.matchAll(new RegExp(words.join("|"), "gi"))].map(([word]) => word.toLowerCase())
    )
    expectOnly(exceptions, found)
  })

  it("stand in the list of the server, all of them", () => {
    const list = byPath.get("packages/server/src/ProviderKinds.ts")!
    const imported = list.imports.flatMap(({ values }) => values)
    const exported = kinds.flatMap(({ code }) =>
      [...code.matchAll(/^export const (\w+Kind) /gm)].map(([, name]) => name)
    )
    expect(imported.toSorted()).toEqual(exported.toSorted())
  })

  it("are known before their clients are loaded", () => {
    /** Packages and modules of Node that their checks need. */
    const light = /^(@trunkline\/core\/(provider|audio)|effect\/\w+|node:(os|path))$/
    const atOnce = ({ code, imports }: Source): ReadonlyArray<Import> =>
      imports.filter(({ specifier, values }) => values.length > 0 && !code.includes(`import("${specifier}")`))
    const reached = new Map<string, Source>()
    const visit = (source: Source): void => {
      if (reached.has(source.path)) return
      reached.set(source.path, source)
      for (const { file } of atOnce(source)) if (file !== null) visit(byPath.get(file)!)
    }
    for (const kind of kinds) visit(kind)
    const found = findings([...reached.values()], (source) =>
      atOnce(source).flatMap(({ file, specifier }) => (file === null && !light.test(specifier) ? [specifier] : []))
    )
    expectOnly({}, found)
  })
})
