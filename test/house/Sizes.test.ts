/** Functions and ports of a size that one can hold in mind. What is larger today is listed with its size, and may only shrink. */
import { describe, expect, it } from "vitest"
import { isPackageSource, sources } from "./Sources.ts"
import { functionsOf, portsOf } from "./Syntax.ts"

/** Lines of a function, without the functions inside it. */
const maxLines = 40
/** Members of a service. */
const maxVerbs = 12

type Sizes = Readonly<Record<string, number>>

/** Functions that are longer today, with their lines rounded up to tens. */
const longFunctions: Sizes = {
  "providers/cloud-api/CloudApiClient: makeClient": 50,
  "testing/http/CompatibleSendSuite: compatibleSendSuite": 70,
  "testing/http/EmailWebhookSuite: delivers the events of a subscription in the form of emails, signed, and logs them": 50,
  "testing/http/EmailWebhookSuite: emailWebhookSuite": 50,
  "testing/http/FieldSuite: answers 201 when one record is created, 204 when it is removed, and 200 otherwise": 50,
  "testing/http/InferenceEnvelopeSuite: answers at its edge before authentication: in the envelope, with the request's id, and without the key's figures": 50,
  "testing/http/InferenceEnvelopeSuite: inferenceEnvelopeSuite": 60,
  "testing/http/MessagingRoutesSuite: have the messages of a customer and the number, and the end of the reply window": 60,
  "testing/http/MountSuite: runs inference under a prefix, uploads, streams of rows and refusals included: %j": 50,
  "testing/http/PlatformWebhookSuite: platformWebhookSuite": 90,
  "testing/http/SpeechSuite: speechSuite": 70,
  "testing/http/VoiceSessionSuite: voiceSessionSuite": 50,
  "testing/messaging/FakePlatform: startFakePlatform": 70,
  "testing/scenarios/Stage: start": 50,
  "testing/storage/IdempotencySuite: follow": 60,
  "testing/storage/UsageSuite: the usage log is read by every filter, newest first, page by page and row by row": 90,
  "testing/storage/UsageSuite: usage": 70,
  "testing/storage/UsageSuite: what was charged, counted and logged are one transaction, and a second end does nothing": 50
}

/** Services with more members today. */
const largePorts: Sizes = {}

const own = sources("packages").filter(({ path }) => isPackageSource(path))

const short = (path: string): string =>
  path
    .replace(/^packages\//, "")
    .replace("/src/", "/")
    .replace(/\.ts$/, "")

/** The largest size of each name that is over the limit. */
const over = (limit: number, sizes: ReadonlyArray<readonly [string, number]>): Sizes => {
  const found: Record<string, number> = {}
  for (const [name, size] of sizes) if (size > limit) found[name] = Math.max(size, found[name] ?? 0)
  return found
}

/** Fails on what is too large and not listed, on what has grown, and on a row that nothing needs any more. */
const expectListed = (listed: Sizes, found: Sizes): void =>
  expect({
    tooLarge: Object.entries(found).filter(([name, size]) => size > (listed[name] ?? 0)),
    needlessRows: Object.keys(listed).filter((name) => !(name in found))
  }).toEqual({ tooLarge: [], needlessRows: [] })

describe("sizes", () => {
  it(`a function has at most ${maxLines} lines, without those of the functions inside it`, () => {
    const sizes = own.flatMap(({ path, text }) =>
      functionsOf(text).map(({ lines, name }) => [`${short(path)}: ${name}`, lines] as const)
    )
    expect(sizes.length).toBeGreaterThan(3000)
    expectListed(longFunctions, over(maxLines, sizes))
  })

  it(`a service has at most ${maxVerbs} members`, () => {
    const sizes = own.flatMap(({ path, text }) =>
      portsOf(text).map(({ name, verbs }) => [`${short(path)}: ${name}`, verbs] as const)
    )
    expect(sizes.length).toBeGreaterThan(80)
    expectListed(largePorts, over(maxVerbs, sizes))
  })

  it("are counted as they are read", () => {
    const inner = "  const inner = () => {\n    one()\n    two()\n  }\n"
    expect(functionsOf(`const outer = () => {\n${inner}  inner()\n}\n`)).toEqual([
      { name: "inner", lines: 4 },
      { name: "outer", lines: 3 }
    ])
    expect(functionsOf('it("is short", () => {\n  xs.map((x) => x.id)\n})\n')).toEqual([
      { name: "is short", lines: 1 },
      { name: "is short", lines: 3 }
    ])
    const port = "class P extends Context.Service<P, { readonly a: () => void; readonly b: number }>()('P') {}"
    expect(portsOf(port)).toEqual([{ name: "P", verbs: 2 }])
    expect(portsOf("interface S { a: 1; b: 2 }\nclass P extends Context.Service<P, S>()('P') {}")).toEqual([
      { name: "P", verbs: 2 }
    ])
  })
})
