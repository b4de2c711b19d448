/** Decides which server a process works with. Pure. Source: docs/reference/storage.md#servers. */

/** What a server shows of itself. */
export type Seen =
  /** It accepts writes. A promotion begins the next timeline. `now` is its clock, in milliseconds. */
  | { readonly _tag: "Primary"; readonly timeline: number; readonly now: number }
  /** A standby, or a server that was switched to reading. */
  | { readonly _tag: "ReadOnly" }
  /** It answers, and does not say what it is: it has no connection left, for example. */
  | { readonly _tag: "Unclear"; readonly error: unknown }
  | { readonly _tag: "Silent"; readonly error: unknown }

export interface Known {
  /** The server that the process works with, or null. */
  readonly current: number | null
  /** The highest timeline that the process has seen. */
  readonly timeline: number
}

/**
 * The place in the list of the server to work with, or null. A server on a lower timeline than the highest was superseded: it
 * is refused even where nothing else accepts writes. One that answers unclearly is kept, and not chosen.
 */
export const chooseServer = (seen: ReadonlyArray<Seen>, { current, timeline }: Known): number | null => {
  let chosen: number | null = null
  let highest = timeline
  for (const [place, server] of seen.entries()) {
    if (server._tag !== "Primary" || server.timeline < highest) continue
    if (server.timeline === highest && chosen !== null && place !== current) continue
    chosen = place
    highest = server.timeline
  }
  if (chosen !== null || current === null) return chosen
  return seen[current]?._tag === "Unclear" ? current : null
}
