/**
 * The stream of changes: one for each browser and person. The tab that holds the lock reads it, and broadcasts what it hears; when it
 * closes, another tab gets the lock. Where there is no stream, the page asks every ten seconds while it is visible.
 */

import type { Me } from "@trunkline/client"
import { createParser } from "eventsource-parser"
import { type ConnectionStatus, connected, connection, interrupted, onDoubt, unreachable } from "./ConnectionStatus.ts"
import { lookAgain } from "./Entering.ts"
import { isAskedToSignIn } from "./PageSession.ts"
import { firstReads, isReading, readAllAgain, readTopicsAgain } from "./QueryCache.ts"
import { send } from "./ServerRequests.ts"
import { mount } from "./Settings.ts"

type Heard =
  | { readonly kind: "changed"; readonly topics: ReadonlyArray<string> }
  | { readonly kind: "everything" }
  | { readonly kind: "status"; readonly status: ConnectionStatus }
  /** The reader is alive, though nothing has changed. */
  | { readonly kind: "alive" }
  | { readonly kind: "hello" }
  /** Somebody has signed in again: the cookie is that of all tabs. */
  | { readonly kind: "signed in" }

/** The server sends a comment every 15 s at least. */
const silentMs = 40_000
const pollMs = 10_000
const firstWaitMs = 300
const maxWaitMs = 3000
/** A timer that is so much late has slept with its machine. */
const sleptMs = 20_000
const tickMs = 5000

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener("abort", done)
  })

interface Reader {
  readonly onHeard: (heard: Heard) => void
  readonly signal: AbortSignal
}

/** Reads one connection to its end. What it answers is how it went. */
const readOnce = async ({ onHeard, signal }: Reader): Promise<"ended" | "away" | "none" | "signed out"> => {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silentMs)
    onHeard({ kind: "alive" })
  }
  try {
    alive()
    const answer = await send(`${mount}api/v1/stream`, {
      headers: { accept: "text/event-stream" },
      signal: AbortSignal.any([signal, silence.signal])
    })
    if (answer.status === 401) return "signed out"
    if (answer.status >= 500) return "away"
    if (!answer.ok || answer.body === null) return "none"
    const parser = createParser({
      onEvent: ({ data, event }) => {
        if (event === "changed") onHeard({ kind: "changed", topics: topicsOf(data) })
        if (event === "resync") onHeard({ kind: "everything" })
      }
    })
    onHeard({ kind: "status", status: { state: "live" } })
    onHeard({ kind: "everything" })
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    while (true) {
      const { done, value } = await reader.read()
      if (done) return "ended"
      alive()
      parser.feed(value)
    }
  } catch {
    return "away"
  } finally {
    clearTimeout(timer)
  }
}

const topicsOf = (data: string): ReadonlyArray<string> => {
  try {
    const { topics } = JSON.parse(data) as { readonly topics?: unknown }
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === "string") : []
  } catch {
    return []
  }
}

const signedIn = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (!isAskedToSignIn.get()) return resolve()
    const stop = isAskedToSignIn.listen(() => {
      if (isAskedToSignIn.get()) return
      stop()
      resolve()
    })
    signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** Reads one connection after the other for as long as this tab is the one that does. */
const readAll = async ({ onHeard, signal }: Reader, hurry: { wake: () => void }): Promise<void> => {
  let failures = 0
  while (!signal.aborted) {
    const began = Date.now()
    const attempt = new AbortController()
    hurry.wake = () => attempt.abort()
    const how = await readOnce({ onHeard, signal: AbortSignal.any([signal, attempt.signal]) })
    if (signal.aborted) return
    const say = (status: ConnectionStatus) => onHeard({ kind: "status", status })
    const since = (() => {
      const now = connection.get()
      return now.state === "live" ? Date.now() : now.since
    })()
    if (how === "signed out") {
      await signedIn(signal)
      continue
    }
    if (how === "none") {
      say({ state: "live" })
      await polled(signal, onHeard)
      continue
    }
    failures = how === "ended" || Date.now() - began > tickMs ? 0 : failures + 1
    say(failures === 0 ? { state: "reconnecting", since } : { state: "offline", since })
    const pause = new AbortController()
    hurry.wake = () => pause.abort()
    const spread = 0.5 + Math.random() / 2
    await wait(Math.min(firstWaitMs * 2 ** failures, maxWaitMs) * spread, AbortSignal.any([signal, pause.signal]))
  }
}

