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

interface Server {
  readonly handleUpgrade: (
    request: UpgradeRequest,
    socket: UpgradeSocket,
    head: Uint8Array,
    opened: (socket: WebSocketLike) => void
  ) => void
}

/** Maximum bytes of a message; a longer one closes the connection with 1009. */
export const maxMessageBytes = 1024 * 1024

interface Library {
  readonly WebSocketServer: new (options: Readonly<Record<string, unknown>>) => Server
}

let library: Promise<Library> | undefined

/** Completes a handshake that was checked. `opened` is called synchronously where the socket is still there. */
export const completeHandshake = async (
  [request, socket, head]: readonly [UpgradeRequest, UpgradeSocket, Uint8Array],
  protocol: string | null,
  opened: (socket: WebSocketLike) => void
): Promise<void> => {
  library ??= import("ws") as unknown as Promise<Library> // its own types name Node's
  const { WebSocketServer } = await library
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: () => protocol ?? false
  })
  server.handleUpgrade(request, socket, head, opened)
}
