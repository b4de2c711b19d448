/** The installation's image above the navigation and the forms: the dark one where the page is dark, by the choice of the system or of the person. */
import { useObserved } from "./Observed.ts"
import { scheme } from "./SchemeChoice.ts"
import { settings } from "./Settings.ts"

export const LogoImage = ({ className }: { readonly className: string }) => {
  const { logo, logo_dark } = settings
  const shown = useObserved(scheme)
  if (logo === null) return null
  const dark = logo_dark ?? logo
  return shown === "system" ? (
    <picture className="flex-none">
      <source srcSet={dark} media="(prefers-color-scheme: dark)" />
      <img src={logo} alt="" className={className} />
    </picture>
  ) : (
    <img src={shown === "dark" ? dark : logo} alt="" className={`flex-none ${className}`} />
  )
}