/** A minute of asking in place of the stream: then the stream is tried again. */
const polled = async (signal: AbortSignal, onHeard: (heard: Heard) => void): Promise<void> => {
  for (let nth = 0; nth < 6 && !signal.aborted; nth++) {
    await wait(pollMs, signal)
    if (!document.hidden && !isReading()) onHeard({ kind: "everything" })
  }
}

/** Starts to hear of changes; what it returns ends that. */
export const startChanges = (me: Me): (() => void) => {
  const ended = new AbortController()
  const { signal } = ended
  const name = `dashboard.changes ${new URL(mount).pathname} ${me.account.id} ${me.subject} ${me.role}`
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name)
  const hurry = { wake: () => {} }
  let isReader = false
  let heardAt = Date.now()

  const take = (heard: Heard): void => {
    heardAt = Date.now()
    if (heard.kind === "changed") readTopicsAgain(new Set(heard.topics))
    if (heard.kind === "everything") readAllAgain()
    if (heard.kind === "hello" && isReader) channel?.postMessage({ kind: "status", status: connection.get() })
    if (heard.kind === "signed in" && isAskedToSignIn.get()) lookAgain()
    if (heard.kind !== "status") return
    const { status } = heard
    const before = connection.get().state
    if (status.state === "live") {
      connected()
      if (before !== "live" && !isReader) readAllAgain()
    } else {
      interrupted()
      if (status.state === "offline") unreachable()
    }
  }
  const onHeard = (heard: Heard): void => {
    channel?.postMessage(heard)
    take(heard)
  }
  const read = (own: AbortSignal) => {
    isReader = true
    return readAll({ onHeard, signal: own }, hurry)
  }

  /** Without locks, as where the page came without TLS, each tab has a stream of its own. */
  const compete = (steal: boolean): void => {
    if (navigator.locks === undefined) return void read(signal)
    const options = steal ? { steal } : { signal }
    const own = new AbortController()
    navigator.locks
      .request(name, options, () => read(AbortSignal.any([signal, own.signal])))
      .catch(() => {
        // Another tab has taken the stream over, because this one slept.
        own.abort()
        isReader = false
        if (!signal.aborted) compete(false)
      })
  }

  const wake = (): void => {
    if (document.hidden) return
    if (isReader) hurry.wake()
    else channel?.postMessage({ kind: "hello" })
    readAllAgain()
  }
  if (channel !== null) channel.onmessage = ({ data }: MessageEvent<Heard>) => take(data)
  onDoubt(() => {
    interrupted()
    if (isReader) hurry.wake()
    else channel?.postMessage({ kind: "hello" })
  })

  const stopAsking = isAskedToSignIn.listen(() => {
    if (!isAskedToSignIn.get()) channel?.postMessage({ kind: "signed in" } satisfies Heard)
  })

  let tickedAt = Date.now()
  const tick = setInterval(() => {
    const late = Date.now() - tickedAt
    tickedAt = Date.now()
    if (late > sleptMs) wake()
    else if (!isReader && Date.now() - heardAt > silentMs + tickMs) {
      heardAt = Date.now()
      compete(true)
    }
  }, tickMs)
  const restored = (event: PageTransitionEvent) => event.persisted && wake()
  window.addEventListener("online", wake)
  window.addEventListener("pageshow", restored)
  void firstReads().then(() => {
    if (!signal.aborted) compete(false)
  })
  channel?.postMessage({ kind: "hello" } satisfies Heard)

  return () => {
    ended.abort()
    clearInterval(tick)
    stopAsking()
    window.removeEventListener("online", wake)
    window.removeEventListener("pageshow", restored)
    channel?.close()
    connected()
  }
}
