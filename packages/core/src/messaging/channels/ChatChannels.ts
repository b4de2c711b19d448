/** The channels of an installation, by kind. Source: docs/reference/messaging.md#channels. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { ChannelUnreachable } from "./ChannelFailed.ts"
import { bareNetwork } from "./ChannelNetwork.ts"
import type { ChatChannel } from "./ChatChannel.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"

type Channel = ChatChannel["Service"]

export class ChatChannels extends Context.Service<
  ChatChannels,
  {
    /** What numbers are connected to unless another channel is named; null in an installation without channels. */
    readonly standard: Channel | null
    readonly all: ReadonlyArray<Channel>
    readonly find: (kind: string) => Channel | null
    /** A number's. One whose channel is not configured any more has a channel that refuses everything as unreachable. */
    readonly of: (number: Pick<ConnectedNumber, "channel">) => Channel
    /** Longest that one request to any of them takes, in milliseconds. */
    readonly maxRequestMs: () => number
  }
>()("@trunkline/core/messaging/channels/ChatChannels") {}

/** The first channel is the standard one. */
export const makeChatChannels = (all: ReadonlyArray<Channel>): ChatChannels["Service"] => {
  const byKind = new Map(all.map((channel) => [channel.kind, channel]))
  return {
    all,
    standard: all[0] ?? null,
    find: (kind) => byKind.get(kind) ?? null,
    of: ({ channel }) => byKind.get(channel) ?? missing(channel),
    maxRequestMs: () => Math.max(0, ...all.map(({ maxRequestMs }) => maxRequestMs))
  }
}

const missing = (kind: string): Channel => {
  const fail = Effect.fail(
    new ChannelUnreachable({
      isCertain: true,
      detail: `This installation has no chat channel "${kind}": its operator must configure it and start again.`
    })
  )
  return {
    kind,
    traits: {
      replyWindowMs: null,
      maxTextLength: 4096,
      contents: [],
      maxFileBytes: 0,
      typing: false,
      readMarks: false,
      statuses: false,
      echoes: false,
      provesNumbers: false
    },
    maxRequestMs: 0,
    identify: () => fail,
    connect: () => fail,
    disconnect: () => Effect.void,
    send: () => fail,
    markRead: () => fail,
    read: () => Effect.die(`no chat channel "${kind}"`),
    files: { upload: () => fail, download: () => fail },
    network: bareNetwork
  }
}
