/** Reads fields of JSON whose form is not known, and collects everything that is wrong with them. Pure. */
import { isLonger, isObject } from "../../platform/kernel/index.ts"
import type { JsonObject } from "./AgentSettings.ts"

/** The fault of a field. */
export interface FieldFault {
  /** Its path, such as `agent.think.functions.0.name`; empty for the whole. */
  readonly field: string
  /** A sentence that shows no value: it may be a secret. */
  readonly message: string
}

/** What a reading finds beside the values. */
export interface Findings {
  readonly faults: Array<FieldFault>
  /** Paths of fields that nobody has read. */
  readonly ignored: Array<string>
}

export const noFindings = (): Findings => ({ faults: [], ignored: [] })

/** All faults as one sentence. */
export const describeFaults = (faults: ReadonlyArray<FieldFault>): string =>
  faults.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`)).join("; ")

const below = (path: string, name: string | number): string => (path === "" ? String(name) : `${path}.${name}`)

/** The fields of one object. A field that is absent, null or wrong is undefined; a wrong one is a fault as well. */
export class GivenFields {
  readonly path: string
  readonly #fields: JsonObject
  readonly #findings: Findings
  readonly #read = new Set<string>()

  constructor(fields: JsonObject, path: string, findings: Findings) {
    this.path = path
    this.#fields = fields
    this.#findings = findings
  }

  /** Of a value that must be an object; undefined where it is none. */
  static of(value: unknown, path: string, findings: Findings): GivenFields | undefined {
    if (isObject(value)) return new GivenFields(value, path, findings)
    findings.faults.push({ field: path, message: "must be an object" })
    return undefined
  }

  /** The value of a field, of any type; null is undefined. */
  value(name: string): unknown {
    this.#read.add(name)
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined
  }

  /** Has effect elsewhere, or needs none: it is not reported as ignored. */
  skip(...names: ReadonlyArray<string>): void {
    for (const name of names) this.#read.add(name)
  }

  /** Reports every field that nobody has read as ignored. Called when all others have been. */
  ignoreRest(): void {
    for (const name of Object.keys(this.#fields)) {
      if (!this.#read.has(name)) this.#findings.ignored.push(below(this.path, name))
    }
  }

  fault(name: string, message: string): undefined {
    this.#findings.faults.push({ field: below(this.path, name), message })
    return undefined
  }

  text(name: string, { max = 10_000, min = 0 }: { readonly max?: number; readonly min?: number } = {}) {
    const must = `must be a text of ${min} to ${max} characters`
    const isRight = (value: unknown): value is string =>
      typeof value === "string" && value.length >= min && !isLonger(value, max)
    return this.#checked(name, isRight, must)
  }

  whole(name: string, min: number, max: number) {
    const isRight = (value: unknown): value is number => Number.isSafeInteger(value) && isBetween(value, min, max)
    return this.#checked(name, isRight, `must be a whole number from ${min} to ${max}`)
  }

  number(name: string, min: number, max: number) {
    const isRight = (value: unknown): value is number => isBetween(value, min, max)
    return this.#checked(name, isRight, `must be a number from ${min} to ${max}`)
  }

  flag(name: string) {
    return this.#checked(name, (value): value is boolean => typeof value === "boolean", "must be true or false")
  }

  oneOf<const A extends string | number>(name: string, words: ReadonlyArray<A>): A | undefined {
    const isRight = (value: unknown): value is A => words.includes(value as A)
    return this.#checked(name, isRight, `must be one of ${words.join(", ")}`)
  }

  object(name: string): GivenFields | undefined {
    const value = this.value(name)
    return value === undefined ? undefined : GivenFields.of(value, below(this.path, name), this.#findings)
  }

  /** The entries of a list, without those that are wrong. */
  list<A>(
    name: string,
    max: number,
    read: (value: unknown, path: string, findings: Findings) => A | undefined
  ): ReadonlyArray<A> | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    if (!Array.isArray(value) || value.length > max) return this.fault(name, `must be a list of at most ${max} entries`)
    const path = below(this.path, name)
    return value.flatMap((entry: unknown, nth) => read(entry, below(path, nth), this.#findings) ?? [])
  }

  /** A list of texts. */
  texts(name: string, max: number, maxLength: number): ReadonlyArray<string> | undefined {
    return this.list(name, max, (value, field, { faults }) => {
      if (typeof value === "string" && value.trim() !== "" && !isLonger(value, maxLength)) return value
      faults.push({ field, message: `must be a text of 1 to ${maxLength} characters` })
      return undefined
    })
  }

  #checked<A>(name: string, isRight: (value: unknown) => value is A, must: string): A | undefined {
    const value = this.value(name)
    if (value === undefined) return undefined
    return isRight(value) ? value : this.fault(name, must)
  }
}

const isBetween = (value: unknown, min: number, max: number): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= min && value <= max
