/** What a channel's network, or a browser, asks of this installation. Source: docs/reference/messaging.md#channels. */

/** A request of the channel's network, or of a browser, as it came in: exact bytes and the address below the mount point. */
export interface ChannelCallback {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** The last segment of the path, below the connection's; null where there is none. */
  readonly resource: string | null
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Of the client that has sent it; null or left out where nobody knows it. */
  readonly address?: string | null
  readonly body: Uint8Array
}

export interface ChannelReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
