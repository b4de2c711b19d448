/** Images of pages, which a file names, and the key `theme` of a section. */
import { readFileSync } from "node:fs"
import { extname, resolve } from "node:path"
import { type PageTheme, themeFaults } from "@trunkline/core/provider"
import type { Fault } from "./ConfigFaults.ts"

const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".svg": "image/svg+xml"
}

/** An image as a `data:` URL, which a page shows without a request; null where the key `at` names none. */
export const imageOf = (
  named: string | null | undefined,
  at: string,
  folder: string
): { readonly url: string | null } | Fault => {
  if (named === undefined || named === null) return { url: null }
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

/** The look, with the image itself in the place of its file's name. */
export const themeOf = ({ logo: _, ...theme }: PageTheme = {}, logo: string | null): PageTheme => ({
  ...theme,
  ...(logo === null ? {} : { logo })
})
