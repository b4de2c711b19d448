/**
 * The words in which an option is written once: its type, its default, its bounds. The typed options of a host, the keys of a
 * configuration file, the check of both and the reference of the keys are read from it. Pure.
 */

declare const type: unique symbol

/** An option whose value is an `A`. */
export interface Setting<out A> {
  /** A type without a value. */
  readonly [type]?: A
  readonly form: Form
}

/** The facts of an option: for the functions of this room, and for the reference. */
export interface Form {
  /** What a right value is. It goes on after the option's name: `must be true or false`. */
  readonly must: string
  /** Why a value cannot be used, as a sentence that goes on after the name; null for one that can be. */
  readonly faultOf: (value: never) => string | null
  /** Its value where a host gives none; undefined where there is none, or where other options decide. */
  readonly standard?: unknown
  /** Set for what cannot be left out: the sentence for a host that has done so. */
  readonly missing?: string
  /** The parts of an object. */
  readonly fields?: Settings
  /** What a list is made of. */
  readonly item?: Setting<unknown>
  /** What stands under each name of an object whose names the host chooses. */
  readonly each?: Setting<unknown>
  readonly mayBeNull?: boolean
  /** An object that is given as a whole: its parts have no defaults one by one. */
  readonly isWhole?: boolean
  /** No message shows the value. */
  readonly isHidden?: boolean
  /** A file may name a variable of the environment that holds it. */
  readonly isSecret?: boolean
  /** A file gives the path of a folder, or of a file that holds the value; relative ones begin where the file itself is. */
  readonly path?: "folder" | "file"
  /** A function, or what a package made: no file can hold it. */
  readonly isHostOnly?: boolean
}

export type Settings = Readonly<Record<string, Setting<unknown>>>

/** Marks, as types alone. */
export interface Defaulted {
  readonly "~defaulted": true
}
export interface Required {
  readonly "~required": true
}
export interface HostOnly {
  readonly "~hostOnly": true
}
export interface Secret {
  readonly "~secret": true
}

/** Options that are left out one by one, each with its own default. */
export interface Section<F extends Settings> extends Setting<ValuesOf<F>> {
  readonly "~section": F
}

/** A section that null turns off. */
export interface OptionalSection<F extends Settings> extends Setting<ValuesOf<F> | null> {
  readonly "~optionalSection": F
}

/** An object that is given as a whole. */
export interface Entry<F extends Settings> extends Setting<ValuesOf<F>> {
  readonly "~entry": F
}

export interface List<S extends Setting<unknown>> extends Setting<ReadonlyArray<ValueOf<S>>> {
  readonly "~list": S
}

export interface Named<S extends Setting<unknown>> extends Setting<Readonly<Record<string, ValueOf<S>>>> {
  readonly "~named": S
}

/** What a host gives for an option. */
export type ValueOf<S> = S extends Setting<infer A> ? A : never

type RequiredKeys<F> = { [K in keyof F]: F[K] extends Required ? K : never }[keyof F]

type Needed<F, K extends keyof F> = { readonly [P in K]: ValueOf<F[P]> }
type Free<F, K extends keyof F> = { readonly [P in K]?: ValueOf<F[P]> }

/**
 * What a host gives for options: all but the required ones may be left out. Editors show no sentences of a type that is made
 * so: a host sees the same as a plain type, which OptionShapes.test.ts writes.
 */
export type ValuesOf<F> = Needed<F, RequiredKeys<F>> & Free<F, Exclude<keyof F, RequiredKeys<F>>>

/** Options with their defaults. */
export type Effective<F> = {
  readonly [K in keyof F]: F[K] extends Section<infer G>
    ? Effective<G>
    : F[K] extends OptionalSection<infer G>
      ? Effective<G> | null
      : F[K] extends Defaulted | Required
        ? ValueOf<F[K]>
        : ValueOf<F[K]> | undefined
}

/** A secret of a file, which no log and no JSON shows. */
export class SecretText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }

  toJSON(): string {
    return "<secret>"
  }
}

/** What a file gives for an option, under the library's names. */
export type FileValueOf<S> = S extends Secret
  ? SecretText
  : S extends Section<infer F> | Entry<infer F>
    ? FileValuesOf<F>
    : S extends List<infer I>
      ? ReadonlyArray<FileValueOf<I>>
      : S extends Named<infer I>
        ? Readonly<Record<string, FileValueOf<I>>>
        : ValueOf<S>

/** What a file gives for options. */
export type FileValuesOf<F> = {
  readonly [K in keyof F as F[K] extends HostOnly ? never : F[K] extends Required ? K : never]: FileValueOf<F[K]>
} & {
  readonly [K in keyof F as F[K] extends HostOnly | Required ? never : K]?: FileValueOf<F[K]>
}

// The marks of a setting are types alone.
const made = <S>(form: Form): S => ({ form }) as S
const right = (): null => null

/** A value, what it must be, and whether one is. */
export const value = <A>(must: string, isRight: (given: unknown) => boolean): Setting<A> =>
  made({ must, faultOf: (given: unknown) => (isRight(given) ? null : must) })

/** A value that explains its fault itself: the sentence goes on after its name. */
export const checked = <A>(must: string, faultOf: (given: unknown) => string | null): Setting<A> =>
  made({ must, faultOf })

export const standard = <A, const D extends A>(setting: Setting<A>, value: D): Setting<A> & Defaulted =>
  made({ ...setting.form, standard: value })

