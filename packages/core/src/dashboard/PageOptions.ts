/** What an installation decides about its dashboard: the options of `dashboard()`, and the keys of a file. Pure. */
import {
  frameAncestorFault,
  imageFault,
  standardDashboardFacts,
  themeFaults,
  wordFaults
} from "../platform/brand/index.ts"
import { readSettings, type SettingFault, Settings, withNewFaults } from "../platform/settings/index.ts"
import type { PageOptionShapes } from "./PageOptionShapes.ts"

const { checked, flag, list, oneOf, orNull, record, section, standard, text, value, web, whole } = Settings

/** The pages that stand in the navigation, by the second part of their place: `inbox` of `#/inbox`. */
const pageNames = [
  ...["start", "campaigns", "preview", "calls", "do-not-call", "contacts", "inbox", "agents", "numbers"],
  ...["webhooks", "alerts", "keys", "usage", "members", "audit"]
]

const page = value<string>(`must be one of ${pageNames.join(", ")}`, (given) => pageNames.includes(given as string))

const look = (key: "accent" | "font", must: string) =>
  checked<string>(must, (given) =>
    typeof given === "string" ? (themeFaults({ [key]: given })[0]?.message ?? null) : must
  )

const image = checked<string>("must be an image as a data: URL", (given) =>
  typeof given === "string" ? imageFault(given) : "must be an image as a data: URL"
)

/** An address that may begin where the page is. */
const link = value<string>(
  "must be an address such as /account/token, or a URL that begins with https:// or http://",
  (given) =>
    typeof given === "string" &&
    given.trim() !== "" &&
    /^https?:$/.test(URL.parse(given, "https://page.example/")?.protocol ?? "")
)

const outcome = value<string>(
  "must be a text of 1 to 64 characters",
  (given) => typeof given === "string" && given.trim() !== "" && [...given].length <= 64
)

const outcomesFault = (given: ReadonlyArray<string>): string | null => {
  if (given.length < 1 || given.length > 9) return "must have 1 to 9 texts, one for each key of a digit"
  const twice = given.find((one, at) => given.indexOf(one) < at)
  return twice === undefined ? null : `must have each text once: ${JSON.stringify(twice)} is there twice`
}

export const settings = {
  dashboard: section({
    /** Whether the dashboard is served. Without it its paths are unknown. Default true. Source: docs/reference/dashboard.md. */
    enabled: flag(true),
    /** Where browsers reach the mount point, with the prefix of a proxy: `https://calls.example.com/phone`. Links that are printed begin with it. Default null. */
    publicUrl: standard(orNull(web), standardDashboardFacts.publicUrl),
    /** What the dashboard is called. Without it the name of `brand`, else `Dashboard`. Default null. Source: docs/reference/dashboard.md#brand. */
    name: standard(orNull(text), null),
    /** The colour of buttons, links and the focus. Without it that of `brand.theme`, else `#2154c4`. */
    accent: look("accent", "must be a colour such as #2154c4"),
    /** The font families of the texts. Without them those of `brand.theme`, else `system-ui, sans-serif`. */
    font: look("font", "must be font families with commas between, such as Inter, system-ui"),
    /** Whether the pages are light or dark; with `system` a person may choose. Without it that of `brand.theme`, else `system`. */
    colorScheme: oneOf("system", "light", "dark"),
    /** The image above the navigation: a PNG, JPEG, WebP or SVG of at most 64 KiB. The library takes it as a `data:` URL in base64, a file of the configuration names it. Without it that of `brand.theme`. Default null. */
    logo: standard(orNull(image), null),
    /** The same image for dark pages. Without it `logo` stands there, too. Default null. */
    logoDark: standard(orNull(image), null),
    /** The icon of the browser's tab, which is given as `logo` is. Default null. */
    icon: standard(orNull(image), null),
    /** The texts of the pages by their keys, in place of the English ones. Source: docs/reference/dashboard.md#words. */
    words: record(text),
    /** Pages that are left out of the navigation, by the second part of their place: `["inbox"]`. Default `[]`. Source: docs/reference/dashboard.md#hidden. */
    hidden: standard(list(page), []),
    /** Where the link "Help" leads. Without it there is none. Default null. */
    helpUrl: standard(orNull(web), null),
    /** Where the page gets a new token of a person whom the host has signed in: an address of the same origin. Default null. Source: docs/reference/dashboard.md#tokens. */
    tokenUrl: standard(orNull(link), null),
    /** Where people are sent who are not signed in; the address gets `?return=` with their place. Default null. Source: docs/reference/dashboard.md#tokens. */
    signInUrl: standard(orNull(link), null),
    /** The origins of pages that may show the dashboard in a frame. Default `["'self'"]`. Source: docs/reference/dashboard.md#policy. */
    frameAncestors: standard(list(text, { faultOf: frameAncestorFault }), ["'self'"]),
    /** What a person may say that a call came to, in the order of the keys 1 to 9. Default `["Interested","Not interested","Call back","Wrong number","Other"]`. */
    outcomes: standard(list(outcome, { faultOf: outcomesFault }), standardDashboardFacts.outcomes),
    /** The seconds for which a contact is held for the person who looks at it. Default 120. */
    previewHoldSeconds: whole({ min: 1, default: standardDashboardFacts.previewHoldSeconds })
  })
}

/** What `dashboard()` takes. Source: docs/reference/dashboard.md#settings. */
export interface DashboardOptions extends NonNullable<PageOptionShapes["dashboard"]> {}

const listOfWords = "docs/reference/dashboard.md#words"

const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Two of the texts are shown to nobody: they say how the others are read. */
const languageFaults = (words: Readonly<Record<string, string>>): ReadonlyArray<SettingFault> => {
  const { "language.direction": direction = "ltr", "language.tag": tag = "en" } = words
  return [
    ...(isLanguage(tag)
      ? []
      : [{ path: ["words", "language.tag"], message: "must be the tag of a language, such as de or pt-BR" }]),
    ...(["ltr", "rtl"].includes(direction)
      ? []
      : [{ path: ["words", "language.direction"], message: "must be ltr, or rtl where lines begin at the right" }])
  ]
}

/** What is wrong with the texts among the options of a dashboard whose own texts are `english`. */
export const dashboardWordFaults = (
  { words = {} }: DashboardOptions,
  english: Readonly<Record<string, string>>
): ReadonlyArray<SettingFault> => [
  ...wordFaults(words, { english, list: listOfWords }).map(({ key, message }) => ({ path: ["words", key], message })),
  ...languageFaults(words)
]

/** Everything that is wrong with the options of a dashboard. */
export const dashboardFaults = (
  options: DashboardOptions,
  english: Readonly<Record<string, string>>
): ReadonlyArray<SettingFault> => {
  const { faults, read } = readSettings(settings.dashboard, options)
  return withNewFaults(faults, dashboardWordFaults((read ?? {}) as DashboardOptions, english))
}
