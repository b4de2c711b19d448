/** A page from before an update: its next file is gone. It is loaded anew by itself, once for each version. */
import { settings } from "./Settings.ts"

const place = `reloaded from ${settings.version}`

/** True of an error about a file that could not be loaded. */
export const isOldPage = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script|preload CSS|Importing a module/i.test(error.message)

/** True where the page had been loaded anew for this before, which did not help. */
const isSecondTime = (): boolean => {
  try {
    if (sessionStorage.getItem(place) !== null) return true
    sessionStorage.setItem(place, "yes")
    return false
  } catch {
    return true
  }
}

export const startOldPage = (): void =>
  window.addEventListener("vite:preloadError", () => {
    if (!isSecondTime()) location.reload()
  })
