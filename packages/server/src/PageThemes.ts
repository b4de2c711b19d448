/** The key `theme` of a section: what is wrong with it, and the look that it makes. */
import { readFileSync } from "node:fs"
import { extname, resolve } from "node:path"
import { type PageTheme, themeFaults } from "@trunkline/core/effect"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import { property } from "./ConfigValue.ts"

const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".svg": "image/svg+xml"
}

/** The image of a theme's logo as a `data:` URL, which a page shows without a request; null where the theme names none. */
export const logoOf = (theme: unknown, path: string, folder: string): { readonly url: string | null } | Fault => {
  const named = property(theme, "logo")
  if (typeof named !== "string") return { url: null }
  const at = `${path}.logo`
  const file = resolve(folder, named)
  const type = imageTypes[extname(file).toLowerCase()]
  if (type === undefined) return { path: at, message: "must be a file that ends in .png, .jpg, .webp or .svg" }
  try {
    const url = `data:${type};base64,${readFileSync(file).toString("base64")}`
    return themeFaults({ logo: url }).length === 0
      ? { url }
      : { path: at, message: `must be an image of at most 64 KiB, which ${file} is not` }
  } catch (error) {
    return { path: at, message: `is a file that cannot be read: ${(error as Error).message}` }
  }
}

/** What the pages themselves say of a colour and of fonts. */
export const themeRules = (theme: unknown, path: string): ReadonlyArray<Fault> => {
  const texts = Object.fromEntries(
    ["accent", "font"].flatMap((key) => {
      const value = property(theme, key)
      return typeof value === "string" ? [[key, value]] : []
    })
  )
  return themeFaults(texts).map(({ key, message }) => ({ path: `${path}.${key}`, message }))
}

/** The look under the library's names, without what was left out. */
export const themeOf = (theme: NonNullable<Sections["brand"]["theme"]> = {}, logo: string | null): PageTheme => ({
  ...(theme.accent === undefined ? {} : { accent: theme.accent }),
  ...(theme.font === undefined ? {} : { font: theme.font }),
  ...(theme.color_scheme === undefined ? {} : { colorScheme: theme.color_scheme }),
  ...(logo === null ? {} : { logo })
})
