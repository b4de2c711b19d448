/** What options are where a host leaves them out. Pure. */
import type { Effective, Form, Settings, ValuesOf } from "./Setting.ts"

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

/** The settings of several areas: sections of one name are one section. */
export const merged = (all: ReadonlyArray<Settings>): Settings => {
  const found: Record<string, Settings[string]> = {}
  for (const [name, setting] of all.flatMap((settings) => Object.entries(settings))) {
    const fields = found[name]?.form.fields
    found[name] =
      fields === undefined || setting.form.fields === undefined
        ? setting
        : { form: { ...setting.form, fields: { ...fields, ...setting.form.fields } } }
  }
  return found
}
