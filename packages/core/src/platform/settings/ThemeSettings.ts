/** How pages look that people see: of a brand, and of the portal where it differs. Pure. Source: docs/reference/configuration.md#theme. */
import { type PageTheme, themeFaults } from "../kernel/index.ts"
import { checked, oneOf, section } from "./Setting.ts"

/** The page itself knows what it can be dressed with. */
const look = (key: keyof PageTheme, must: string) =>
  checked<string>(must, (given) =>
    typeof given === "string" ? (themeFaults({ [key]: given })[0]?.message ?? null) : must
  )

export const theme = section({
  /** The colour of buttons, links and the focus, such as `#2154c4`. Shades that can be read on light and on dark are derived from it. */
  accent: look("accent", "must be a colour such as #2154c4"),
  /** The font families of the texts, which the reader's machine must have, as CSS lists them: `Inter, system-ui, sans-serif`. */
  font: look("font", "must be font families with commas between, such as Inter, system-ui"),
  /** Whether pages are light or dark. Without it they follow the reader's system. */
  colorScheme: oneOf("system", "light", "dark"),
  /** The image above the page: a PNG, JPEG, WebP or SVG of at most 64 KiB. The library takes it as a `data:` URL in base64, a file of the configuration names it. */
  logo: look("logo", "must be a PNG, JPEG, WebP or SVG image of at most 64 KiB: data:image/…;base64,…")
})
