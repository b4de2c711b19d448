/** The section `brand`: its keys, what is wrong with them, and the brand that they make. Pure. */
import { type Brand, brandFaults, neutralBrand } from "@trunkline/core/effect"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import { property } from "./ConfigValue.ts"
import { themeOf, themeRules } from "./PageThemes.ts"

const brandNames = {
  name: "name",
  description: "description",
  url: "url",
  logo: "logo",
  key_prefix: "keyPrefix",
  header_prefix: "headerPrefix",
  channel: "channel",
  message_id_field: "messageIdField",
  message_ids_field: "messageIdsField",
  user_id_field: "userIdField"
} as const

/** The whole brand, with neutral names where the file has none. `logo` is the image that its theme names. */
export const brandOf = ({ brand }: Sections, logo: string | null): Brand => ({
  ...neutralBrand,
  ...Object.fromEntries(
    Object.entries(brandNames).flatMap(([key, name]) => {
      const value = brand[key as keyof typeof brandNames]
      return value === undefined ? [] : [[name, value]]
    })
  ),
  licence: brand.licence ?? null,
  theme: themeOf(brand.theme, logo),
  productAliases: (brand.product_aliases ?? []).map(({ product, user_id_field }) => ({
    product,
    userIdField: user_id_field
  }))
})

/** The well-formed aliases: the schema reports the others. */
const aliasesOf = (given: unknown): Brand["productAliases"] =>
  (Array.isArray(given) ? given : []).flatMap((alias) => {
    const [product, userIdField] = [property(alias, "product"), property(alias, "user_id_field")]
    return typeof product === "string" && typeof userIdField === "string" ? [{ product, userIdField }] : []
  })

/** A brand whose field names nobody chooses, so that one name can be checked alone. */
const unlikelyBrand: Brand = { ...neutralBrand, messageIdField: "a__1", messageIdsField: "a__2", userIdField: "a__3" }

/** Each key is checked by itself, so that a fault has its path; then all together. */
export const brandRules = (given: unknown): ReadonlyArray<Fault> => {
  const texts = Object.entries(brandNames).flatMap(([key, name]) => {
    const value = property(given, key)
    return typeof value === "string" ? [{ key, name, value }] : []
  })
  const ofKeys = texts.flatMap(({ key, name, value }) =>
    brandFaults({ ...unlikelyBrand, [name]: value }).map((message) => ({ path: `brand.${key}`, message }))
  )
  const whole = { ...neutralBrand, ...Object.fromEntries(texts.map(({ name, value }) => [name, value])) }
  const ofWhole = brandFaults({ ...whole, productAliases: aliasesOf(property(given, "product_aliases")) })
    .filter((message) => ofKeys.every((fault) => fault.message !== message))
    .map((message) => ({ path: "brand", message }))
  return [...ofKeys, ...ofWhole, ...themeRules(property(given, "theme"), "brand.theme")]
}
