/**
 * What the compiler does not check of a new version of Effect stands in one table: docs/contributing.md#effect. An entry that nothing
 * needs any more fails as loudly as a use that is not in the table. What Effect marks as internal is in none of its declarations, so the
 * compiler refuses it. Verifies: ENGN-1.
 */
import { describe, expect, it } from "vitest"
import { effectInternals } from "../../packages/core/src/platform/http/engine/EffectInternals.ts"
import { type Exceptions, expectOnly } from "./Findings.ts"
import { isPackageSource, type Source, sources } from "./Sources.ts"

/**
 * Names that Effect documents for code outside of effects: what each does is what its form for effects does, and a version without the
 * name does not compile. So the name alone stands here, and not where it is used.
 */
const documented: Exceptions = {
  "Context.getUnsafe": "a service of which the types say that it is there",
  "Deferred.doneUnsafe": "what is awaited, told by a callback",
  "Deferred.makeUnsafe": "what is awaited, made by a callback",
  "FiberMap.hasUnsafe": "a look at what runs",
  "Headers.fromRecordUnsafe": "headers whose names Node has lower-cased",
  "HttpServerResponse.jsonUnsafe": "a body that is JSON already, and cannot fail",
  "Queue.offerUnsafe": "an entry that a callback adds",
  "Scope.makeUnsafe": "a scope of the product or of a test, which its owner closes",
  "Semaphore.makeUnsafe": "a place in turn, as a field of a class",
  addObserver: "a callback at a fiber's end",
  currentTimeMillisUnsafe: "the time, for code outside of effects, and part of every Clock",
  currentTimeNanosUnsafe: "part of every Clock",
  getRef: "a reference as the fiber has it",
  interruptUnsafe: "ends a fiber that nobody waits for",
  monotonicTimeNanosUnsafe: "part of every Clock",
  pollUnsafe: "whether a fiber has ended"
}

/** Ways past the types of Effect, or to the inside of its runtime. */
const ways: ReadonlyArray<RegExp> = [
  /(?:\b[A-Z]\w*\.)?\b\w+Unsafe\b/g,
  /(?<=\.)(?:setContext|getRef|addObserver|currentOpCount|currentDispatcher)\b/g,
  // A private annotation or property.
  /"~[^"]+"/g,
  // Something of ours that takes the type of one of Effect's functions.
  /\bas typeof [A-Z]\w*\.\w+/g,
  // One of Effect's functions that takes a type of ours.
  /\b[A-Z]\w*\.\w+ as(?= \()/g,
  // A name that Effect gives to something at run time, and a file behind its exports.
  /"@?effect\/[^"]*"/g
]

/** The text without its imports, and without the table, which names every part. */
const usingCode = ({ code }: Pick<Source, "code">): string =>
  code
    .replace(/\bfrom "@?effect\/(?![^"]*internal)[^"]*"/g, "")
    .replace(/^export const effectInternals\b[\s\S]*?^\}\n/m, "")

/** Keys with which the product marks types of its own. */
const ownKeys = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/\breadonly ("~[^"]+")/g)].map(([, key]) => key!)

const found = (code: string, own: ReadonlySet<string>): ReadonlyArray<string> => {
  const named = Object.keys(effectInternals).filter((part) => code.includes(part))
  const past = ways.flatMap((way) => [...code.matchAll(way)].map(([whole]) => whole))
  return [...new Set([...named, ...past])].filter((part) => !own.has(part))
}

const short = (path: string): string => path.replace(/^packages\/([^/]+)\/src\/(.*)\.ts$/, "$1/$2")

const product = sources("packages").filter(({ path }) => isPackageSource(path))
const own = new Set(product.flatMap(({ code }) => ownKeys(code)))
const used = product.flatMap((source) =>
  found(usingCode(source), own).map((part) => ({ part, file: short(source.path) }))
)

describe("parts of Effect that the compiler does not check", () => {
  it("are used where the table says so, and nowhere else", () => {
    const uses = used.filter(({ part }) => !(part in documented)).map(({ file, part }) => `${file}: ${part}`)
    const table = Object.entries(effectInternals).flatMap(([part, { files, why }]) =>
      files.map((file) => [`${file}: ${part}`, why] as const)
    )
    expectOnly(Object.fromEntries(table), uses)
  })

  it("are no names that Effect documents, each of which is still used", () => {
    const names = new Set(used.map(({ part }) => part))
    expect(Object.keys(documented).filter((name) => !names.has(name))).toEqual([])
    expect(Object.keys(documented).filter((name) => name in effectInternals)).toEqual([])
  })

  it("are found, however they are reached", () => {
    const parts = (code: string) => found(usingCode({ code }), new Set(['"~Id"']))
    expect(parts('import * as Core from "effect/internal/core"')).toEqual(['"effect/internal/core"'])
    expect(parts('import * as Effect from "effect/Effect"\ntype Id = string & { readonly "~Id": true }')).toEqual([])
    expect(parts('schema.ast.annotations["~httpApiStatus"]')).toEqual(['"~httpApiStatus"'])
    expect(parts("Context.addUnsafe(context, key, value)")).toEqual(["Context.addUnsafe"])
    expect(parts("context.mapUnsafe.get(key)")).toEqual(["mapUnsafe"])
    expect(parts("fiber.setContext(context)")).toEqual(["setContext"])
    expect(parts("serve as unknown as typeof HttpRouter.serve")).toEqual(["as typeof HttpRouter.serve"])
    expect(parts("const make = Effect.gen as (body: unknown) => unknown")).toEqual(["Effect.gen as"])
    expect(parts('id === "effect/schema/isInt"')).toEqual(['"effect/schema/isInt"'])
  })
})
