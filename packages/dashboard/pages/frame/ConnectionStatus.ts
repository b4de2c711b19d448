/** Whether the page hears of changes, and since when it does not. */
import { observed } from "./Observed.ts"

export type ConnectionStatus =
  | { readonly state: "live" }
  | { readonly state: "reconnecting"; readonly since: number }
  | { readonly state: "offline"; readonly since: number }

export const connection = observed<ConnectionStatus>({ state: "live" })

export const connected = (): void => {
  if (connection.get().state !== "live") connection.set({ state: "live" })
}

/** What was connected is so no longer; the next attempt says whether the server is away. */
export const interrupted = (): void => {
  if (connection.get().state === "live") connection.set({ state: "reconnecting", since: Date.now() })
}

/** An attempt to reach the server has failed. */
export const unreachable = (): void => {
  const now = connection.get()
  if (now.state !== "offline")
    connection.set({ state: "offline", since: now.state === "live" ? Date.now() : now.since })
}

/** A request could not be sent: the connection is tried at once. */
let check: () => void = () => {}
export const onDoubt = (run: () => void): void => {
  check = run
}
export const doubt = (): void => check()
