/** Whether the page has little room, as on a phone. */
import { useSyncExternalStore } from "react"

const query = window.matchMedia("(max-width: 767px)")

const listen = (heard: () => void): (() => void) => {
  query.addEventListener("change", heard)
  return () => query.removeEventListener("change", heard)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(listen, () => query.matches)
