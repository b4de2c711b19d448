/** Options of the simulator: how fast its time runs, and what callees say. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { calleeAudio } from "./CalleeAudio.ts"

/** Settings as a host writes them. Source: docs/reference/telephony.md#simulator. */
export interface SimulatorOptions {
  /** Divides all times of the network: 1 by default, at least 0.001. All processes on one database must use the same. */
  readonly speed?: number | undefined
  /** The content of a WAV file: what a callee says to an agent where nobody speaks for it on a socket. Default: nothing. */
  readonly calleeAudio?: Uint8Array | undefined
}

/** The same settings, checked and complete. */
export interface SimulatorSettings {
  readonly speed: number
  /** As a telephone line carries it. */
  readonly calleeAudio: Uint8Array | null
}

/** Settings that cannot work; every fault is named at once. */
export class InvalidSimulatorOptions extends Schema.TaggedError<InvalidSimulatorOptions>()("InvalidSimulatorOptions", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `simulator: ${this.problems.join("; ")}`
  }
}

/** Below it one ringing would take longer than a day's work, and ends would leave what a timestamp can carry. */
export const minSpeed = 0.001

const Options = Schema.Struct({
  speed: Schema.optional(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(minSpeed))),
  calleeAudio: Schema.optional(Schema.Uint8Array)
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options and fills in what was left out. */
export const settingsOf = (options: SimulatorOptions): Result.Result<SimulatorSettings, InvalidSimulatorOptions> =>
  Result.flatMap(
    Result.mapError(
      decode(options, { errors: "all", onExcessProperty: "error" }),
      ({ issue }) =>
        new InvalidSimulatorOptions({
          problems: explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)
        })
    ),
    ({ calleeAudio: file, speed = 1 }) =>
      Result.map(file === undefined ? Result.succeed(null) : soundOf(file), (sound) => ({ speed, calleeAudio: sound }))
  )

const soundOf = (file: Uint8Array) =>
  Result.try({
    try: () => calleeAudio(file),
    catch: (error) =>
      new InvalidSimulatorOptions({
        problems: [
          `calleeAudio: expected a WAV file that can be read: ${error instanceof Error ? error.message : error}`
        ]
      })
  })
