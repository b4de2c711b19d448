/** What follows from the kinds of providers: the keys of the file, the faults of their values, and the providers themselves. */
import { type KindHost, merged, type ProviderKind, Settings } from "@trunkline/core/provider"
import { snakeName } from "@trunkline/core/storage"
import type { Fault } from "./ConfigFaults.ts"

type Kinds<P = unknown> = ReadonlyArray<ProviderKind<P>>

/** Options under their names. */
type Given = Readonly<Record<string, unknown>>

export const namesOf = (kinds: Kinds): ReadonlyArray<string> => kinds.map(({ name }) => name)

/** The keys of an entry that says its kind: those of all kinds. */
export const settingsOf = (kinds: Kinds): Settings.Settings => merged(kinds.map(({ settings }) => settings))

/** A section of options for each kind, under its name. */
export const sectionsOf = (kinds: Kinds): Settings.Settings =>
  Object.fromEntries(kinds.map(({ name, settings }) => [name, Settings.section(settings)]))

/** The same of kinds that are there only where their section is. */
export const entriesOf = (kinds: Kinds): Settings.Settings =>
  Object.fromEntries(kinds.map(({ name, settings }) => [name, Settings.entry(settings)]))

/** A kind with the options that the file gives for it. */
export interface Part<P> {
  readonly kind: ProviderKind<P>
  readonly given: Given
  /** Where these options stand in the file. */
  readonly path: string
  /** The kinds whose options may stand in the same place. */
  readonly beside?: Kinds
}

// What names no kind was refused when it was read.
const kindOf = <P>(kinds: Kinds<P>, name: string): ProviderKind<P> => kinds.find((kind) => kind.name === name)!

/** A part that has a section of its own within another. */
const within = <P>(kind: ProviderKind<P>, section: object, path: string): Part<P> => ({
  kind,
  given: ((section as Given)[kind.name] ?? {}) as Given,
  path: `${path}.${snakeName(kind.name)}`
})

/** Of a section that names its provider: that one, or the first one where it names none. */
export const chosenIn = <P>(kinds: Kinds<P>, section: { readonly provider?: string }, path: string): Part<P> =>
  within(kindOf(kinds, section.provider ?? namesOf(kinds)[0]!), section, path)

/** Of a section: the kinds that stand there. */
export const presentIn = <P>(kinds: Kinds<P>, section: object, path: string): ReadonlyArray<Part<P>> =>
  kinds.filter(({ name }) => (section as Given)[name] !== undefined).map((kind) => within(kind, section, path))

/** The entries of a section, each of which says its kind. */
export const entriesIn = <P>(
  kinds: Kinds<P>,
  section: Readonly<Record<string, { readonly kind: string }>> = {},
  path: string
): Readonly<Record<string, Part<P>>> =>
  Object.fromEntries(
    Object.entries(section).map(([name, { kind, ...given }]) => [
      name,
      { kind: kindOf(kinds, kind), given, path: `${path}.${name}`, beside: kinds }
    ])
  )

/** What a provider gets: its own options, and secrets as texts. */
const optionsOf = ({ given, kind: { settings } }: Part<unknown>): Given =>
  Object.fromEntries(
    Object.keys(settings)
      .filter((name) => given[name] !== undefined)
      .map((name) => [name, given[name] instanceof Settings.SecretText ? given[name].text : given[name]])
  )

/** Why a kind does not have an option that may stand beside its own; null where it has it. */
const strayFault = ({ beside = [], kind: { refuses, settings } }: Part<unknown>, name: string): string | null => {
  if (Object.hasOwn(settings, name)) return null
  const owners = beside.filter((kind) => Object.hasOwn(kind.settings, name)).map((kind) => `"${kind.name}"`)
  if (owners.length === 0) return null
  return refuses[name] ?? `belongs to the kind ${owners.join(" or ")}: remove it`
}

/** Everything that is wrong with a part. */
export const faultsOf = (part: Part<unknown>): ReadonlyArray<Fault> => {
  const stray = Object.keys(part.given).flatMap((name) => {
    const message = strayFault(part, name)
    return message === null ? [] : [{ path: [name], message }]
  })
  return [...stray, ...part.kind.faultsOf(optionsOf(part))].map(({ message, path }) => ({
    path: [part.path, ...path.map((name) => snakeName(String(name)))].join("."),
    message
  }))
}

/** The provider of a part without a fault. */
export const made = <P>(part: Part<P>, host: KindHost): Promise<P> => part.kind.make(optionsOf(part), host)

/** The providers of parts, under their names. */
export const allMade = async <P>(
  parts: Readonly<Record<string, Part<P>>>,
  host: KindHost
): Promise<Record<string, P>> =>
  Object.fromEntries(
    await Promise.all(Object.entries(parts).map(async ([name, part]) => [name, await made(part, host)] as const))
  )
