/** What every request to a channel names: a connected number, a person or a file. Source: docs/reference/messaging.md#channels. */
import type * as Redacted from "effect/Redacted"

/** A connected number as its channel knows it: under which id, whose it is there, and with which credentials. */
export interface ChannelConnection {
  readonly id: string
  /** The business account there. */
  readonly accountId: string
  readonly credentials: Redacted.Redacted
}

/** Whom a message goes to. `phone` is digits, `id` the channel's own id of a person or a group. */
export type Recipient =
  | { readonly _tag: "Phone"; readonly phone: string }
  | { readonly _tag: "User"; readonly id: string }
  | { readonly _tag: "Group"; readonly id: string }

/** A file that the channel keeps. */
export interface ChannelFile {
  readonly contentType: string
  readonly size: number
  readonly bytes: Uint8Array
}

export interface NewFile {
  readonly contentType: string
  readonly fileName: string
  readonly bytes: Uint8Array
}
