/** Kinds of columns. The row types of the code and the codec of both databases derive from them. */
import { Instant } from "@trunkline/core/storage"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/**
 * - `text`    strings, ids and enumerations
 * - `int`     numbers that fit a double, whole ones but where the table says `real`
 * - `big`     64-bit integers: nano-credits
 * - `bool`    0 and 1 on SQLite
 * - `json`    arrays and objects, kept as their text on both: jsonb would give an object's keys back in another order
 * - `bytes`   bytes
 * - `instant` UTC milliseconds in a 64-bit column, in the code a branded number
 */
export type Kind = "text" | "int" | "big" | "bool" | "json" | "bytes" | "instant"

export interface Column<A, Nullable extends boolean = boolean> {
  readonly kind: Kind
  readonly nullable: Nullable
  readonly "~value"?: A
}

const column = <A>(kind: Kind): Column<A, false> => ({ kind, nullable: false })

export const text = <A extends string = string>() => column<A>("text")
export const int = () => column<number>("int")
export const big = () => column<bigint>("big")
export const bool = () => column<boolean>("bool")
export const json = <A extends object>() => column<A>("json")
export const bytes = () => column<Uint8Array>("bytes")
export const instant = <A extends Instant.Instant>() => column<A>("instant")

export const nullable = <A>(of: Column<A, false>): Column<A | null, true> => ({ kind: of.kind, nullable: true })

/** What a field may hold, null apart; an enumeration is one literal after the other. */
const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : SchemaAST.isNull(ast) ? [] : [ast]

/** The kind of a value; null for what no column can hold. */
const kindOfValue = (value: SchemaAST.AST): Kind | null => {
  if (SchemaAST.isLiteral(value)) return typeof value.literal === "string" ? "text" : null
  if (SchemaAST.isString(value)) return "text"
  if (SchemaAST.isBoolean(value)) return "bool"
  if (SchemaAST.isBigInt(value)) return "big"
  if (SchemaAST.isNumber(value)) return value.annotations?.[Instant.mark] === true ? "instant" : "int"
  return SchemaAST.isObjects(value) || SchemaAST.isArrays(value) ? "json" : null
}

/** All values of a field have one kind. */
const kindOfField = (name: string, { ast }: Schema.Constraint): Kind => {
  const [kind, ...others] = new Set(membersOf(SchemaAST.toType(ast)).map(kindOfValue))
  if (kind === undefined || kind === null || others.length > 0) throw new Error(`no column can hold ${name}`)
  return kind
}

/** The columns of an entity that its room describes with a schema: one for each field. */
export const columnsOf = <F extends Schema.Struct.Fields>({ fields }: { readonly fields: F }) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        kind: kindOfField(name, field),
        nullable: SchemaAST.isUnion(field.ast) && field.ast.types.some(SchemaAST.isNull)
      }
    ])
  ) as { readonly [K in keyof F]: Column<F[K]["Type"], null extends F[K]["Type"] ? true : false> }

export type Columns = Readonly<Record<string, Column<unknown>>>

export type Row<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer A, boolean> ? A : never }

/**
 * The kind of every column by its name in the code. One name means one kind in all tables, so that a result can be read
 * by its column names alone, whatever it was selected from.
 */
export const kindsByName = (tables: Readonly<Record<string, Columns>>): ReadonlyMap<string, Kind> => {
  const kinds = new Map<string, Kind>()
  for (const [table, columns] of Object.entries(tables)) {
    for (const [name, { kind }] of Object.entries(columns)) {
      const known = kinds.get(name)
      if (known !== undefined && known !== kind)
        throw new Error(`column ${table}.${name} is ${kind}, elsewhere ${known}`)
      kinds.set(name, kind)
    }
  }
  return kinds
}
