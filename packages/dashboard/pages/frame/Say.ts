/** Texts of the catalogue with their values, the installation's own first; numbers and instants as the person's language writes them. */
import { english, type WordKey } from "../../src/DashboardWords.ts"
import { settings } from "./Settings.ts"

const textOf = (key: string): string => settings.words[key] ?? (english as Readonly<Record<string, string>>)[key] ?? key

const language = textOf("language.tag")
const [ofBrowser = "", ofWords] = [navigator.language, language].map((tag) => tag.split("-")[0])

/**
 * As the words are in their language, so are numbers and days; in the way of the person's own country where the browser speaks that
 * language. English is written as in Britain elsewhere: the day comes first, and the clock has 24 hours.
 */
export const locale = ofBrowser === ofWords ? navigator.language : language === "en" ? "en-GB" : language

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

type Value = string | number

type Values<Text extends string> = [Placeholders<Text>] extends [never]
  ? readonly []
  : readonly [Readonly<Record<Placeholders<Text>, Value>>]

const numbers = new Intl.NumberFormat(locale)
const plurals = new Intl.PluralRules(locale)

export const number = (value: number): string => numbers.format(value)

const filled = (text: string, values: Readonly<Record<string, Value>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : typeof value === "number" ? number(value) : value
  })

export const say = <Key extends WordKey>(key: Key, ...values: Values<(typeof english)[Key]>): string =>
  filled(textOf(key), values[0] ?? {})

/** Keys whose text depends on a number: they end with `.one` and `.other`. */
export type CountKey = WordKey extends infer Key ? (Key extends `${infer Stem}.other` ? Stem : never) : never

/** A text about `n` things, in the plural form of the number. */
export const sayCount = (key: CountKey, n: number, values: Readonly<Record<string, Value>> = {}): string => {
  const form = `${key}.${plurals.select(n)}`
  return filled(form in english || form in settings.words ? textOf(form) : textOf(`${key}.other`), { ...values, n })
}

/** The word of a value that the API names, such as a status: `status.running`. A value that is newer than the page stands as it is. */
export const wordOf = (kind: string, value: string): string => {
  const key = `${kind}.${value}`
  return key in english ? textOf(key) : value.replaceAll("_", " ")
}

export const list = (texts: ReadonlyArray<string>): string =>
  new Intl.ListFormat(locale, { type: "conjunction" }).format(texts)

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })
const named = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" })
const clocks = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" })

/** An instant in the browser's zone. */
export const moment = (iso: string): string => moments.format(new Date(iso))

/** The same with seconds and the name of the zone, for people who want it exactly. */
export const exactMoment = (iso: string): string => `${named.format(new Date(iso))} (${zone})`

/** `10:42` of the browser's zone. */
export const clockTime = (at: number): string => clocks.format(at)

const days = new Intl.DateTimeFormat(locale, { dateStyle: "full" })
const shortDays = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" })

/** The day of an instant, in the browser's zone. */
export const dayOf = (iso: string): string => days.format(new Date(iso))

/** `10:42` of today, else `21 Nov`; `today` is the text of the present day. */
export const shortTime = (iso: string, today: string): string => {
  const at = new Date(iso)
  return at.toDateString() === today ? clocks.format(at) : shortDays.format(at)
}

/** The zone's name as people know it: `Paris` of `Europe/Paris`. */
export const placeOf = (name: string): string => (name.split("/").at(-1) ?? name).replaceAll("_", " ")

/** An instant in a zone of the record, such as that of a campaign. */
export const momentIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone, timeZoneName: "short" }).format(
    new Date(iso)
  )

/** `Mon 10:42`, on the clock of a zone. */
export const timeIn = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone
  }).format(at)

/** `09:00` for an hour of the day. */
export const hourOfDay = (hour: number): string => `${String(hour).padStart(2, "0")}:00`

/** `4:05`, or `1:04:05`: how long something has been under way. */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, "0")
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "always" })

/** `in 12 minutes`, `3 days ago`. */
export const fromNow = (iso: string, now: number): string => {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60]
  ] as const
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return relative.format(seconds, "second")
}
