/** What follows from the kinds of providers: keys of the file, faults by path, and the providers themselves. */
import { type KindHost, merged, type ProviderKind, Settings } from "@trunkline/core/provider"
import { snakeName } from "@trunkline/core/storage"
import type { Fault } from "./ConfigFaults.ts"

type Kinds<P = unknown> = ReadonlyArray<ProviderKind<P>>

/** What a file gives for a provider, under the names of its options. */
type Given = Readonly<Record<string, unknown>>

/** An entry of the file that says what it is. */
export interface Entry {
  readonly kind: string
}

type Entries = Readonly<Record<string, Entry>>

export const namesOf = (kinds: Kinds): ReadonlyArray<string> => kinds.map(({ name }) => name)

/** The keys of an entry: those of all kinds. An entry of one kind refuses the keys of the others. */
export const settingsOf = (kinds: Kinds): Settings.Settings => merged(kinds.map(({ settings }) => settings))

/** A section of options for each kind, under its name. */
export const sectionsOf = (kinds: Kinds): Settings.Settings =>
  Object.fromEntries(kinds.map(({ name, settings }) => [name, Settings.section(settings)]))

// What names no kind was refused when it was read.
const kindOf = <P>(kinds: Kinds<P>, name: string): ProviderKind<P> => kinds.find((kind) => kind.name === name)!

/** The options of a kind, with secrets as texts. */
const optionsFor = ({ settings }: ProviderKind<unknown>, given: Given): Given =>
  Object.fromEntries(
    Object.keys(settings)
      .filter((name) => given[name] !== undefined)
      .map((name) => [name, given[name] instanceof Settings.SecretText ? given[name].text : given[name]])
  )

/** What a kind cannot work with. */
export const faultsOf = (kind: ProviderKind<unknown>, given: object, above: string): ReadonlyArray<Fault> =>
  kind
    .faultsOf(optionsFor(kind, given as Given))
    .map(({ message, path }) => ({ path: [above, ...path.map((part) => snakeName(String(part)))].join("."), message }))

/** The provider that a kind makes of options without a fault. */
export const made = <P>(kind: ProviderKind<P>, given: object, host: KindHost): Promise<P> =>
  kind.make(optionsFor(kind, given as Given), host)

/** A section that has the options of each kind, and names the one that counts. */
interface Choice {
  readonly provider?: string
}

/** The kind that counts, the first one where none is named, with its options. */
export const chosenOf = <P>(kinds: Kinds<P>, section: Choice) => {
  const kind = kindOf(kinds, section.provider ?? namesOf(kinds)[0]!)
  return { kind, given: (section as Given)[kind.name] ?? {} }
}

/** Options of an entry that only other kinds have. */
const strayFaults = (kinds: Kinds, { refuses, settings }: ProviderKind<unknown>, entry: Entry, above: string) => {
  const owners = (name: string) =>
    kinds.filter((kind) => Object.hasOwn(kind.settings, name)).map(({ name }) => `"${name}"`)
  const { kind: _, ...given } = entry
  const stray = Object.keys(given).filter((name) => !Object.hasOwn(settings, name) && !Object.hasOwn(refuses, name))
  const refused = Object.keys(refuses).filter((name) => Object.hasOwn(given, name))
  return [
    ...refused.map((name) => ({ name, message: refuses[name]! })),
    ...stray.map((name) => ({ name, message: `belongs to the kind ${owners(name).join(" or ")}: remove it` }))
  ].map(({ message, name }) => ({ path: `${above}.${snakeName(name)}`, message }))
}

/** Everything that is wrong with the entries of a section. */
export const entryFaults = (kinds: Kinds, entries: Entries, section: string): ReadonlyArray<Fault> =>
  Object.entries(entries).flatMap(([name, entry]) => {
    const [kind, above] = [kindOf(kinds, entry.kind), `${section}.${name}`]
    return [...strayFaults(kinds, kind, entry, above), ...faultsOf(kind, entry, above)]
  })

/** The providers of the entries of a section, under their names. */
export const madeOf = async <P>(kinds: Kinds<P>, entries: Entries, host: KindHost): Promise<Record<string, P>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(entries).map(
        async ([name, entry]) => [name, await made(kindOf(kinds, entry.kind), entry, host)] as const
      )
    )
  )
