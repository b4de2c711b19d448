/** Decodes what a host passes, with the schemas of the routes. What does not fit is one error with every failing field. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Feature } from "../platform/accounts/index.ts"
import * as Fields from "../platform/http/Fields.ts"
import { pageOf } from "../platform/http/Lists.ts"
import { faultsOf } from "../platform/http/SchemaFaults.ts"
import { Ids, isObject, isWritableJson, type Page } from "../platform/kernel/index.ts"
import type { InvalidField } from "./TrunklineError.ts"

/** One argument of a promise: what it decodes to, and what a host may pass. */
export interface Argument<A, Given> {
  readonly read: (given: unknown) => Result.Result<A, ReadonlyArray<InvalidField>>
  readonly given?: Given
  /** The id of the account that a method works for: the method is refused for one that moves to another installation, or has moved. */
  readonly mustBeHere?: true
  /** The account must have it: the method is refused as the routes are that do the same. */
  readonly feature?: Feature
}

/** What the arguments of a method decode to. */
export type Decoded<Args extends ReadonlyArray<Argument<unknown, unknown>>> = {
  [K in keyof Args]: Args[K] extends Argument<infer A, unknown> ? A : never
}

/** What a host passes to a method. */
export type Given<Args extends ReadonlyArray<Argument<unknown, unknown>>> = {
  [K in keyof Args]: Args[K] extends Argument<unknown, infer I> ? I : never
}

/** A field that is undefined is absent. */
const present = (given: unknown): unknown =>
  isObject(given) ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) : given

/** The fields of a record are named by themselves, everything else begins with the argument's name. */
const reading = <A>(schema: Schema.Codec<A, unknown>, name: string, isRecordArgument: boolean) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (given: unknown): Result.Result<A, ReadonlyArray<InvalidField>> =>
    Result.mapError(decode(given), ({ issue }) =>
      faultsOf(issue, name).map(({ loc, msg }) => ({
        path: isRecordArgument && loc.length > 1 ? loc.slice(1) : loc,
        message: msg
      }))
    )
}

/**
 * A schema whose given form is a type that is written out for hosts: a field that either of them lacks does not compile.
 */
export const given =
  <T extends object>() =>
  <A, I>(schema: Schema.Codec<A, I> & ([keyof I, T] extends [keyof T, I] ? unknown : never)): Schema.Codec<A, T> =>
    schema as unknown as Schema.Codec<A, T>

/** A value by itself, under the name that it has in the method's signature. */
export const argument = <A, I>(name: string, schema: Schema.Codec<A, I>): Argument<A, I> => ({
  read: reading(schema, name, false)
})

/** A list of records. */
export const records = <A, I>(
  name: string,
  schema: Schema.Codec<A, ReadonlyArray<I>>
): Argument<A, ReadonlyArray<I>> => {
  const read = reading(schema, name, false)
  return { read: (given) => read(Array.isArray(given) ? given.map(present) : given) }
}

/** A record, whose fields the caller knows by their own names. */
export const record = <A, I>(name: string, schema: Schema.Codec<A, I>): Argument<A, I> => {
  const read = reading(schema, name, true)
  return { read: (given) => read(present(given)) }
}

/** A record that may be omitted, such as the options at the end of a method. */
export const options = <A, I>(schema: Schema.Codec<A, I>, name = "options"): Argument<A, I | undefined> => {
  const read = reading(schema, name, true)
  return { read: (given) => read(given === undefined ? {} : present(given)) }
}

const isSignal = (given: unknown): given is AbortSignal =>
  typeof given === "object" &&
  given !== null &&
  "aborted" in given &&
  typeof given.aborted === "boolean" &&
  "throwIfAborted" in given &&
  typeof given.throwIfAborted === "function" &&
  "addEventListener" in given &&
  typeof given.addEventListener === "function"

/** Cancels the call. */
export const signal = {
  signal: Schema.optionalKey(Schema.declare(isSignal, { expected: "an AbortSignal" }))
}

export const callOptions = options(Schema.Struct(signal))

/** Options of a list, its filters among them. The page has the list's own size where none is asked for. */
export const listOptions = <A extends { readonly limit?: number; readonly offset?: number }, I>(
  schema: Schema.Codec<A, I>,
  { standard }: Fields.PageLimits
): Argument<A & Page, I | undefined> => {
  const { read } = options(schema)
  return { read: (given) => Result.map(read(given), (found) => ({ ...found, ...pageOf(found, standard) })) }
}

export const paged = (limits: Fields.PageLimits) =>
  listOptions(Schema.Struct({ ...Fields.page(limits), ...signal }), limits)

/** Pages of the operator's lists. */
export const operatorPages = paged({ limit: 500, standard: 100, offset: 1_000_000 })

const Writable = Schema.Unknown.check(
  Schema.makeFilter((given) => isWritableJson(given) || "Nested too deeply, or with a number that is out of range")
)

/** A value that can be written as JSON. */
export const json = Writable.pipe(Schema.decodeTo(Schema.Json))
export const jsonObject = Writable.pipe(Schema.decodeTo(Schema.JsonObject))

/** Any account: for what an operator looks at, and for what ends that is under way. */
export const anyAccountId = argument("accountId", Ids.schema<"Account">())

/** An account that works here: one that moves to another installation, or has moved, is refused. */
export const accountId: typeof anyAccountId = { ...anyAccountId, mustBeHere: true }

/** The same, with the feature of campaigns. */
export const campaignAccountId: typeof anyAccountId = { ...accountId, feature: "voiceCampaigns" }
