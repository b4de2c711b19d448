/** What a host decides when it embeds the product. No type of Effect's appears here. */
import type { JSONWebKeySet } from "jose"
import type { Bot } from "../agents/bots/index.ts"
import type { Answer, Call } from "../calling/calls/index.ts"
import type { PriceSettings } from "../gateway/catalogue/index.ts"
import type { HostAuthenticate } from "../platform/accounts/index.ts"
import type { Brand, PageTheme } from "../platform/kernel/index.ts"
import type { AccountLimits } from "../platform/storage/index.ts"
import type {
  AudioLengthProvider,
  ChannelProvider,
  OutboundProvider,
  RecordingsProvider,
  ReferenceProvider,
  SpeechDetectorProvider,
  StorageProvider,
  TelephonyProvider,
  UpstreamProvider,
  WebSearchProvider
} from "./Providers.ts"

/** A clock of the host's own, for demonstrations and tests that must not wait in real time. */
export interface HostClock {
  /** Milliseconds of UTC since 1970. */
  readonly now: () => number
  /** How many of its milliseconds pass in one real one. */
  readonly speed: number
}

/** One line of the log. Source: docs/reference/operations.md#logs. */
export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error"
  /** One line: what happened, and in short why. */
  readonly message: string
  readonly at: Date
  /** What went wrong, where something did: the error's name and message. */
  readonly error?: string
  /** Where it went wrong: the error's stack, with those of its causes. */
  readonly stack?: string
  /** Of the request that it is about; it is the `X-Request-Id` of its answer. Source: docs/reference/http-conventions.md#request-id. */
  readonly requestId?: string
}

