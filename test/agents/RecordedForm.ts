/** What is kept of a request that an agent has sent: its form, without what it says, and without this machine. Pure. */
import { isObject } from "@trunkline/core/provider"

const maxText = 80

/** `places`: folders of this machine, and what stands for them. */
export const recordedForm = (value: unknown, places: ReadonlyMap<string, string>): unknown => {
  if (typeof value === "string") return textOf(value, places)
  if (Array.isArray(value)) return value.map((one) => recordedForm(one, places))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, recordedForm(one, places)]))
}

const textOf = (text: string, places: ReadonlyMap<string, string>): string => {
  const placed = [...places].reduce((all, [folder, name]) => all.replaceAll(folder, name), text)
  const known = placed.replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "00000000-0000-7000-8000-000000000000")
  if (known.length <= maxText || known.startsWith("data:")) return known
  return `(${text.length} characters)`
}
