/** An entity is described once, by the fields of a `Schema.Struct`: its record on the wire is an explicit choice of them. Pure. */
import * as Schema from "effect/Schema"
import * as Wire from "./Wire.ts"

/** A part of an object, in the order of the names. */
export const pick = <T extends object, K extends keyof T>(whole: T, names: ReadonlyArray<K>): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<T, K>

/** An object with the same keys and other values. */
export const mapValues = <T extends object, A>(
  object: T,
  change: (value: T[keyof T], key: keyof T & string) => A
): { readonly [K in keyof T]: A } =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key as never)])) as never

/** One property of each value of an object. */
export const pluck = <T extends Readonly<Record<string, object>>, const P extends keyof T[keyof T]>(
  object: T,
  property: P
): { readonly [K in keyof T]: T[K][P & keyof T[K]] } => mapValues(object, (value) => value[property]) as never

/** How an entity is shown: a field that is not named here is in no answer. */
export const recordOf = <F extends Schema.Struct.Fields, const K extends keyof F & string>(
  { fields }: { readonly fields: F },
  exposed: ReadonlyArray<K>
) => {
  type Entity = Pick<Schema.Struct.Type<F>, K & keyof Schema.Struct.Type<F>>
  // Every row of every list comes through here, so names are looked up once.
  const names = exposed.map((name) => [name, Wire.snakeName(name)] as const)
  return {
    /** Under the names of the wire. */
    schema: Schema.Struct(Wire.toWire(pick(fields, exposed))),
    /** The record of an entity under the names of the wire. */
    toWire: (entity: Entity) => {
      const record: Record<string, unknown> = {}
      for (const [name, wireName] of names) record[wireName] = (entity as Readonly<Record<string, unknown>>)[name]
      return record as Wire.SnakeKeys<Entity>
    },
    /** The same under the names of the code, for promises. */
    shown: (entity: Entity) => pick(entity, exposed as never) as Entity
  }
}