/** What cannot be left out, with the sentence for a host that has done so. */
export const required = <S extends Setting<unknown>>(setting: S, missing = "is needed here: add it"): S & Required =>
  made({ ...setting.form, missing })

/** No message shows the value. */
export const hidden = <S extends Setting<unknown>>(setting: S): S => made({ ...setting.form, isHidden: true })

/** Null says that there is none. */
export const orNull = <A>(setting: Setting<A>): Setting<A | null> =>
  made({ ...setting.form, must: `${setting.form.must}, or null for none`, mayBeNull: true })

const isText = (given: unknown): given is string => typeof given === "string" && given.trim() !== ""

export const text: Setting<string> = value("must be a text that is not empty", isText)

/** A folder. */
export const folder: Setting<string> = made({ ...text.form, path: "folder" })

/** What a file holds. */
export const content = (setting: Setting<Uint8Array>): Setting<Uint8Array> => made({ ...setting.form, path: "file" })

export const truth: Setting<boolean> = value("must be true or false", (given) => typeof given === "boolean")

export const flag = (given: boolean): Setting<boolean> & Defaulted => standard(truth, given)

interface Bounds {
  readonly min: number
  readonly max?: number
  readonly default?: number | null
  /** Null is for no limit. */
  readonly orNull?: true
}

const boundsOf = ({ max, min, orNull }: Bounds): string =>
  `must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}${orNull ? ", or null for no limit" : ""}`

export const whole = <const B extends Bounds>(
  bounds: B
): Setting<B["orNull"] extends true ? number | null : number> &
  (B extends { readonly default: number | null } ? Defaulted : unknown) => {
  const { max = Number.MAX_SAFE_INTEGER, min } = bounds
  const must = boundsOf(bounds)
  const isRight = (given: unknown) =>
    Number.isSafeInteger(given) && (given as number) >= min && (given as number) <= max
  return made({
    must,
    faultOf: (given: unknown) => (isRight(given) ? null : must),
    standard: bounds.default,
    mayBeNull: bounds.orNull === true
  })
}

const isNumber = (given: unknown): given is number => typeof given === "number" && Number.isFinite(given)

export const positive: Setting<number> = value("must be a number above zero", (given) => isNumber(given) && given > 0)

/** A price or an amount that may be zero. */
export const fromZero: Setting<number> = value("must be a number from 0", (given) => isNumber(given) && given >= 0)

export const credits: Setting<number> = value(
  "must be a number of credits from 0 to 999999999, with up to nine decimal places",
  (given) => isNumber(given) && given >= 0 && given <= 999_999_999 && Number(given.toFixed(9)) === given
)

export const oneOf = <const A extends string>(...words: ReadonlyArray<A>): Setting<A> =>
  value(`must be ${words.map((word) => `"${word}"`).join(" or ")}`, (given) => words.includes(given as A))

export const url = (...schemes: ReadonlyArray<string>): Setting<string> =>
  value(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`, (given) => {
    const found = typeof given === "string" ? URL.parse(given) : null
    return found !== null && schemes.includes(found.protocol.slice(0, -1))
  })

export const web: Setting<string> = url("https", "http")

/** Anything: the code that uses it finds its faults. */
export const anything: Setting<unknown> = made({ must: "", faultOf: right })

/** A setting whose values have a type that is written out elsewhere. */
export const typed = <A>(setting: Setting<unknown>): Setting<A> => setting as Setting<A>

/** A text of which a file may name the variable of the environment that holds it. */
export const secret: Setting<string> & Secret = made({
  must: "must be a text",
  faultOf: (given: unknown) => (typeof given === "string" ? null : "must be a text"),
  isHidden: true,
  isSecret: true
})

/** The same of what a host may give as something else than a text. */
export const secretOf = <A>(must: string, isRight: (given: unknown) => boolean): Setting<A> & Secret =>
  made({ ...value(must, isRight).form, isHidden: true, isSecret: true })

export const section = <const F extends Settings>(fields: F): Section<F> =>
  made({ must: "must be an object in braces", faultOf: right, fields })

export const optionalSection = <const F extends Settings>(fields: F): OptionalSection<F> =>
  made({ ...section(fields).form, mayBeNull: true })

export const entry = <const F extends Settings>(fields: F): Entry<F> => made({ ...section(fields).form, isWhole: true })

interface ListBounds<A> {
  readonly max?: number
  /** The fault of the whole list; null for none. */
  readonly faultOf?: (given: ReadonlyArray<A>) => string | null
}

export const list = <S extends Setting<unknown>>(
  item: S,
  { faultOf = right, max }: ListBounds<ValueOf<S>> = {}
): List<S> =>
  made({
    must: max === undefined ? "must be a list in brackets" : `must be a list in brackets with at most ${max} entries`,
    faultOf: (given: ReadonlyArray<ValueOf<S>>) =>
      max !== undefined && given.length > max ? `must have at most ${max} entries` : faultOf(given),
    item
  })

/** Names that the host chooses. */
export const record = <S extends Setting<unknown>>(
  each: S,
  faultOf: (given: Readonly<Record<string, ValueOf<S>>>) => string | null = right
): Named<S> => made({ must: "must be an object in braces", faultOf, each })

/** A function, or what no file can hold. */
export const hostOnly = <S extends Setting<unknown>>(setting: S): S & HostOnly =>
  made({ ...setting.form, isHostOnly: true })

export const fn = <F extends (...given: never) => unknown>(): Setting<F> & HostOnly =>
  hostOnly(value<F>("must be a function", (given) => typeof given === "function"))
