/** Messages to the window around the page, without secrets, and from it, of the origins that may frame the page. */
import { onEnd, token } from "./Credentials.ts"
import { isScheme, scheme } from "./SchemeChoice.ts"
import { isFramed, settings } from "./Settings.ts"

type Event =
  | { readonly event: "height"; readonly height: number }
  | { readonly event: "expired" }
  | { readonly event: "path"; readonly path: string }
  | { readonly event: "title"; readonly title: string }

export const post = (event: Event): void => {
  if (isFramed) window.parent.postMessage({ source: "dashboard", ...event }, "*")
}

/** `https://*.example.com` names every host below. */
const allows = (named: string, origin: string): boolean => {
  if (named === origin) return true
  const [before, after] = named.split("://*.")
  return after !== undefined && origin.startsWith(`${before}://`) && origin.endsWith(`.${after}`)
}

const isAllowed = (origin: string): boolean =>
  origin === location.origin || settings.frame_origins.some((named) => allows(named, origin))

export const startMessages = (go: (place: string) => void): void => {
  if (!isFramed) return
  onEnd(() => post({ event: "expired" }))
  new ResizeObserver(() => post({ event: "height", height: document.documentElement.scrollHeight })).observe(
    document.body
  )
  window.addEventListener("message", ({ data, origin, source }) => {
    if (source !== window.parent || !isAllowed(origin)) return
    if (typeof data !== "object" || data === null || data.target !== "dashboard") return
    if (typeof data.token === "string" && data.token !== "") token.set(data.token)
    if (isScheme(data.theme)) scheme.set(data.theme)
    if (typeof data.path === "string" && data.path.startsWith("/")) go(data.path)
  })
}
