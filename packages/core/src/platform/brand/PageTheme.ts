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

/** On these the least contrast is reached: the boxes of the page in the light and in the dark scheme. */
const grounds = { light: "#f6f7f9", dark: "#1d2026" }

/** The nearest shade of a colour that can be read on a ground. */
const shadeOn = (color: string, ground: string, towards: string): string => {
  for (let step = 0; step < 20; step++) {
    const shade = mix(color, towards, step / 20)
    if (contrast(shade, ground) >= readable) return shade
  }
  return towards
}

const accentStyle = (given: string): ReadonlyArray<string> => {
  const accent = given.toLowerCase()
  const onFill = contrast(white, accent) >= readable ? white : black
  // Away from its text, or the text would fade when the pointer is over the button.
  const strong = mix(accent, onFill === white ? black : white, 0.15)
  const both = (light: string, dark: string) => `light-dark(${light}, ${dark})`
  const strongest = shadeOn(accent, grounds.light, black)
  const lightest = shadeOn(accent, grounds.dark, white)
  return [
    `--accent: ${both(strongest, lightest)}`,
    `--fill: ${both(accent, accent)}`,
    `--fill-strong: ${both(strong, strong)}`,
    `--on-fill: ${both(onFill, onFill)}`
  ]
}

/** The rules that are added to the style sheet; empty for a theme that says nothing. */
export const themeStyle = ({ accent, colorScheme, font }: PageTheme): string => {
  const lines = [
    ...(colorScheme === undefined ? [] : [`color-scheme: ${colorScheme === "system" ? "light dark" : colorScheme}`]),
    ...(accent === undefined ? [] : accentStyle(accent)),
    ...(font === undefined ? [] : [`--font: ${font}`])
  ]
  return lines.length === 0 ? "" : `:root {\n${lines.map((line) => `  ${line};\n`).join("")}}\n`
}
