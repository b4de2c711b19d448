/** How long a customer may still be answered in free words. Pure. */

/** `none`: this channel takes words at any time. */
export type WindowLeft =
  | { readonly kind: "none" }
  | { readonly kind: "closed" }
  | { readonly kind: "open"; readonly minutes: number; readonly isSoonOver: boolean }

const minuteMs = 60_000
/** From then on the list and the timer point it out. */
const soonMinutes = 120

export const windowLeft = (expiresAt: string | null, hasWindow: boolean, now: number): WindowLeft => {
  if (!hasWindow) return { kind: "none" }
  const left = expiresAt === null ? 0 : Date.parse(expiresAt) - now
  if (left <= 0) return { kind: "closed" }
  // The last minute counts as one: there is still time.
  const minutes = Math.max(1, Math.floor(left / minuteMs))
  return { kind: "open", minutes, isSoonOver: minutes < soonMinutes }
}

/** Hours and minutes: seconds would be read aloud without end. */
export const hoursAndMinutes = (minutes: number): { readonly h: number; readonly m: number } => ({
  h: Math.floor(minutes / 60),
  m: minutes % 60
})
