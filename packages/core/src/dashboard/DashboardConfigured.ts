/** What a host decides about its dashboard, as the rooms know it. Its options have been checked. */
import * as Layer from "effect/Layer"
import { type Brand, DashboardFacts, type PageTheme } from "../platform/brand/index.ts"
import { standardOidc } from "../platform/oidc/index.ts"
import { type PlatformOptions, settings as platformSettings } from "../platform/PlatformOptions.ts"
import { effective } from "../platform/settings/index.ts"
import type { DashboardChoice } from "./DashboardOptions.ts"
import { type DashboardOptions, settings } from "./PageOptions.ts"
import { DashboardPage, type PageFiles } from "./pages/index.ts"

const chosen = (options: DashboardOptions) => effective(settings, { dashboard: options }).dashboard

type Chosen = ReturnType<typeof chosen>

/** All of it is said, so that the style sheet has every variable. */
const themeOf = ({ accent, colorScheme, font }: Chosen, brand: PageTheme): Required<Omit<PageTheme, "logo">> => ({
  accent: accent ?? brand.accent ?? "#2154c4",
  font: font ?? brand.font ?? "system-ui, sans-serif",
  colorScheme: colorScheme ?? brand.colorScheme ?? "system"
})

const partsOf = (
  options: Chosen,
  files: PageFiles,
  { brand, label, signsIn }: { readonly brand: Brand; readonly label: string | null; readonly signsIn: boolean }
) => {
  const theme = themeOf(options, brand.theme)
  const logo = options.logo ?? brand.theme.logo ?? null
  return {
    files,
    brand,
    theme,
    icon: options.icon,
    frameAncestors: options.frameAncestors,
    choices: {
      name: options.name ?? brand.name ?? "Dashboard",
      color_scheme: theme.colorScheme,
      logo,
      logo_dark: options.logoDark ?? logo,
      words: options.words ?? {},
      hidden: options.hidden,
      help_url: options.helpUrl,
      token_url: options.tokenUrl,
      sign_in_url: options.signInUrl,
      sign_in: signsIn,
      oidc: label,
      outcomes: options.outcomes,
      preview_hold_seconds: options.previewHoldSeconds
    }
  }
}

export const configured = (given: DashboardChoice & PlatformOptions, brand: Brand) => {
  const { dashboard } = given
  const { auth } = effective(platformSettings, given)
  const signsIn = auth.signIn.enabled
  const label = auth.oidc === undefined ? null : (auth.oidc.label ?? standardOidc.label)
  const options = chosen(dashboard?.options ?? {})
  const { outcomes, previewHoldSeconds, publicUrl } = options
  const isServed = dashboard !== undefined && options.enabled
  return Layer.merge(
    Layer.succeed(DashboardFacts, { outcomes, previewHoldSeconds, publicUrl }),
    // The function that makes the provider knows the type of its files.
    Layer.succeed(
      DashboardPage,
      isServed ? partsOf(options, dashboard.files as PageFiles, { brand, label, signsIn }) : null
    )
  )
}