export interface TrunklineOptions {
  readonly storage: StorageProvider
  /** Who places calls. Without it everything but calling works. Source: docs/reference/telephony.md#none. */
  readonly telephony?: TelephonyProvider
  /** Sends webhooks. Without it none is delivered: every attempt fails with the reason. */
  readonly outbound?: OutboundProvider
  /** Serves `/docs` and `/openapi.json` below the mount point: `apiReference()` of @trunkline/node. Without it the product serves neither. */
  readonly reference?: ReferenceProvider
  /** What measures audio that is not WAV. Without it such audio is bounded by its size. Source: docs/reference/metering.md#duration. */
  readonly audioLength?: AudioLengthProvider
  /** Where recordings of voice sessions are kept. Without it an agent that records cannot begin. Source: docs/reference/voice.md#recording. */
  readonly recordings?: RecordingsProvider
  /**
   * Encrypts secrets and tokens in the database: at least 32 characters, the same at every start. `openssl rand -base64 32`
   * makes one. Source: docs/reference/operations.md#keys.
   */
  readonly encryptionKey: string
  /** Keys that were used before it, to read what they have encrypted. Source: docs/reference/operations.md#keys. */
  readonly previousEncryptionKeys?: ReadonlyArray<string>
  readonly webhooks?: {
    /** Networks that may be called although they are not public, such as `10.0.0.0/8`. Source: docs/reference/address-policy.md#exempt. */
    readonly allowNetworks?: ReadonlyArray<string>
    /** Hosts that get chat messages. Default `hooks.slack.com`. */
    readonly teamChatHosts?: ReadonlyArray<string>
    /** Of one attempt, in milliseconds. Default 10,000. */
    readonly timeoutMs?: number
    /** Attempts at a time in this process. Default 64. */
    readonly concurrency?: number
    /** Attempts at a time to one endpoint. Default 16. */
    readonly perEndpoint?: number
    readonly portal?: {
      /** Origins of pages that may show the portal in a frame. Default `'self'`. Source: docs/reference/webhooks-portal.md#policy. */
      readonly frameAncestors?: ReadonlyArray<string>
      /** Colour, font, colour scheme and logo of the page, where they differ from those of `brand.theme`. */
      readonly theme?: PageTheme
      /** Language tag of the page, its dates and times, such as `de`. Default `en`. Source: docs/reference/webhooks-portal.md#words. */
      readonly language?: string
      /** Texts of the page by their keys, in place of the English ones. Source: docs/reference/webhooks-portal.md#words. */
      readonly words?: Readonly<Record<string, string>>
    }
  }
  /** What the callee hears. Default: the agent itself where it can be served, else its greeting is spoken. Source: docs/reference/telephony.md#answer. */
  readonly answer?:
    | { readonly kind: "say" }
    | { readonly kind: "agent" }
    | { readonly kind: "url"; readonly url: string }
    | { readonly kind: "stream"; readonly url: string }
  /** Decides for each call what is heard, instead of `answer`. */
  readonly onAnswer?: (call: Call, bot: Bot | null) => Answer
  /** Names that a vendor may choose. */
  readonly brand?: Partial<Brand>
  readonly auth?: {
    readonly jwt?: {
      /** The shared secret of HS256 tokens. */
      readonly secret?: string | Uint8Array
      readonly jwksUrl?: string
      readonly jwks?: JSONWebKeySet
      readonly claims?: { readonly subject?: string; readonly account?: string; readonly role?: string }
      /** Who must have issued a token (`iss`). Left out: anybody who has a key. */
      readonly issuer?: string
      /** For whom a token must be made (`aud`): for one of these. Left out: for anybody. */
      readonly audience?: string | ReadonlyArray<string>
      /** The host's own words for roles: `{ "billing-admin": "admin" }`. Case does not count. Source: docs/reference/access.md#roles. */
      readonly roles?: Readonly<Record<string, "owner" | "admin" | "member" | "viewer" | "read_only">>
    }
    /** The host's own check of a request; null lets keys and tokens be tried. Source: docs/reference/access.md#authenticate. */
    readonly authenticate?: HostAuthenticate
    /**
     * Refuses what a page of another origin asks for in the name of a person whom the host has signed in. Default true.
     * Source: docs/reference/access.md#origin.
     */
    readonly checkOrigin?: boolean
    /** Further origins whose pages may act for such people: `https://app.example.com`. */
    readonly allowedOrigins?: ReadonlyArray<string>
  }
  /** Requests and sizes, and how many things of each kind an account may have. Source: docs/reference/plans.md#numbers. */
  readonly limits?: {
    /** Requests of one client address in a minute, in this process; null for no limit. Default 200. */
    readonly perIpPerMinute?: number | null
    /** WebSockets of this process at a time; null for no limit. 1 to 1,000,000; default 2000. */
    readonly sockets?: number | null
    /** Bytes of a JSON body. Default 10 MiB. */
    readonly jsonBodyBytes?: number
    /** Bytes of an uploaded file. 1 to 1,073,741,824; default 104,857,600. */
    readonly fileBytes?: number
    /** Requests of a batch. 1 to 1,000,000; default 50,000. */
    readonly batchRequests?: number
    /** Requests of an account's batches that run at a time, over all processes. 1 to 1000; default 4. */
    readonly batchConcurrency?: number
    /** Seconds after which a batch expires. 1 to 2,592,000; default 86,400. */
    readonly batchWindowSeconds?: number
  } & Partial<AccountLimits>
  readonly pricing?: {
    /** Credits for each started minute of an answered call. Default 1. */
    readonly callCreditsPerMinute?: number
    /** Credits of one US dollar. Default 96. */
    readonly usdToCredits?: number
    /** Prices of models that have none of their own, in the words of the catalogue file. Source: docs/reference/models.md#price. */
    readonly defaults?: PriceSettings["defaults"]
  }
  readonly models?: {
    /** The content of a file that extends or replaces the shipped catalogue, parsed. Source: docs/reference/models.md#file. */
    readonly catalogue?: unknown
    /** Who runs models, by a name that routes use. */
    readonly upstreams?: Readonly<Record<string, UpstreamProvider>>
    /** Where each model goes; `*` is for all others. A model without a route cannot be run. Source: docs/reference/upstreams.md#routing. */
    readonly routes?: Readonly<
      Record<
        string,
        {
          readonly upstream: string
          readonly model?: string
          /** How often the same upstream is asked again before the next one is. 0 to 3; default 0. */
          readonly retries?: number
          /** Asked in this order where the ones before them have failed; at most 10. Source: docs/reference/upstreams.md#fallbacks. */
          readonly fallbacks?: ReadonlyArray<{ readonly upstream: string; readonly model?: string }>
        }
      >
    >
    /** When an upstream is passed over; null for never. Default: after 5 failures, for 30,000 ms. Source: docs/reference/upstreams.md#breaker. */
    readonly breaker?: { readonly failures?: number; readonly openMs?: number } | null
    /** A stream without an event for this time gets a sign of life. 100 to 600,000; default 15,000. */
    readonly streamPingMs?: number
    /** Of a language model whose entry in the catalogue has no `max_output_tokens`. Default 32,768. */
    readonly defaultMaxOutputTokens?: number
    /** How long responses are kept for their accounts, in days; 0 keeps none. 0 to 3650; default 30. Source: docs/reference/language-models.md#kept-responses. */
    readonly responsesKeptDays?: number
    /** Transcribes while no upstream that serves speech is configured. Source: docs/reference/upstreams.md#embedded. */
    readonly fallback?: UpstreamProvider
  }
  /** Searching the web. Source: docs/reference/search.md. */
  readonly search?: {
    /** Who searches, by a name that callers use. Without any, searches are refused. */
    readonly providers?: Readonly<Record<string, WebSearchProvider>>
    /** The provider of requests that name none. Default: the first one. */
    readonly default?: string
  }
  /** The chat channel. Source: docs/reference/configuration.md#messaging. */
  readonly messaging?: {
    /** The standard channel: numbers are connected to it unless another one is named. Without any channel no message is sent. */
    readonly platform?: ChannelProvider
    /** Further channels, each of another kind. Without `platform` the first one is the standard channel. */
    readonly channels?: ReadonlyArray<ChannelProvider>
    /** Inbound deliveries are signed with it. Without it all are refused. */
    readonly appSecret?: string
    /** What the platform must know to have the inbound endpoint verified. */
    readonly verifyToken?: string
    /**
     * Passes over what is delivered for another business account than the one that a number was connected with. Default true.
     * Source: docs/reference/messaging.md#proof.
     */
    readonly checkBusinessAccount?: boolean
    readonly reply?: {
      /** Milliseconds without a further message after which a message group is answered; 0 answers each message at once. Default 1500. */
      readonly quietMs?: number
      /** Milliseconds after its first message at which a message group is answered at the latest. Default 12,000. */
      readonly maxWaitMs?: number
      /** Customers that this process answers at a time. Default 1024. */
      readonly places?: number
    }
  }
  /** Agents that speak. Source: docs/reference/configuration.md#voice. */
  readonly voice?: {
    /** Finds speech in the sound of lines. Default: the energy of sound. Source: docs/reference/voice-agent.md#detection. */
    readonly detector?: SpeechDetectorProvider
    readonly defaults?: {
      /** Default `saaras:v3`; the embedded model where no upstream hears. */
      readonly sttModel?: string
      /** Default: the model of chat agents. */
      readonly llmModel?: string
      /** Default `bulbul:v3`; the embedded model where no upstream speaks. */
      readonly ttsModel?: string
      /** Default: the speaking model's own. */
      readonly voice?: string | null
      /** Default `en`. */
      readonly language?: string
    }
    /** From the connection to a client's `Settings`. Default 15,000. */
    readonly settingsTimeoutMs?: number
    /** Without a message from a client. Default 120. */
    readonly idleTimeoutSeconds?: number
    /** For the answer of a function that a client runs. Default 30,000. */
    readonly functionTimeoutMs?: number
    /** To the transcript. Default 5000. */
    readonly sttTimeoutMs?: number
    /** To the first token. Default 8000. */
    readonly llmTimeoutMs?: number
    /** To the first sound. Default 5000. */
    readonly ttsTimeoutMs?: number
    /** Sessions of this process at a time. Default 200. */
    readonly maxSessions?: number
    /** Sessions of an account in this process at a time. Default half of `maxSessions`, and 20 at least. */
    readonly maxAccountSessions?: number
    /** Sessions of an account at a time, by its plan; null for no limit. Default 2, 5, 20 and null. */
    readonly concurrentSessions?: {
      readonly free?: number | null
      readonly starter?: number | null
      readonly pro?: number | null
      readonly enterprise?: number | null
    }
    readonly events?: {
      /** Whether the end of a session is reported with its transcript. Default true. */
      readonly transcript?: boolean
    }
    /** How often alerts are looked at. Default 60. */
    readonly alertsEverySeconds?: number
  }
  readonly workers?: {
    /** Whether `start` dials. Default true. A process that only answers requests turns it off. */
    readonly dialer?: boolean
    /** Whether `start` delivers webhooks. Default true. */
    readonly deliveries?: boolean
    /** Whether `start` answers messages of the chat channel. Default true. */
    readonly replies?: boolean
    /** Whether `start` runs batches. Default true. */
    readonly batches?: boolean
    /** Whether `start` analyses voice sessions that have ended. Default true. */
    readonly analysis?: boolean
  }
  /** Days for which rows are kept at least; null, the default, for ever. Source: docs/reference/storage.md#growth. */
  readonly retention?: {
    /** Rows of the usage log. At least 92. */
    readonly usageDays?: number | null
    /** Deliveries of webhooks that are not tried any more. At least 31. */
    readonly deliveriesDays?: number | null
    /** Events that hosts read by cursor. At least 31. */
    readonly eventsDays?: number | null
    /** Calls that have ended. At least 31. */
    readonly callsDays?: number | null
    /** Messages of conversations. At least 31. */
    readonly messagesDays?: number | null
  }
  readonly clock?: HostClock
  /** Where log lines go. Default: the console, warnings and errors alone. */
  readonly log?: (entry: LogEntry) => void
}
