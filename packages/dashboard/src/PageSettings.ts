/** What the server writes into the page. Pure. */

/** The data block `settings` of the page: what an installation has decided, the same for everybody. */
export interface PageSettings {
  /** The version of the product. */
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
  /** Where a new token is had, and where people without a session are sent. */
  readonly token_url: string | null
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
  /** True where a page of another origin may frame the dashboard; the origins that may. */
  readonly frame_ancestors_foreign: boolean
  readonly frame_origins: ReadonlyArray<string>
}
