/** Everything that carries a brand, in one place: names that a vendor may choose. Pure. */

import { type PageTheme, themeFaults } from "./PageTheme.ts"

/** Source: docs/reference/configuration.md#brand. */
export interface Brand {
  /** The service's name, in titles; null for titles without a name. */
  readonly name: string | null
  /** What the service is, as the first paragraph of the API's description; null for the neutral one. */
  readonly description: string | null
  /** The vendor's own site; null where there is none. */
  readonly url: string | null
  /** Address of an image for pages that show the API; null where there is none. */
  readonly logo: string | null
  /** Under which terms others may use the API, in its description; null where it says nothing of them. */
  readonly licence: { readonly name: string; readonly url?: string | null | undefined } | null
  /** The look of every page of the product that people see. */
  readonly theme: PageTheme
  /** What API keys begin with. */
  readonly keyPrefix: string
  /** What the product's own headers begin with. */
  readonly headerPrefix: string
  /** The messaging channel's word: path segment, scope prefix, product value, bot type. */
  readonly channel: string
  readonly messageIdField: string
  readonly messageIdsField: string
  readonly userIdField: string
  /** Further product values of the compatible send, each with the name of its user id field. */
  readonly productAliases: ReadonlyArray<{ readonly product: string; readonly userIdField: string }>
}

export const neutral: Brand = {
  name: null,
  description: null,
  url: null,
  logo: null,
  licence: null,
  theme: {},
  keyPrefix: "svc_",
  headerPrefix: "X-Service-",
  channel: "messaging",
  messageIdField: "msgid",
  messageIdsField: "msgids",
  userIdField: "user_id",
  productAliases: []
}

/** The brand of a host, with neutral names where the host chose none. Hosts that chose none share one object. */
export const brandOf = (chosen: { readonly [K in keyof Brand]?: Brand[K] | undefined } = {}): Brand => {
  const names = Object.entries(chosen).filter(([, name]) => name !== undefined)
  return names.length === 0 ? neutral : { ...neutral, ...Object.fromEntries(names) }
}

/** Names that the contract has already. */
export interface ReservedNames {
  /** Path segments and first words of scopes. */
  readonly channels: ReadonlySet<string>
  /** Fields beside which those of the brand stand. */
  readonly fields: ReadonlySet<string>
}

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

const licenceFaults = ({ licence }: Brand): ReadonlyArray<string> => [
  ...(licence === null || licence.name.trim() !== "" ? [] : ["the name of the licence must not be empty"]),
  ...(licence?.url == null || isWebAddress(licence.url)
    ? []
    : ["the url of the licence must be a URL that begins with https:// or http://"])
]

/** Everything that is wrong with a brand; nothing for one that can be used. Found at start-up. */
export const faultsOf = (brand: Brand, reserved: ReservedNames): ReadonlyArray<string> => [
  ...(["name", "description"] as const).flatMap((field) =>
    brand[field] === null || brand[field].trim() !== "" ? [] : [`the ${field} must not be empty: leave it out instead`]
  ),
  ...(["url", "logo"] as const).flatMap((field) =>
    brand[field] === null || isWebAddress(brand[field])
      ? []
      : [`the ${field} must be a URL that begins with https:// or http://`]
  ),
  ...licenceFaults(brand),
  ...themeFaults(brand.theme).map(({ key, message }) => `the theme's ${key} ${message}`),
  ...(/^[A-Za-z0-9]+[_-]$/.test(brand.keyPrefix)
    ? []
    : ["the key prefix must be letters and digits followed by _ or -"]),
  ...(/^[A-Za-z][A-Za-z0-9-]*-$/.test(brand.headerPrefix)
    ? []
    : ["the header prefix must be a header name's beginning that ends in -"]),
  ...(/^[a-z][a-z0-9_-]*$/.test(brand.channel) ? [] : ["the channel word must be lower-case letters, digits, _ and -"]),
  ...(reserved.channels.has(brand.channel)
    ? [`the channel word ${brand.channel} is already a path or a scope: choose another`]
    : []),
  ...[brand.messageIdField, brand.messageIdsField, brand.userIdField].flatMap((name) =>
    /^[a-z][a-z0-9_]*$/.test(name) ? [] : [`the field name ${name} must be lower-case letters, digits and _`]
  ),
  ...[brand.messageIdField, brand.messageIdsField, brand.userIdField].flatMap((name) =>
    reserved.fields.has(name) ? [`the field name ${name} is already that of another field: choose another`] : []
  ),
  ...(new Set([brand.messageIdField, brand.messageIdsField, brand.userIdField]).size === 3
    ? []
    : ["the field names must differ"]),
  ...brand.productAliases.flatMap(({ product, userIdField }, at) => [
    ...(product === brand.channel || brand.productAliases.findIndex((alias) => alias.product === product) < at
      ? [`the product value ${product} stands twice: choose another`]
      : []),
    ...(/^[a-z][a-z0-9_]*$/.test(userIdField)
      ? []
      : [`the field name ${userIdField} must be lower-case letters, digits and _`])
  ]),
  ...(brand.productAliases.some(({ userIdField }) => userIdField === "input")
    ? ["the person's id cannot be called input, which is what the answer calls whom a message was sent to"]
    : [])
]
