/** What a host gives for the options of PageOptions.ts, from which OptionShapes.test.ts makes it. */

export interface PageOptionShapes {
  readonly dashboard?: {
    /** Whether the dashboard is served. Without it its paths are unknown. Default true. Source: docs/reference/dashboard.md. */
    readonly enabled?: boolean
    /** Where browsers reach the mount point, with the prefix of a proxy: `https://calls.example.com/phone`. Links that are printed begin with it. It is a URL that begins with https:// or http://, or null for none. Default null. */
    readonly publicUrl?: string | null
    /** What the dashboard is called. Without it the name of `brand`, else `Dashboard`. Default null. Source: docs/reference/dashboard.md#brand. */
    readonly name?: string | null
    /** The colour of buttons, links and the focus. Without it that of `brand.theme`, else `#2154c4`. */
    readonly accent?: string
    /** The font families of the texts. Without them those of `brand.theme`, else `system-ui, sans-serif`. */
    readonly font?: string
    /** Whether the pages are light or dark; with `system` a person may choose. Without it that of `brand.theme`, else `system`. It is "system" or "light" or "dark". */
    readonly colorScheme?: "system" | "light" | "dark"
    /** The image above the navigation: a PNG, JPEG, WebP or SVG of at most 64 KiB. The library takes it as a `data:` URL in base64, a file of the configuration names it. Without it that of `brand.theme`. Default null. */
    readonly logo?: string | null
    /** The same image for dark pages. Without it `logo` stands there, too. Default null. */
    readonly logoDark?: string | null
    /** The icon of the browser's tab, which is given as `logo` is. Default null. */
    readonly icon?: string | null
    /** The texts of the pages by their keys, in place of the English ones. Source: docs/reference/dashboard.md#words. */
    readonly words?: {
      readonly [name: string]: string
    }
    /** Pages that are left out of the navigation, by the second part of their place: `["inbox"]`. Default `[]`. Source: docs/reference/dashboard.md#hidden. */
    readonly hidden?: ReadonlyArray<string>
    /** Where the link "Help" leads. Without it there is none. It is a URL that begins with https:// or http://, or null for none. Default null. */
    readonly helpUrl?: string | null
    /** Where the page gets a new token of a person whom the host has signed in: an address of the same origin. Default null. Source: docs/reference/dashboard.md#tokens. */
    readonly tokenUrl?: string | null
    /** Where people are sent who are not signed in; the address gets `?return=` with their place. Default null. Source: docs/reference/dashboard.md#tokens. */
    readonly signInUrl?: string | null
    /** The origins of pages that may show the dashboard in a frame. Default `["'self'"]`. Source: docs/reference/dashboard.md#policy. */
    readonly frameAncestors?: ReadonlyArray<string>
    /** What a person may say that a call came to, in the order of the keys 1 to 9. Default `["Interested","Not interested","Call back","Wrong number","Other"]`. */
    readonly outcomes?: ReadonlyArray<string>
    /** The seconds for which a contact is held for the person who looks at it. It is a whole number of at least 1. Default 120. */
    readonly previewHoldSeconds?: number
  }
}
