/** How pages of the product look that people see: the portal, the API's reference. Pure. Source: docs/reference/configuration.md#theme. */

export interface PageTheme {
  /** The colour of buttons, links and the focus, such as `#2154c4`. Shades that can be read on light and on dark are derived from it. */
  readonly accent?: string
  /** The font families of the texts, which the reader's machine must have, as CSS lists them: `Inter, system-ui, sans-serif`. */
  readonly font?: string
  /** Whether pages are light or dark. Without it they follow the reader's system. */
  readonly colorScheme?: "system" | "light" | "dark"
  /** The image above the page: a PNG, JPEG, WebP or SVG of at most 64 KiB. The library takes it as a `data:` URL in base64, a file of the configuration names it. */
  readonly logo?: string
}

interface ThemeFault {
  readonly key: keyof PageTheme
  /** Goes on after the name of the setting: `must be …`. */
  readonly message: string
}

const maxFontLength = 200
const maxLogoLength = 4 * Math.ceil((64 * 1024) / 3) + 64

/** Nothing of it may end the declaration, or name a file. */
const fonts = /^(?=.*\w)[\w ,'"-]+$/
const logos = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/

/** What is wrong with an image, as a sentence that goes on after its name; null for one that can be used. */
export const imageFault = (url: string): string | null =>
  logos.test(url) && url.length <= maxLogoLength
    ? null
    : "must be a PNG, JPEG, WebP or SVG image of at most 64 KiB: data:image/…;base64,…"

/** Everything that is wrong with a theme; found at start-up. */
export const themeFaults = ({ accent, colorScheme, font, logo }: PageTheme): ReadonlyArray<ThemeFault> => [
  ...(accent === undefined || /^#[0-9a-f]{6}$/i.test(accent)
    ? []
    : [{ key: "accent", message: "must be a colour such as #2154c4" } as const]),
  ...(font === undefined || (fonts.test(font) && font.length <= maxFontLength)
    ? []
    : [{ key: "font", message: "must be font families with commas between, such as Inter, system-ui" } as const]),
  ...(colorScheme === undefined || ["system", "light", "dark"].includes(colorScheme)
    ? []
    : [{ key: "colorScheme", message: 'must be "system", "light" or "dark"' } as const]),
  ...[logo === undefined ? null : imageFault(logo)].flatMap((message) =>
    message === null ? [] : [{ key: "logo", message } as const]
  )
]

type Channels = readonly [red: number, green: number, blue: number]

const channelsOf = (color: string): Channels => {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** A colour, moved towards another one by a share from 0 to 1. */
const mix = (from: string, to: string, share: number): string => {
  const target = channelsOf(to)
  const mixed = channelsOf(from).map((channel, i) => Math.round(channel + (target[i]! - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`
}

const luminance = (color: string): number => {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** WCAG's contrast of two colours, from 1 to 21. */
export const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** What WCAG asks of texts. */
const readable = 4.5
const [black, white] = ["#000000", "#ffffff"]

/** Where a page shows its colours. */
export interface Surfaces {
  /** On these the least contrast is reached, in the light and in the dark scheme. */
  readonly light: string
  readonly dark: string
  /** The least contrast of a button with them. */
  readonly button: number
}

/** The boxes of the portal, whose buttons have the very colour of the installation. */
const portalSurfaces: Surfaces = { light: "#f6f7f9", dark: "#1d2026", button: 1 }

/** Rows of the dashboard under the pointer. WCAG asks for 3:1 of what shows a control. */
export const dashboardSurfaces: Surfaces = { light: "#f0f2f5", dark: "#24282f", button: 3 }

/** The nearest shade of a colour that has a contrast with a ground. */
const shadeOn = (color: string, ground: string, towards: string, least: number): string => {
  for (let step = 0; step < 20; step++) {
    const shade = mix(color, towards, step / 20)
    if (contrast(shade, ground) >= least) return shade
  }
  return towards
}

/** The colours of a scheme. */
const schemeOf = (accent: string, ground: string, towards: string, button: number) => {
  const fill = shadeOn(accent, ground, towards, button)
  const onFill = contrast(white, fill) >= readable ? white : black
  // Away from its text, or the text would fade when the pointer is over the button; unless the button itself would.
  const strong = [onFill === white ? black : white, onFill]
    .map((end) => mix(fill, end, 0.15))
    .find((shade) => contrast(shade, onFill) >= readable && contrast(shade, ground) >= button)
  return { accent: shadeOn(accent, ground, towards, readable), fill, strong: strong ?? fill, onFill }
}

const accentStyle = (given: string, surfaces: Surfaces): ReadonlyArray<string> => {
  const accent = given.toLowerCase()
  const light = schemeOf(accent, surfaces.light, black, surfaces.button)
  const dark = schemeOf(accent, surfaces.dark, white, surfaces.button)
  return [
    `--accent: light-dark(${light.accent}, ${dark.accent})`,
    `--fill: light-dark(${light.fill}, ${dark.fill})`,
    `--fill-strong: light-dark(${light.strong}, ${dark.strong})`,
    `--on-fill: light-dark(${light.onFill}, ${dark.onFill})`
  ]
}

/** The rules that are added to the style sheet; empty for a theme that says nothing. */
export const themeStyle = ({ accent, colorScheme, font }: PageTheme, surfaces: Surfaces = portalSurfaces): string => {
  const lines = [
    ...(colorScheme === undefined ? [] : [`color-scheme: ${colorScheme === "system" ? "light dark" : colorScheme}`]),
    ...(accent === undefined ? [] : accentStyle(accent, surfaces)),
    ...(font === undefined ? [] : [`--font: ${font}`])
  ]
  return lines.length === 0 ? "" : `:root {\n${lines.map((line) => `  ${line};\n`).join("")}}\n`
}
