/** Everything that carries a brand, in one place: names that a vendor may choose. Pure. */

import { type PageTheme, themeFaults } from "./PageTheme.ts"

/** Source: docs/reference/configuration.md#brand. */
export interface Brand {
  /** The service's name, which stands in the titles of the API's description (`<name> API`), `/docs` and the portal. Without it titles have no name. Source: docs/reference/http-conventions.md#description. */
  readonly name: string | null
  /** What the service is, as the first paragraph of the API's description. Without it a neutral sentence stands there. */
  readonly description: string | null
  /** The vendor's own site, which is the contact of the API's description. */
  readonly url: string | null
  /** The address of an image, which is the `x-logo` of the API's description; `/docs` shows it where the theme has no logo. */
  readonly logo: string | null
  /** The terms under which others may use the API: `{ "name": "Terms of Acme", "url": "https://acme.example.com/terms" }`; `url` may be left out. */
  readonly licence: { readonly name: string; readonly url?: string | null | undefined } | null
  /** The look of the pages that people see, which are `/docs` and the portal. A chat on a page has its own. Source: docs/reference/webhooks-portal.md#theme. */
  readonly theme: PageTheme
  /** What API keys begin with. Default `svc_`. */
  readonly keyPrefix: string
  /** What the headers of webhooks begin with. Default `X-Service-`. Source: docs/reference/webhooks-receiving.md#request. */
  readonly headerPrefix: string
  /** The word of the messaging channel in paths, scopes, the product value of the compatible send, and the type of agents. Default `messaging`. Source: docs/reference/messaging.md#compatible-send. */
  readonly channel: string
  /** The field of a message's id at the platform. Default `msgid`. */
  readonly messageIdField: string
  /** The field of a list of such ids. Default `msgids`. */
  readonly messageIdsField: string
  /** The field of a person's id at the platform. Default `user_id`. */
  readonly userIdField: string
  /** Further product values of the compatible send, each with the field of a person's id: `[{ "product": "whatsapp", "user_id_field": "wa_id" }]`. Default `[]`. Source: docs/reference/messaging.md#compatible-moving. */
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
