/** The library that speaks RFC 6455, as far as it is used. It is loaded with the first handshake. */
import type { UpgradeRequest, UpgradeSocket } from "./Upgrade.ts"

export interface WebSocketLike {
  readonly bufferedAmount: number
  readonly send: (
    data: string | Uint8Array,
    options: { readonly compress: false },
    sent: (error?: Error) => void
  ) => void
  readonly ping: () => void
  readonly close: (code: number, reason: string) => void
  readonly terminate: () => void
  on(event: "message", listener: (data: Uint8Array, isBinary: boolean) => void): void
  on(event: "close", listener: (code: number) => void): void
  on(event: "pong", listener: () => void): void
  on(event: "error", listener: (error: Error) => void): void
}

type HandleUpgrade = (
  request: UpgradeRequest,
  socket: UpgradeSocket,
  head: Uint8Array,
  opened: (socket: WebSocketLike) => void
) => void

interface Library {
  readonly WebSocketServer: new (
    options: Readonly<Record<string, unknown>>
  ) => { readonly handleUpgrade: HandleUpgrade }
}

/** Maximum bytes of a message; a longer one closes the connection with 1009. */
const maxMessageBytes = 1024 * 1024

/** Pieces in which a message may arrive: each costs memory beside its bytes. */
const maxPieces = 16_384

/** A client may answer a close for this time, in milliseconds. */
const closeMs = 5_000

/** Completes a handshake that was checked. `opened` is called at once where the client is still there, else never. */
export type CompleteHandshake = (
  upgrade: { readonly request: UpgradeRequest; readonly socket: UpgradeSocket; readonly head: Uint8Array },
  protocol: string | null,
  opened: (socket: WebSocketLike) => void
) => void

const load = async (): Promise<CompleteHandshake> => {
  // Its own types name Node's.
  const { WebSocketServer } = (await import("ws")) as unknown as Library
  const protocols = new WeakMap<object, string | null>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    maxFragments: maxPieces,
    maxBufferedChunks: maxPieces,
    closeTimeout: closeMs,
    handleProtocols: (_offered: unknown, request: object) => protocols.get(request) ?? false
  })
  return ({ head, request, socket }, protocol, opened) => {
    protocols.set(request, protocol)
    server.handleUpgrade(request, socket, head, opened)
  }
}

let loaded: Promise<CompleteHandshake> | undefined

export const loadLibrary = (): Promise<CompleteHandshake> => {
  loaded ??= load()
  return loaded
}
