/** Pieces that the contracts of several rooms are made of. */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { Entity, isLonger, isWritableJson, isZone, jsonFault } from "../kernel/index.ts"

/** A text whose length in Unicode code points lies between two bounds. */
export const text = (minimum: number, maximum: number): Schema.Codec<string, string> =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => {
        if (minimum > 0 && !isLonger(value, minimum - 1)) return `Expected at least ${minimum} characters`
        return !isLonger(value, maximum) || `Expected at most ${maximum} characters`
      },
      {
        representation: { id: "trunkline/text", payload: { minimum, maximum } },
        toJsonSchema: () => ({ minLength: minimum, maxLength: maximum })
      }
    )
  )

/** A value of at most `maxKib` KiB as JSON. */
export const json = <A, I>(of: Schema.Codec<A, I>, maxKib: number): Schema.Codec<A, I> =>
  of.check(
    Schema.makeFilter((value: A) => jsonFault(value, maxKib) ?? true, {
      representation: { id: "trunkline/json", payload: { maxKib } },
      toJsonSchema: () => ({ "x-max-bytes": maxKib * 1024 })
    })
  )

/** A name: not empty, and not of white space alone. An empty one has its sentence from its length. */
export const name = (maximum: number): Schema.Codec<string, string> =>
  text(1, maximum).check(
    Schema.makeFilter((value: string) => value === "" || value.trim() !== "" || "Expected more than white space")
  )

/** What a list is searched for: a part of a text, without the blanks around it. Source: docs/reference/http-conventions.md#search. */
export const search: Schema.Codec<string, string> = Schema.String.check(
  Schema.makeFilter(
    (value: string) => {
      const text = value.trim()
      if (text === "") return "Expected at least 1 character"
      return !isLonger(text, maxSearchLength) || `Expected at most ${maxSearchLength} characters`
    },
    { representation: { id: "trunkline/search", payload: {} }, toJsonSchema: () => ({ minLength: 1 }) }
  )
)

const maxSearchLength = 100

/** One of the names, or several with commas between them; `namesIn` reads it. */
export const names = (known: ReadonlyArray<string>): Schema.Codec<string, string> =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) =>
        value.split(",").every((name) => known.includes(name)) || `Expected one or more of ${known.join(", ")}`,
      {
        representation: { id: "trunkline/names", payload: { known } },
        toJsonSchema: () => ({ pattern: `^(${known.join("|")})(,(${known.join("|")}))*$` })
      }
    )
  )

/** The names of a field that `names` has checked. */
export const namesIn = <Name extends string>(value: string): ReadonlyArray<Name> => value.split(",") as Array<Name>

export const integer = (minimum: number, maximum: number): Schema.Codec<number, number> =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A field that may be left out, and for which null means the same. */
export const optional = <S extends Schema.Constraint>(of: S): Schema.optionalKey<Schema.NullOr<S>> =>
  Schema.optionalKey(isNullable(of.ast) ? (of as never) : Schema.NullOr(of))

/** The same of every field of an object. */
export const allOptional = <F extends Readonly<Record<string, Schema.Constraint>>>(
  fields: F
): { readonly [K in keyof F]: Schema.optionalKey<Schema.NullOr<F[K]>> } => Entity.mapValues(fields, optional) as never

/** The IANA name of a time zone. */
export const zone: Schema.Codec<string, string> = Schema.String.check(
  Schema.makeFilter((name: string) => isZone(name) || "Expected the IANA name of a time zone, such as Asia/Kolkata", {
    representation: { id: "trunkline/zone", payload: {} },
    toJsonSchema: () => ({ maxLength: 100 })
  })
)

/** Anything that JSON can write. `Schema.Unknown` is checked as such too, by a walk that takes ten times as long. */
const anyJson: Schema.Codec<unknown> = Schema.Any.check(
  Schema.makeFilter((value: unknown) => isWritableJson(value) || "Expected JSON value", {
    representation: { id: "trunkline/any-json", payload: {} },
    toJsonSchema: () => ({})
  })
)

/** The fields of a body that are passed on as they are. */
export const others = [Schema.Record(Schema.String, anyJson)] as const

const isNullable = (ast: SchemaAST.AST): boolean => SchemaAST.isUnion(ast) && ast.types.some(SchemaAST.isNull)

/** Maximum page size and offset of a list, and the page size where none is asked for. */
export interface PageLimits {
  readonly limit: number
  readonly standard: number
  readonly offset: number
}

/** Bounds of a list's page. */
export const page = (limits: PageLimits) => ({
  limit: Schema.optionalKey(integer(1, limits.limit).annotate({ default: limits.standard } as never)),
  offset: Schema.optionalKey(integer(0, limits.offset))
})

/** A body that may be absent altogether. */
export const optionalBody = <S extends Schema.Constraint>(of: S) => Schema.UndefinedOr(of)

/** Drops fields that are null: where a field is only made, null says that it is absent. */
export const withoutNulls = <T extends object>(record: T): { [K in keyof T]: Exclude<T[K], null> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as {
    [K in keyof T]: Exclude<T[K], null>
  }
