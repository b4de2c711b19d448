/**
 * Port: a line on which sound goes both ways, as a conversation knows it: a client's socket, a carrier's media stream, a
 * simulated telephone. Source: docs/reference/voice-agent.md#line.
 */
import type { SoundFormat } from "./SoundFormat.ts"

export interface MediaLine {
  /** The sound that comes from the line. */
  readonly input: SoundFormat
  /** The sound that the line expects. */
  readonly output: SoundFormat
  /** Whether `mark` is answered by `marked` once the sound before it has been played. Without marks, playing is computed from the time. */
  readonly hasMarks: boolean
  /** Sends sound in the output format: whole samples, at most a second ahead of its time. */
  readonly send: (sound: Uint8Array) => void
  /** Drops all sound that has been sent and not been played; marks that wait come back. */
  readonly clear: () => void
  /** Asks for `marked` once all sound before it has been played. */
  readonly mark: (name: string) => void
  /**
   * Connects the other side to a person, whose phone rings: true when the carrier does so. Nothing more is heard of the line then;
   * where nobody answers, the call comes back on a new line. Null where the line has no such thing.
   */
  readonly transfer: ((phone: string) => Promise<boolean>) | null
  /** Says a sentence in the carrier's own voice, and ends the line. Absent where the line has no voice. */
  readonly sayGoodbye?: (text: string, language: string) => void
  /** Ends the connection and not the call: its carrier asks at once whether it is connected again. Absent where the line is all there is. */
  readonly handBack?: () => void
  /** Ends the line from our side. Calling it again changes nothing. */
  readonly hangUp: () => void
}

/** What a line reports to its conversation. Nothing follows `closed`, nor an end from our side. */
export interface MediaListener {
  /** Sound in the input format; of any length. */
  readonly sound: (sound: Uint8Array) => void
  readonly marked: (name: string) => void
  /** One key of a telephone: a digit, `*` or `#`. */
  readonly key: (key: string) => void
  /** `hangup`: the other side has ended it. `lost`: the connection broke, and the call may still go on. */
  readonly closed: (why: "hangup" | "lost") => void
}
