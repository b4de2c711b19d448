/** When a callee on the simulator speaks and hangs up, by what it hears. Pure. Source: docs/guides/voice-quickstart.md. */

/** Instants of a monotonic clock, in milliseconds. */
export interface Heard {
  /** When the call was answered; null while it rings. */
  readonly answeredAt: number | null
  /** When something was heard last; null before. */
  readonly heardAt: number | null
  /** When the callee has said its file, or has nothing to say; null before. */
  readonly saidAt: number | null
}

export type Turn = "waits" | "says" | "hangs up"

/** The agent has ended its turn. */
const quietMs = 1_200
/** An agent that does not greet is spoken to. */
const greetingMs = 8_000
/** An agent that thinks this long has no answer. */
const answerMs = 20_000
const callMs = 180_000

export const turnOf = ({ answeredAt, heardAt, saidAt }: Heard, at: number): Turn => {
  if (answeredAt === null) return "waits"
  if (at - answeredAt >= callMs) return "hangs up"
  const since = saidAt ?? answeredAt
  const hasAnswered = heardAt !== null && heardAt > since
  const isQuiet = hasAnswered ? at - heardAt >= quietMs : at - since >= (saidAt === null ? greetingMs : answerMs)
  if (!isQuiet) return "waits"
  return saidAt === null ? "says" : "hangs up"
}

/** Above it a value of mu-law is sound, below it the noise of a line. */
const loud = 0x30

/** True of mu-law in which somebody speaks. */
export const isSound = (bytes: Uint8Array): boolean => bytes.some((byte) => (~byte & 0x7f) >= loud)
