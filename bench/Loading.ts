/**
 * What a host pays before its first request: the time to load the built core, and what the process holds then. Each measurement is a
 * process of its own; variants take turns.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { type Figure, progress, report } from "./Figures.ts"
import { median } from "./Rounds.ts"

const areas = ["gateway", "agents", "calling", "messaging", "webhooks", "voice"] as const

type Variant = "effect" | "core" | "all" | (typeof areas)[number]

const variants: ReadonlyArray<Variant> = ["effect", "core", ...areas, "all"]

const rounds = 9

/** Where the packages are found as a host finds them. */
const server = join(import.meta.dirname, "../packages/server")

// A storage that is none fails when it is opened: by then the areas are loaded, and the options are checked. Options that are
// refused would load the other areas too, for the names of theirs.
const programOf = (variant: Variant): string => {
  if (variant === "effect") {
    const modules = ["Effect", "Layer", "Schema", "ManagedRuntime", "http-api/HttpApi", "http-api/OpenApi"]
    return modules.map((name) => `await import("effect/${name}")`).join("\n")
  }
  if (variant === "core") return 'await import("@trunkline/core")'
  const chosen = variant === "all" ? "" : `, areas: [core.${variant}]`
  return `const core = await import("@trunkline/core")
const options = { storage: { kind: "storage" }, encryptionKey: "a key of at least 32 characters, to load"${chosen} }
const error = await core.createTrunkline(options).catch((error) => error)
if (error.code === "options_refused") throw error`
}

interface Loaded {
  readonly ms: number
  readonly mb: number
}

const loaded = (variant: Variant): Loaded => {
  const program = `const began = performance.now()
${programOf(variant)}
const ms = performance.now() - began
console.log(JSON.stringify({ ms, mb: process.memoryUsage().rss / 1e6 }))`
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: server,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" }
  })
  return JSON.parse(said)
}

const found = new Map<Variant, Array<Loaded>>(variants.map((variant) => [variant, []]))
for (let round = 0; round <= rounds; round++) {
  progress(`round ${round} of ${rounds}`)
  for (const variant of variants) {
    const one = loaded(variant)
    // The first round fills the caches of the disk.
    if (round > 0) found.get(variant)!.push(one)
  }
}

const of = (variant: Variant, what: keyof Loaded): number => median(found.get(variant)!.map((one) => one[what]))

const figure = (variant: Variant, maxMs: number, maxMb: number): ReadonlyArray<Figure> => [
  {
    what: `${variant}: loaded`,
    measured: `${Math.round(of(variant, "ms"))} ms, Effect's own modules ${Math.round(of("effect", "ms"))} ms`,
    judged: { value: of(variant, "ms") / 1000, bar: { atMost: maxMs / 1000 } }
  },
  {
    what: `${variant}: resident`,
    measured: `${Math.round(of(variant, "mb"))} MB, with Effect's own modules ${Math.round(of("effect", "mb"))} MB`,
    judged: { value: of(variant, "mb"), bar: { atMost: maxMb } }
  }
]

report([...figure("core", 450, 130), ...areas.flatMap((name) => figure(name, 400, 120)), ...figure("all", 780, 163)])
