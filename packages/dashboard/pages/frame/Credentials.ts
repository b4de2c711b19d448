/**
 * The token of a host, where one signs in that way. It comes in the fragment, in a message of the window around the page, or from an
 * address of the host; it is in memory alone, and gone from the address before the first request.
 */
import { observed } from "./Observed.ts"
import { isFramed, mount, settings } from "./Settings.ts"

export const token = observed<string | null>(null)

/** What stood in the fragment: a token, or a link that signs in. Anything else is a place of the page. */
export const secretOf = (hash: string): { readonly kind: "token" | "link"; readonly value: string } | null => {
  const found = /^#(token|link)=([^&]+)/.exec(hash)
  if (found === null) return null
  return { kind: found[1] as "token" | "link", value: decodeURIComponent(found[2] ?? "") }
}

/** The instant at which a token ends, by its own word; null where it cannot be read. */
export const endOf = (jwt: string): number | null => {
  try {
    const payload = (jwt.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")
    const { exp } = JSON.parse(atob(payload)) as { readonly exp?: unknown }
    return typeof exp === "number" ? exp * 1000 : null
  } catch {
    return null
  }
}

/** The window around the page has to give another token; FrameMessages.ts sends it. */
let announceEnd: () => void = () => {}
export const onEnd = (announce: () => void): void => {
  announceEnd = announce
}

/** How long the window around the page has for another token before the person is asked. */
const hostHasMs = 4000

const fromAddress = async (address: string): Promise<boolean> => {
  try {
    const url = new URL(address, mount)
    if (url.origin !== location.origin) return false
    const answer = await fetch(url, { credentials: "same-origin", cache: "no-store" })
    const body = (answer.ok ? await answer.json() : {}) as { readonly token?: unknown }
    if (typeof body.token !== "string") return false
    token.set(body.token)
    return true
  } catch {
    return false
  }
}

const fromHost = (): Promise<boolean> =>
  new Promise((resolve) => {
    const before = token.get()
    const settled = (renewed: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(renewed)
    }
    const timer = setTimeout(() => settled(false), hostHasMs)
    const stop = token.listen(() => token.get() !== before && settled(true))
    announceEnd()
  })

let renewing: Promise<boolean> | null = null

/** Another token, however many ask for it; false where nobody gives one. */
export const renew = (): Promise<boolean> => {
  const ask = async (): Promise<boolean> => {
    if (settings.token_url !== null) return fromAddress(settings.token_url)
    return isFramed ? fromHost() : false
  }
  renewing ??= ask().finally(() => {
    renewing = null
  })
  return renewing
}

const aheadMs = 60_000
const maxTimerMs = 2 ** 31 - 1

/** A minute before a token ends, another one is asked for. A token that has ended by this machine's clock is left to the server. */
export const startRenewal = (): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const jwt = token.get()
    const end = jwt === null ? null : endOf(jwt)
    if (end === null || end <= Date.now()) return
    timer = setTimeout(() => void renew(), Math.min(Math.max(0, end - aheadMs - Date.now()), maxTimerMs))
  }
  token.listen(plan)
  plan()
}
