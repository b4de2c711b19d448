/** Light or dark: fixed by the installation, or chosen by the person and kept in the browser. */
import { observed } from "./Observed.ts"
import { mount, settings } from "./Settings.ts"

export type Scheme = "system" | "light" | "dark"

export const isScheme = (value: unknown): value is Scheme => value === "system" || value === "light" || value === "dark"

const place = `dashboard.scheme ${new URL(mount).pathname}`

/** Storage may be forbidden, as it is in some frames: then the choice holds until the page is left. */
const kept = (): Scheme => {
  try {
    const value = localStorage.getItem(place)
    return isScheme(value) ? value : "system"
  } catch {
    return "system"
  }
}

/** False where the installation has decided. */
export const maySchemeBeChosen = settings.color_scheme === "system"

export const scheme = observed<Scheme>(maySchemeBeChosen ? kept() : settings.color_scheme)

const show = (): void => {
  const value = scheme.get()
  if (value === "system") document.documentElement.removeAttribute("data-scheme")
  else document.documentElement.setAttribute("data-scheme", value)
}

export const chooseScheme = (value: Scheme): void => {
  scheme.set(value)
  try {
    localStorage.setItem(place, value)
  } catch {
    // It holds until the page is left.
  }
}

/** Before the first paint of a component, so that nothing flashes. */
export const startScheme = (): void => {
  show()
  scheme.listen(show)
}
