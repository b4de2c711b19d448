/** Wire names: the code speaks camelCase, requests and answers speak snake_case; this is where they meet. */

type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Uppercase<Head> ? (Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`) : Head}${Snake<Tail>}`
  : S

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

export type SnakeKeys<T> = { readonly [K in keyof T as K extends string ? Snake<K> : never]: T[K] }
export type CamelKeys<T> = { readonly [K in keyof T as K extends string ? Camel<K> : never]: T[K] }

const snakeNames = new Map<string, string>()
const camelNames = new Map<string, string>()

export const snakeName = (name: string): string => {
  let known = snakeNames.get(name)
  if (known === undefined) {
    known = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
    snakeNames.set(name, known)
  }
  return known
}

export const camelName = (name: string): string => {
  let known = camelNames.get(name)
  if (known === undefined) {
    known = name.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase())
    camelNames.set(name, known)
  }
  return known
}

/** The parts of a field's path, such as `config.functions.0.name`; numbers are places in lists. */
export const pathOf = (field: string): ReadonlyArray<string | number> =>
  field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part))

/** A record under its wire names. Shallow: what stands inside a field is left as it is. */
export const toWire = <T extends object>(record: T): SnakeKeys<T> => renamed(record, snakeName) as SnakeKeys<T>

/** A decoded request under the code's names. Shallow, and fields that were absent stay absent. */
export const fromWire = <T extends object>(record: T): CamelKeys<T> => renamed(record, camelName) as CamelKeys<T>

const renamed = (record: object, rename: (name: string) => string): object => {
  const out: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) out[rename(name)] = value
  return out
}
