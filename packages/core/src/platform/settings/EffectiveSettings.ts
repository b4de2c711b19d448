/** What options are where a host leaves them out. Pure. */
import type { Effective, Form, Setting, Settings, ValuesOf } from "./Setting.ts"

const filled = ({ fields, isWhole, standard }: Form, given: unknown): unknown => {
  if (given === null) return null
  if (fields === undefined || isWhole) return given === undefined ? standard : given
  return effective(fields, given as object | undefined)
}

/** The options of a host with their defaults. */
export const effective = <const F extends Settings>(settings: F, given: Partial<ValuesOf<F>> = {}): Effective<F> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { form }]) => [
      name,
      filled(form, (given as Readonly<Record<string, unknown>>)[name])
    ])
  ) as Effective<F> // fromEntries knows no keys

const both = (first: Setting<unknown> | undefined, second: Setting<unknown>): Setting<unknown> => {
  const [outer, inner] = [first?.form.fields, second.form.fields]
  return outer === undefined || inner === undefined || second.form.isWhole
    ? second
    : { form: { ...second.form, fields: merged([outer, inner]) } }
}

/** Settings of several sources: sections of one name are one section, and of other settings the last one counts. */
export const merged = (all: ReadonlyArray<Settings>): Settings => {
  const found: Record<string, Setting<unknown>> = {}
  for (const [name, setting] of all.flatMap((settings) => Object.entries(settings)))
    found[name] = both(found[name], setting)
  return found
}
