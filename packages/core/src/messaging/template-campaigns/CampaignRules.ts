/** What an installation decides about template campaigns. Source: docs/reference/configuration.md#messaging. */
import * as Context from "effect/Context"
import type { MessageRate } from "./CostEstimate.ts"

export class CampaignRules extends Context.Service<
  CampaignRules,
  {
    /** The waits before each further attempt at a message that the network could not take, in milliseconds. */
    readonly retryMs: ReadonlyArray<number>
    /** How long nobody knows of a message before it is taken as failed, in milliseconds. */
    readonly unknownAfterMs: number
    /** The share of a number's throughput that campaigns use, in percent. */
    readonly throughputPercent: number
    /** What messages cost, by the beginning of the customer's number. */
    readonly rates: ReadonlyArray<MessageRate>
    readonly ratesCurrency: string
  }
>()("@trunkline/core/messaging/template-campaigns/CampaignRules") {}
