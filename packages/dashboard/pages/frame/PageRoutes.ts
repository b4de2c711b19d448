/**
 * Routes that the pages call beside the areas of the client, with their records as they are on the wire.
 */
import type {
  Campaign,
  CampaignContact,
  ClientArea,
  KeyedRequestOptions,
  List,
  RequestOptions
} from "@trunkline/client"

export interface Me {
  readonly kind: "person" | "key"
  readonly subject: string
  readonly name: string | null
  readonly email: string | null
  readonly role: string | null
  readonly scopes: ReadonlyArray<string>
  readonly account: { readonly id: string; readonly name: string; readonly plan: string }
  readonly sign_in: "host" | "token" | "session" | "key"
  readonly session_id: string | null
  readonly expires_at: string | null
}

export interface SignInLink {
  readonly purpose: "setup" | "invitation" | "reset"
  readonly email: string | null
  readonly name: string | null
  readonly role: string | null
  readonly account_name: string
  readonly expires_at: string
}

export interface SessionRecord {
  readonly id: string
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
  readonly user_agent: string | null
  readonly address: string | null
  readonly current: boolean
}

export const stepIds = [
  "carrier",
  "caller_number",
  "credits",
  "agent",
  "campaign",
  "chat_number",
  "webhook",
  "key"
] as const
export type StepId = (typeof stepIds)[number]

export interface Setup {
  readonly completed: boolean
  readonly steps: ReadonlyArray<{ readonly id: StepId; readonly done: boolean; readonly note: string | null }>
}

export type ContactStatus = CampaignContact["status"]
export type LastError = NonNullable<CampaignContact["last_error"]>

export interface CampaignCounts {
  readonly total: number
  readonly by_status: Readonly<Record<ContactStatus, number>>
  readonly by_last_error: Readonly<Record<LastError, number>>
  readonly held: number
  readonly due: number
  readonly next_attempt_at: string | null
  readonly answered: number
  readonly calls: number
}

interface PageQuery {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

interface Methods {
  readonly me: {
    get(options?: RequestOptions): Promise<Me>
    change(body: { readonly name: string }, options?: RequestOptions): Promise<Me>
    password(
      body: { readonly current_password: string; readonly password: string },
      options?: RequestOptions
    ): Promise<void>
  }
  readonly session: {
    create(body: { readonly email: string; readonly password: string }, options?: RequestOptions): Promise<Me>
    remove(options?: RequestOptions): Promise<void>
    link(body: { readonly token: string }, options?: RequestOptions): Promise<SignInLink>
    accept(
      body: {
        readonly token: string
        readonly password: string
        readonly name?: string | undefined
        readonly email?: string | undefined
      },
      options?: RequestOptions
    ): Promise<Me>
  }
  readonly sessions: {
    list(query?: PageQuery, options?: RequestOptions): List<SessionRecord>
    remove(sessionId: string, options?: RequestOptions): Promise<void>
  }
  readonly setup: { get(options?: RequestOptions): Promise<Setup> }
  readonly found: {
    campaigns(
      query: PageQuery & { readonly status?: string | undefined; readonly q?: string | undefined },
      options?: RequestOptions
    ): List<Campaign>
    contacts(
      campaignId: string,
      query: PageQuery & {
        readonly status?: string | undefined
        readonly last_error?: string | undefined
        readonly q?: string | undefined
      },
      options?: RequestOptions
    ): List<CampaignContact>
    counts(campaignId: string, options?: RequestOptions): Promise<CampaignCounts>
    retry(
      campaignId: string,
      body: { readonly last_error: ReadonlyArray<LastError> },
      options?: KeyedRequestOptions
    ): Promise<{ readonly retried: number; readonly skipped: number }>
    duplicate(
      campaignId: string,
      body: { readonly name?: string; readonly contacts: "none" | "failed" | "all" },
      options?: KeyedRequestOptions
    ): Promise<Campaign>
  }
}

const below = "/api/v1"
const campaign = `${below}/voice-campaigns/{campaign_id}`

export const dashboardArea: ClientArea<Methods> = {
  operations: {
    me: {
      get: { method: "GET", path: `${below}/me` },
      change: { method: "PATCH", path: `${below}/me`, takes: ["json"] },
      password: { method: "POST", path: `${below}/me/password`, takes: ["json"] }
    },
    session: {
      create: { method: "POST", path: `${below}/session`, takes: ["json"] },
      remove: { method: "DELETE", path: `${below}/session` },
      link: { method: "POST", path: `${below}/session/link`, takes: ["json"] },
      accept: { method: "POST", path: `${below}/session/link/accept`, takes: ["json"] }
    },
    sessions: {
      list: { method: "GET", path: `${below}/sessions`, takes: ["query"], pages: "offset" },
      remove: { method: "DELETE", path: `${below}/sessions/{session_id}` }
    },
    setup: { get: { method: "GET", path: `${below}/setup` } },
    found: {
      campaigns: { method: "GET", path: `${below}/voice-campaigns`, takes: ["query"], pages: "offset" },
      contacts: { method: "GET", path: `${campaign}/contacts`, takes: ["query"], pages: "offset" },
      counts: { method: "GET", path: `${campaign}/counts` },
      retry: { method: "POST", path: `${campaign}/contacts/retry`, takes: ["json"], key: "always" },
      duplicate: { method: "POST", path: `${campaign}/duplicate`, takes: ["json"], key: "always" }
    }
  }
}
