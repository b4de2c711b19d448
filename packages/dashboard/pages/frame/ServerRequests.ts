/**
 * Requests to the product: the client of the API below the page's mount point, with the present token or the browser's cookies. An
 * answer 401 is met once, however many requests get it: by another token, or by the dialog "Sign in".
 */
import { ApiError, agents, calling, createClient, messaging, platform, voice, webhooks } from "@trunkline/client"
import { connected, doubt } from "./ConnectionStatus.ts"
import { renew, token } from "./Credentials.ts"
import { inOwnPath } from "./OwnWords.ts"
import { session, sessionChanges, sessionEnded } from "./PageSession.ts"
import { sessionUsed } from "./SessionEnd.ts"
import { mount, settings } from "./Settings.ts"

const withToken = (request: RequestInit): RequestInit => {
  const headers = new Headers(request.headers)
  const held = token.get()
  if (held !== null) headers.set("authorization", `Bearer ${held}`)
  return { ...request, headers, credentials: "same-origin", cache: "no-store" }
}

/**
 * Sends one request; once more where the first was not taken and the person has another token by then, or has signed in again. A 401
 * has done nothing, so writes may follow, too.
 */
export const send = async (url: string, request: RequestInit = {}): Promise<Response> => {
  const used = token.get()
  const changesBefore = sessionChanges()
  const attempt = async (): Promise<Response> => {
    try {
      const answer = await fetch(inOwnPath(url, settings.brand.channel), withToken(request))
      if (answer.status < 500) connected()
      if (answer.ok && used === null) sessionUsed()
      return answer
    } catch (error) {
      if (!request.signal?.aborted) doubt()
      throw error
    }
  }
  const answer = await attempt()
  if (answer.status === 403) forbidden()
  if (answer.status !== 401 || isSignIn(url)) return answer
  const isNewer = token.get() !== used || sessionChanges() !== changesBefore
  if (isNewer || (await renew())) {
    const again = await attempt()
    if (again.status !== 401) return again
  }
  sessionEnded()
  return answer
}

/** What a person may do has become less than the page knows. */
let forbidden: () => void = () => {}
export const onForbidden = (run: () => void): void => {
  forbidden = run
}

/** There a 401 is about the password that was sent. */
const isSignIn = (url: string): boolean => /\/api\/v1\/session(\/|$|\?)/.test(url)

/** How every part of the client is made: that of a page may come with the page. */
export const clientOptions = {
  url: mount,
  fetch: send,
  headerPrefix: settings.brand.header_prefix,
  maxRetries: 0,
  timeoutMs: 30_000
} as const

export const api = createClient({
  ...clientOptions,
  areas: [platform, calling, agents, messaging, voice, webhooks]
})

export const isStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status

/** Whether nobody knows if the server has done what was asked. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && [0, 408, 502, 503, 504].includes(error.status)

/** A text that no other order has; `crypto.randomUUID` is missing where the page came without TLS. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** True while a cookie signs in: then the browser may load files by itself. */
export const signsInByCookie = (): boolean => token.get() === null && session.get().phase === "in"
