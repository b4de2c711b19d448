/** Port: files of messages that a channel's network keeps. Source: docs/reference/messaging.md#media. */
import type * as Effect from "effect/Effect"
import type { ChannelConnection, ChannelFile, NewFile } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

export interface ChannelFiles {
  /** Keeps a file; returns its id. */
  readonly upload: (connection: ChannelConnection, file: NewFile) => Effect.Effect<string, ChannelFailed>
  /** A file's bytes, of at most `maxBytes`: a larger one is refused. */
  readonly download: (
    connection: ChannelConnection,
    fileId: string,
    maxBytes: number
  ) => Effect.Effect<ChannelFile, ChannelFailed>
}
