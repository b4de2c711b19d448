/** What a host gives for the options of GatewayOptions.ts, from which OptionShapes.test.ts makes it. */
import type { PriceSettings } from "./catalogue/index.ts"
import type { AudioLengthProvider, UpstreamProvider, WebSearchProvider } from "./GatewayOptions.ts"

export interface GatewayOptionShapes {
  /** What measures audio that is not WAV. Without it such audio is bounded by its size. Source: docs/reference/metering.md#duration. */
  readonly audioLength?: AudioLengthProvider
  /** Who runs models, which models there are, and where each one goes. */
  readonly models?: {
    /** The file that extends or replaces the shipped catalogue. The library takes its content, parsed. Source: docs/reference/models.md#file. */
    readonly catalogue?: unknown
    /** Who runs models, by a name that routes use. Source: docs/reference/upstreams.md#settings. */
    readonly upstreams?: {
      readonly [name: string]: UpstreamProvider
    }
    /** Where each model goes; `*` is for all others. A model without a route cannot be run. Source: docs/reference/upstreams.md#routing. */
    readonly routes?: {
      readonly [name: string]: {
        /** The name of the upstream. */
        readonly upstream: string
        /** The name of the model at the upstream, where it has another one there. */
        readonly model?: string
        /** How often the same upstream is asked again before the next one is. Without it it is asked once. It is a whole number from 0 to 3. Source: docs/reference/upstreams.md#fallbacks. */
        readonly retries?: number
        /** The upstreams that are asked in this order where the ones before them have failed. On `*` none of them has a `model`. */
        readonly fallbacks?: ReadonlyArray<{
          /** The name of the upstream. */
          readonly upstream: string
          /** The name of the model at the upstream, where it has another one there. */
          readonly model?: string
        }>
      }
    }
    /** When an upstream is passed over; null passes over none. Source: docs/reference/upstreams.md#breaker. */
    readonly breaker?: {
      /** The failures after which an upstream is passed over. It is a whole number from 1 to 1000. Default 5. */
      readonly failures?: number
      /** The time for which it is passed over, in milliseconds. It is a whole number from 100 to 3600000. Default 30,000. */
      readonly openMs?: number
    } | null
    /** The time without an event after which a stream gets a sign of life, in milliseconds. It is a whole number from 100 to 600000. Default 15,000. Source: docs/reference/language-models.md#streams. */
    readonly streamPingMs?: number
    /** The maximum of output tokens of a language model whose entry in the catalogue has no `max_output_tokens`. It is a whole number from 1 to 10000000. Default 32,768. Source: docs/reference/models.md#figures. */
    readonly defaultMaxOutputTokens?: number
    /** The days for which responses are kept for their accounts; 0 keeps none. It is a whole number from 0 to 3650. Default 30. Source: docs/reference/language-models.md#kept-responses. */
    readonly responsesKeptDays?: number
    /** Transcribes while no upstream that serves speech is configured. Source: docs/reference/upstreams.md#embedded. */
    readonly fallback?: UpstreamProvider
  }
  /** Searching the web. Source: docs/reference/search.md. */
  readonly search?: {
    /** Who searches, by a name that callers use. Without any, searches are refused. Source: docs/reference/search.md#settings. */
    readonly providers?: {
      readonly [name: string]: WebSearchProvider
    }
    /** The provider of requests that name none. Without it the first one is asked. Source: docs/reference/search.md#provider. */
    readonly default?: string
  }
  readonly pricing?: {
    /** The credits of one US dollar. It is a number above zero. Default 96. Source: docs/reference/metering.md#price. */
    readonly usdToCredits?: number
    /** The prices of models that have none of their own, in the words of the catalogue file: `{ "stt": { "usd_per_hour": 0.5 } }`. Source: docs/reference/models.md#price. */
    readonly defaults?: NonNullable<PriceSettings["defaults"]>
  }
  readonly limits?: {
    /** The bytes of an uploaded file. It is a whole number from 1 to 1073741824. Default 104,857,600. Source: docs/reference/batches.md#files. */
    readonly fileBytes?: number
    /** The requests of one batch. It is a whole number from 1 to 1000000. Default 50,000. Source: docs/reference/batches.md#input. */
    readonly batchRequests?: number
    /** The requests of an account's batches that run at a time, over all processes. It is a whole number from 1 to 1000. Default 4. Source: docs/reference/batches.md#lines. */
    readonly batchConcurrency?: number
    /** The seconds after which a batch expires. It is a whole number from 1 to 2592000. Default 86,400. Source: docs/reference/batches.md#status. */
    readonly batchWindowSeconds?: number
  }
  readonly workers?: {
    /** Whether `start` runs batches. Default true. Source: docs/reference/batches.md. */
    readonly batches?: boolean
  }
}
