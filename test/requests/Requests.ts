/** What a run sends: an HTTP request, bytes on a connection, or messages on a socket. */

export interface HttpRequest {
  readonly via: "http"
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /** What is in the body, where that is JSON that was not damaged. */
  readonly json?: unknown
}

/** Bytes are written, numbers are waited for, in milliseconds. */
export interface RawRequest {
  readonly via: "raw"
  readonly steps: ReadonlyArray<Buffer | number>
  /** False: the answer is left unread until all steps are done. */
  readonly reads: boolean
  /** How long an answer is waited for. */
  readonly waitMs: number
  /** Other connections at the same time. */
  readonly beside?: ReadonlyArray<RawRequest>
}

/** A word of a message of the server, which is waited for at most so long. */
export interface Awaited {
  readonly until: string
  readonly ms: number
}

export interface SocketRequest {
  readonly via: "socket"
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts are sent, bytes are sent as sound, numbers are waited for. */
  readonly messages: ReadonlyArray<string | Buffer | number | Awaited>
  /** How long the socket stays afterwards. */
  readonly waitMs: number
}

export type Kind = "valid" | "nearly" | "hostile"

export interface Generated {
  readonly number: number
  readonly kind: Kind
  readonly name: string
  readonly request: HttpRequest | RawRequest | SocketRequest
  /** Statuses that are right; without them every one that is described. */
  readonly right?: ReadonlyArray<number>
  /** A neighbour fails in this request: 5xx that are documented for that. */
  readonly fails?: ReadonlyArray<number>
  /** Whether it stands for long, so that others are sent meanwhile. */
  readonly isPatient?: boolean
  /** For an answer that tells of records. */
  readonly learn?: (status: number, body: unknown) => void
}

/** What came back. */
export interface Outcome {
  /** 0: the connection ended without an answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | Array<string> | undefined>>
  readonly text: string
  readonly bytes: number
  readonly ms: number
}

export const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? "")
