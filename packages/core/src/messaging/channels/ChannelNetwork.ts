/** What a channel's network offers beside messages. Source: docs/reference/messaging.md#channels. */
import type { ChannelAnalytics } from "./ChannelAnalytics.ts"
import type { ChannelCommerce } from "./ChannelCommerce.ts"
import type { ChannelFlows } from "./ChannelFlows.ts"
import type { ChannelNumbers } from "./ChannelNumbers.ts"
import type { ChannelPayments } from "./ChannelPayments.ts"
import type { ChannelTemplates } from "./ChannelTemplates.ts"

/** Null is what the network does not offer. */
export interface ChannelNetwork {
  readonly templates: ChannelTemplates | null
  /** What the network keeps of a number. */
  readonly numbers: ChannelNumbers | null
  /** What the network counts by itself. */
  readonly analytics: ChannelAnalytics | null
  /** Forms that customers fill in within the chat. */
  readonly flows: ChannelFlows | null
  /** What a number sells. */
  readonly commerce: ChannelCommerce | null
  /** Bills that customers pay in the chat. */
  readonly payments: ChannelPayments | null
}

/** Of a network that takes and delivers messages, and nothing else. */
export const bareNetwork: ChannelNetwork = {
  templates: null,
  numbers: null,
  analytics: null,
  flows: null,
  commerce: null,
  payments: null
}
