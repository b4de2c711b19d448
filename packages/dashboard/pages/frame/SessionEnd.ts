/**
 * When the session of the person at the page ends, so that the page can say so in time. Each request that the server answers is a use,
 * from whatever tab of the browser, and prolongs the session.
 */
import { observed } from "./Observed.ts"
import { session } from "./PageSession.ts"

/** When the session ends, once that is near; null before. */
export const sessionEnd = observed<number | null>(null)

/** Two minutes, and the one within which the server does not write another use. */
const warnedMs = 180_000
const maxTimerMs = 2 ** 31 - 1
const place = "session used"

/** For how long a session lasts that is not used; null where there is none. */
let lastsMs: number | null = null
let usedAt = 0
let timer: ReturnType<typeof setTimeout> | undefined

const lastUse = (): number => {
  try {
    return Math.max(usedAt, Number(localStorage.getItem(place)))
  } catch {
    return usedAt
  }
}

const look = (): void => {
  clearTimeout(timer)
  if (lastsMs === null) {
    sessionEnd.set(null)
    return
  }
  const now = Date.now()
  const end = lastUse() + lastsMs
  const near = end - Math.min(warnedMs, lastsMs / 2)
  sessionEnd.set(near <= now && now < end ? end : null)
  if (now < end) timer = setTimeout(look, Math.min((now < near ? near : end) - now, maxTimerMs))
}

const forget = (): void => {
  usedAt = 0
  try {
    localStorage.removeItem(place)
  } catch {
    // Nothing was kept.
  }
}

/** True where somebody has been signed in with a session in this browser, and has not signed out. */
export const wasSignedIn = (): boolean => lastUse() > 0

/** The server has answered a request of the session. */
export const sessionUsed = (): void => {
  if (lastsMs === null) return
  usedAt = Date.now()
  try {
    localStorage.setItem(place, String(usedAt))
  } catch {
    // The other tabs do not hear of it.
  }
  if (sessionEnd.get() !== null) look()
}

session.listen(() => {
  const now = session.get()
  if (now.phase === "out") forget()
  const { expires_at = null, sign_in = null } = now.phase === "in" ? now.me : {}
  const left = sign_in === "session" && expires_at !== null ? Date.parse(expires_at) - Date.now() : 0
  // By a clock that is hours wrong it is over: the server says when it is.
  lastsMs = left > 0 ? left : null
  sessionUsed()
  look()
})
