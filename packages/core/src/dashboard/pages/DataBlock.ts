/** What the server writes into the page, once when it starts. Pure. Source: docs/reference/dashboard.md#page. */
import { type Brand, foreignAncestors } from "../../platform/brand/index.ts"
import { escapedHtml } from "../../platform/kernel/index.ts"

/** The data block `settings` of the page: what an installation has decided, the same for everybody. */
export interface PageSettings {
  /** Names the build of the pages: it is another one after each change of theirs. */
  readonly version: string
  readonly name: string
  readonly color_scheme: "system" | "light" | "dark"
  /** Images as `data:` URLs; null where there is none. */
  readonly logo: string | null
  readonly logo_dark: string | null
  /** The installation's own texts by their keys, in place of the English ones. */
  readonly words: Readonly<Record<string, string>>
  /** Pages that are left out, by the second part of their place: `inbox` of `#/inbox`. */
  readonly hidden: ReadonlyArray<string>
  readonly help_url: string | null
  /** Where a new token is had. */
  readonly token_url: string | null
  /** Where people are sent who are not signed in. */
  readonly sign_in_url: string | null
  /** Names in requests that a vendor may choose. */
  readonly brand: {
    readonly channel: string
    readonly header_prefix: string
    readonly message_id_field: string
    readonly message_ids_field: string
    readonly user_id_field: string
  }
  /** The areas of the product that this installation has. */
  readonly areas: ReadonlyArray<string>
  /** True where people sign in with an email and a password. */
  readonly sign_in: boolean
  /** What the link of single sign-on is called; null where there is none. */
  readonly oidc: string | null
  /** What a call may have come to, in the order of their keys. */
  readonly outcomes: ReadonlyArray<string>
  /** For how long the preview desk holds a contact. */
  readonly preview_hold_seconds: number
  /** True where a page of another origin may frame the dashboard. */
  readonly frame_ancestors_foreign: boolean
  /** The origins of such pages, as the policy names them. */
  readonly frame_origins: ReadonlyArray<string>
}

/** What is decided before the pages and the areas are known. */
export type PageChoices = Omit<
  PageSettings,
  "version" | "areas" | "brand" | "frame_ancestors_foreign" | "frame_origins"
>

interface Known {
  readonly choices: PageChoices
  readonly brand: Brand
  readonly areas: ReadonlyArray<string>
  readonly frameAncestors: ReadonlyArray<string>
  readonly version: string
}

export const pageSettings = ({ areas, brand, choices, frameAncestors, version }: Known): PageSettings => {
  const foreign = foreignAncestors(frameAncestors)
  return {
    version,
    ...choices,
    brand: {
      channel: brand.channel,
      header_prefix: brand.headerPrefix,
      message_id_field: brand.messageIdField,
      message_ids_field: brand.messageIdsField,
      user_id_field: brand.userIdField
    },
    areas,
    frame_ancestors_foreign: foreign.length > 0,
    frame_origins: foreign
  }
}

/** JSON in which nothing ends the block. */
const asBlock = (settings: PageSettings): string => JSON.stringify(settings).replaceAll("<", "\\u003c")

/** The places of the built page that an installation fills. */
export const places = {
  title: "<title></title>",
  icon: 'href="data:,"',
  settings: '<script type="application/json" id="settings"></script>'
} as const

/** The built page as an installation serves it. */
export const pageOf = (built: string, settings: PageSettings, icon: string | null): string =>
  built
    .replace(places.title, () => `<title>${escapedHtml(settings.name)}</title>`)
    .replace(places.icon, (none) => (icon === null ? none : `href="${icon}"`))
    .replace(places.settings, (block) => block.replace("></", () => `>${asBlock(settings)}</`))
