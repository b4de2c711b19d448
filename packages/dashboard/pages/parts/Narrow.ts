/** Whether the page has little room, as on a phone. */
import { type ReactNode, useSyncExternalStore } from "react"

const narrow = window.matchMedia("(max-width: 767px)")
/** Beside the navigation not every column of a list has room. */
const medium = window.matchMedia("(max-width: 1151px)")

const useMatches = (query: MediaQueryList): boolean =>
  useSyncExternalStore(
    (heard) => {
      query.addEventListener("change", heard)
      return () => query.removeEventListener("change", heard)
    },
    () => query.matches
  )

export const useIsNarrow = (): boolean => useMatches(narrow)

/** How much room a page has: 0 on a phone, 2 on a wide screen. */
export const useRoom = (): 0 | 1 | 2 => {
  const [isNarrow, isMedium] = [useMatches(narrow), useMatches(medium)]
  return isNarrow ? 0 : isMedium ? 1 : 2
}

/** What stands in a list only where there is no room for a column of its own. */
export const OnPhone = ({ children }: { readonly children: ReactNode }) => (useIsNarrow() ? children : null)
