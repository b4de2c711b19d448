/** How pages look that people see: of a brand, and of the portal where it differs. Pure. Source: docs/reference/configuration.md#theme. */
import { type PageTheme, themeFaults } from "../brand/index.ts"
import { checked, oneOf, section, typed } from "./Setting.ts"

/** The page itself knows what it can be dressed with. */
const look = (key: keyof PageTheme, must: string) =>
  checked<string>(must, (given) =>
    typeof given === "string" ? (themeFaults({ [key]: given })[0]?.message ?? null) : must
  )

/** PageTheme.ts has their sentences. */
export const theme = typed<PageTheme>(
  section({
    accent: look("accent", "must be a colour such as #2154c4"),
    font: look("font", "must be font families with commas between, such as Inter, system-ui"),
    colorScheme: oneOf("system", "light", "dark"),
    logo: look("logo", "must be a PNG, JPEG, WebP or SVG image of at most 64 KiB: data:image/…;base64,…")
  })
)
