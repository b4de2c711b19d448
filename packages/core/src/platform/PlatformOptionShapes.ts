/** What a host gives for the options of PlatformOptions.ts, from which OptionShapes.test.ts makes it. */
import type { JSONWebKeySet } from "jose"
import type { HostAuthenticate } from "./accounts/index.ts"
import type { Brand } from "./brand/index.ts"
import type { HostClock, LogEntry, OutboundProvider, ReferenceProvider, StorageProvider } from "./PlatformOptions.ts"

export interface PlatformOptionShapes {
  /** Where everything is kept. */
  readonly storage: StorageProvider
  /** Sends webhooks. Without it none is delivered: every attempt fails with the reason. */
  readonly outbound?: OutboundProvider
  /** Serves `/docs` and `/openapi.json` below the mount point: `apiReference()` of @trunkline/node. Without it the product serves neither. */
  readonly reference?: ReferenceProvider
  /** Encrypts secrets and tokens in the database: at least 32 characters, the same at every start. `openssl rand -base64 32` makes one. Source: docs/reference/operations.md#keys. */
  readonly encryptionKey: string
  /** Keys that were used before it, to read what they have encrypted. Source: docs/reference/operations.md#keys. */
  readonly previousEncryptionKeys?: ReadonlyArray<string>
  /** Names that a vendor may choose. */
  readonly brand?: {
    /** The service's name, which stands in the titles of the API's description (`<name> API`), `/docs` and the portal. Without it titles have no name. Source: docs/reference/http-conventions.md#description. */
    readonly name?: Brand["name"]
    /** What the service is, as the first paragraph of the API's description. Without it a neutral sentence stands there. */
    readonly description?: Brand["description"]
    /** The vendor's own site, which is the contact of the API's description. It is a URL that begins with https:// or http://, or null for none. */
    readonly url?: Brand["url"]
    /** The address of an image, which is the `x-logo` of the API's description; `/docs` shows it where the theme has no logo. It is a URL that begins with https:// or http://, or null for none. */
    readonly logo?: Brand["logo"]
    /** The terms under which others may use the API: `{ "name": "Terms of Acme", "url": "https://acme.example.com/terms" }`; `url` may be left out. */
    readonly licence?: Brand["licence"]
    /** The look of the pages that people see, which are `/docs` and the portal. A chat on a page has its own. Source: docs/reference/webhooks-portal.md#theme. */
    readonly theme?: Brand["theme"]
    /** What API keys begin with. Default `svc_`. */
    readonly keyPrefix?: Brand["keyPrefix"]
    /** What the headers of webhooks begin with. Default `X-Service-`. Source: docs/reference/webhooks-receiving.md#request. */
    readonly headerPrefix?: Brand["headerPrefix"]
    /** The word of the messaging channel in paths, scopes, the product value of the compatible send, and the type of agents. Default `messaging`. Source: docs/reference/messaging.md#compatible-send. */
    readonly channel?: Brand["channel"]
    /** The field of a message's id at the platform. Default `msgid`. */
    readonly messageIdField?: Brand["messageIdField"]
    /** The field of a list of such ids. Default `msgids`. */
    readonly messageIdsField?: Brand["messageIdsField"]
    /** The field of a person's id at the platform. Default `user_id`. */
    readonly userIdField?: Brand["userIdField"]
    /** Further product values of the compatible send, each with the field of a person's id: `[{ "product": "whatsapp", "user_id_field": "wa_id" }]`. Default `[]`. Source: docs/reference/messaging.md#compatible-moving. */
    readonly productAliases?: Brand["productAliases"]
  }
  /** Who signs people in, and which pages may act for them. */
  readonly auth?: {
    readonly jwt?: {
      /** The shared secret of HS256 tokens. A file gives a text, of which the UTF-8 bytes count. Source: docs/reference/access.md#tokens. */
      readonly secret?: string | Uint8Array
      /** The address of the public keys of asymmetric algorithms. A file may also name a file of them, which is read at the start. It is a URL that begins with https:// or http://. */
      readonly jwksUrl?: string
      /** The public keys of asymmetric algorithms. */
      readonly jwks?: JSONWebKeySet
      readonly claims?: {
        /** The claim that names the person. Default `sub`. */
        readonly subject?: string
        /** The claim that has the person's name, which others of the account see. Default `name`. */
        readonly name?: string
        /** The claim that names the account. Default `tenant_id`. */
        readonly account?: string
        /** The claim that names the person's role. Default `role`. */
        readonly role?: string
      }
      /** Who must have issued a token (`iss`). Without it anybody may who has a key. */
      readonly issuer?: string
      /** For whom a token must be made (`aud`): for one of these. Without it a token may be made for anybody. */
      readonly audience?: string | ReadonlyArray<string>
      /** The host's own words for roles: `{ "billing-admin": "admin" }`. Case does not count. Source: docs/reference/access.md#roles. */
      readonly roles?: {
        readonly [name: string]: "owner" | "admin" | "member" | "viewer" | "read_only"
      }
    }
    /** People who sign in here with a password. Source: docs/reference/sign-in.md. */
    readonly signIn?: {
      /** Whether there are members, sessions and their routes. A standalone server has them unless its file says that it does not. Default false. */
      readonly enabled?: boolean
      /** The seconds after which a session is over that nobody uses. It is a whole number from 1 to 315360000. Default 43,200. */
      readonly sessionIdleSeconds?: number
      /** The seconds after which a session is over, however often it is used. It is a whole number from 1 to 315360000. Default 2,592,000. */
      readonly sessionMaxSeconds?: number
      /** The seconds for which a link works that makes an owner or sets another password. It is a whole number from 1 to 315360000. Default 3,600. */
      readonly linkSeconds?: number
      /** The seconds for which an invitation works. It is a whole number from 1 to 315360000. Default 604,800. */
      readonly invitationSeconds?: number
    }
    /** People who sign in at an OpenID Connect issuer. Source: docs/reference/sign-in.md#oidc. */
    readonly oidc?: {
      /** The address of the issuer: `https://login.example.com/realms/main`. Plain http is for this machine alone. */
      readonly issuer: string
      /** The name under which the issuer knows this installation. */
      readonly clientId: string
      /** The secret that the issuer has given to this installation. */
      readonly clientSecret: string
      /** What the issuer is asked for, with blanks between. Without it `openid email profile`. */
      readonly scopes?: string
      /** The text of the link on the page "Sign in". Without it `Single sign-on`. */
      readonly label?: string
      /** The id of the account whose members these people are. Without it the first account. */
      readonly account?: string | null
      /** The claim that has a person's groups or roles. Without it `groups`. */
      readonly claim?: string
      /** The role that each value of the claim gives: `{ "ops": "admin" }`. Of several the strongest counts; without one nobody comes in. */
      readonly roles: {
        readonly [name: string]: "owner" | "admin" | "member" | "viewer"
      }
    }
    /** The host's own check of a request; null lets keys and tokens be tried. Source: docs/reference/access.md#authenticate. */
    readonly authenticate?: HostAuthenticate
    /** Refuses what a page of another origin asks for in the name of a person whom the host has signed in. Default true. Source: docs/reference/access.md#origin. */
    readonly checkOrigin?: boolean
    /** Further origins whose pages may act for such people: `["https://app.example.com"]`. Default `[]`. */
    readonly allowedOrigins?: ReadonlyArray<string>
  }
  /** Requests and sizes, and how many things of each kind an account may have. Source: docs/reference/plans.md#numbers. */
  readonly limits?: {
    /** The requests of one client address in a minute, in this process; null is for no limit. It is a whole number of at least 1. Default 200. Source: docs/reference/http-conventions.md#ip-limit. */
    readonly perIpPerMinute?: number | null
    /** The WebSockets that this process has at a time; null is for no limit. It is a whole number from 1 to 1000000. Default 2000. Source: docs/reference/plans.md#strangers. */
    readonly sockets?: number | null
    /** The bytes of a JSON body. It is a whole number from 1 to 1073741824. Default 10,485,760. Source: docs/reference/http-conventions.md#bodies. */
    readonly jsonBodyBytes?: number
    /** The agents that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000. Source: docs/reference/plans.md#numbers. */
    readonly agents?: number | null
    /** The entries of knowledge that an agent may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 10000. Source: docs/reference/plans.md#numbers. */
    readonly agentKnowledge?: number | null
    /** The entries of knowledge that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 100000. Source: docs/reference/plans.md#numbers. */
    readonly knowledge?: number | null
    /** The campaigns that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 10000. Source: docs/reference/plans.md#numbers. */
    readonly campaigns?: number | null
    /** The contacts that a campaign may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 200000. Source: docs/reference/plans.md#numbers. */
    readonly campaignContacts?: number | null
    /** The contacts in its address book that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000000. Source: docs/reference/plans.md#numbers. */
    readonly contacts?: number | null
    /** The do-not-call entries that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 5000000. Source: docs/reference/plans.md#numbers. */
    readonly suppressionEntries?: number | null
    /** The caller numbers that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000. Source: docs/reference/plans.md#numbers. */
    readonly callerNumbers?: number | null
    /** The voicemail templates that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000. Source: docs/reference/plans.md#numbers. */
    readonly voicemailTemplates?: number | null
    /** The connected numbers that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000. Source: docs/reference/plans.md#numbers. */
    readonly connectedNumbers?: number | null
    /** The webhooks that an account may have. It is a whole number from 1 to 10000. Default 100. Source: docs/reference/plans.md#numbers. */
    readonly webhooks?: number
    /** The email webhooks that an account may have. It is a whole number from 1 to 10000. Default 20. Source: docs/reference/plans.md#numbers. */
    readonly emailWebhooks?: number
    /** The alerts that an account may have. It is a whole number from 1 to 10000. Default 50. Source: docs/reference/plans.md#numbers. */
    readonly voiceAlerts?: number
    /** The keys that are not revoked that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000. Source: docs/reference/plans.md#numbers. */
    readonly keys?: number | null
    /** The queued calls that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 10000. Source: docs/reference/plans.md#numbers. */
    readonly queuedCalls?: number | null
    /** The voice sessions that nobody has connected to that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000. Source: docs/reference/plans.md#numbers. */
    readonly waitingSessions?: number | null
    /** The batches that have not ended that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 1000. Source: docs/reference/plans.md#numbers. */
    readonly openBatches?: number | null
    /** The files that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 10000. Source: docs/reference/plans.md#numbers. */
    readonly files?: number | null
    /** The kept responses that an account may have; null is for no limit. It is a whole number from 1 to 1000000000. Default 100000. Source: docs/reference/plans.md#numbers. */
    readonly keptResponses?: number | null
    /** The bytes of kept responses that an account may have; null is for no limit. It is a whole number from 1 to 1000000000000. Default 10000000000. Source: docs/reference/plans.md#numbers. */
    readonly keptResponseBytes?: number | null
    /** The bytes of answers kept under an Idempotency-Key that an account may have; null is for no limit. It is a whole number from 1 to 1000000000000. Default 1000000000. Source: docs/reference/plans.md#numbers. */
    readonly keptAnswerBytes?: number | null
  }
  /** The days for which rows are kept at least; null, the default, keeps them for ever. Source: docs/reference/storage.md#growth. */
  readonly retention?: {
    /** The days for which rows of the usage log are kept at least; null keeps them for ever. It is a whole number from 92 to 36500. Default null. Source: docs/reference/usage.md#rows. */
    readonly usageDays?: number | null
    /** The days for which events are kept at least that hosts read by cursor; null keeps them for ever. It is a whole number from 31 to 36500. Default null. Source: docs/reference/events.md#outbox. */
    readonly eventsDays?: number | null
  }
  readonly webhooks?: {
    /** The networks that may be called although they are not public, such as `10.0.0.0/8`. Default `[]`. Source: docs/reference/address-policy.md#exempt. */
    readonly allowNetworks?: ReadonlyArray<string>
  }
  /** A clock of the host's own, for demonstrations and tests that must not wait in real time. */
  readonly clock?: HostClock
  /** Where log lines go. Without it warnings and errors go to the console. */
  readonly log?: (entry: LogEntry) => void
}
