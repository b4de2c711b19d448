/** Options of the simulator: how fast its time runs. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** Settings as a host writes them. Source: docs/telephony.md#simulator. */
export interface SimulatorOptions {
  /** Divides all times of the network: 1 by default, at least 0.001. All processes on one database must use the same. */
  readonly speed?: number | undefined
}

/** Settings that cannot work; every fault is named at once. */
export class InvalidSimulatorOptions extends Schema.TaggedError<InvalidSimulatorOptions>()("InvalidSimulatorOptions", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `simulator: ${this.problems.join("; ")}`
  }
}

/** Below the minimum one ringing would take longer than a day's work, and ends would leave what a timestamp can carry. */
const Options = Schema.Struct({
  speed: Schema.optional(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0.001)))
})

const decode = Schema.decodeUnknownResult(Options)
const explain = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the options and answers the speed. */
export const speedOf = (options: SimulatorOptions): Result.Result<number, InvalidSimulatorOptions> =>
  Result.mapBoth(decode(options, { errors: "all", onExcessProperty: "error" }), {
    onFailure: ({ issue }) =>
      new InvalidSimulatorOptions({
        problems: explain(issue).issues.map(({ message, path }) => `${String(path?.[0])}: ${message}`)
      }),
    onSuccess: ({ speed }) => speed ?? 1
  })
