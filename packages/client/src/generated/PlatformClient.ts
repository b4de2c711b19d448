/** The area platform: made from the contract by ClientFiles.test.ts. */
import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { FileResponse, KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type {
  AcceptedSignInLink,
  Account,
  ApiKey,
  ApiKeyChange,
  ApiKeyRotation,
  ApiKeyWithText,
  AuditEntry,
  InvitedMember,
  LedgerEntry,
  Me,
  Member,
  MemberChange,
  MemberLink,
  NewApiKey,
  NewMember,
  NewPassword,
  OwnName,
  Setup,
  SignInCredentials,
  SignInLink,
  SignInLinkToken,
  SignInSession
} from "./Records.ts"

export interface OidcMethods {
  /**
   * Sign in at the issuer.
   *
   * Sends a browser to the OpenID Connect issuer of the installation, which sends it back to the callback.
   */
  start(
    query?: {
      /** Place of the page to come back to, such as `#/campaigns`; anything else is dropped. */
      readonly return?: string | undefined
    },
    options?: RequestOptions
  ): Promise<void>
  /**
   * Come back from the issuer.
   *
   * Checks what the issuer has answered, begins a session and sends the browser to the page; where anything is wrong the page says so, and nobody is signed in.
   */
  callback(options?: RequestOptions): Promise<void>
}

export interface MeMethods {
  /**
   * Get the caller.
   *
   * Returns who is asking, how they have signed in, and what they may do.
   */
  get(options?: RequestOptions): Promise<Me>
  /**
   * Change your name.
   *
   * Gives the person who asks another name; only somebody who has a session may ask.
   */
  change(body: OwnName, options?: RequestOptions): Promise<Me>
  /**
   * Change your password.
   *
   * Sets another password, ends all other sessions of the person who asks, and makes their links void; only somebody who has a session may ask.
   */
  changePassword(body: NewPassword, options?: RequestOptions): Promise<void>
}

export interface SessionMethods {
  /**
   * Get who is signed in.
   *
   * Returns who the cookie or the host has signed in, as GET /me does; where nobody is signed in there is no content, and no error that a browser would note.
   */
  get(options?: RequestOptions): Promise<Me | undefined>
  /**
   * Sign in.
   *
   * Begins a session with an email and a password, and sets its cookie; a wrong password and an unknown email are answered alike, in the same time.
   */
  signIn(body: SignInCredentials, options?: RequestOptions): Promise<Me>
  /**
   * Sign out.
   *
   * Ends the session of the cookie and removes the cookie, also where there is no session.
   */
  signOut(options?: RequestOptions): Promise<void>
  /**
   * Look at a link.
   *
   * Returns what a link is for, and uses nothing up.
   */
  openLink(body: SignInLinkToken, options?: RequestOptions): Promise<SignInLink>
  /**
   * Use a link.
   *
   * Sets the password, makes the member active, ends their sessions, begins a session and sets its cookie; a link works once.
   */
  acceptLink(body: AcceptedSignInLink, options?: RequestOptions): Promise<Me>
}

export interface SessionsMethods {
  /**
   * List your sessions.
   *
   * Returns the sessions of the person who asks, newest first; only somebody who has a session may ask.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<SignInSession>
  /**
   * End a session.
   *
   * Ends one of the sessions of the person who asks, at once and in all processes; only somebody who has a session may ask.
   */
  end(sessionId: string, options?: RequestOptions): Promise<void>
}

export interface MembersMethods {
  /**
   * List members.
   *
   * Returns the people of the account who sign in here, newest first; every person may ask, and no API key.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Part of the name or the email; 1 to 100 characters. Case does not count. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): List<Member>
  /**
   * Invite a member.
   *
   * Adds a member, who counts as one of the plan's team, and returns the link by which they set a password: it is shown this once, and no mail is sent. Only people with the scope `members:manage` may do this, and no API key.
   */
  invite(body: NewMember, options?: KeyedRequestOptions): Promise<InvitedMember>
  /**
   * Change a member.
   *
   * Changes the role or the name of a member; a changed role holds from their next request on. Only people with the scope `members:manage` may do this, and no API key.
   */
  change(memberId: string, body: MemberChange, options?: RequestOptions): Promise<Member>
  /**
   * Remove a member.
   *
   * Removes a member and ends their sessions and links; what they did keeps their name. Only people with the scope `members:manage` may do this, and no API key.
   */
  remove(memberId: string, options?: RequestOptions): Promise<void>
  /**
   * Make a link for a member.
   *
   * Returns a new link, which is an invitation of somebody who has not come yet, or sets another password; earlier links of the member are void. Only people with the scope `members:manage` may do this, and no API key.
   */
  link(memberId: string, options?: KeyedRequestOptions): Promise<MemberLink>
}

export interface KeysMethods {
  /**
   * List API keys.
   *
   * Returns the keys of the account, newest first, revoked and expired ones too; the key itself is shown once, when it is made. Only people with the scope `keys:manage` may do this, and no API key.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only keys in this state. */
      readonly state?: "active" | "expired" | "revoked" | undefined
      /** Part of the name or of the prefix; 1 to 100 characters. Case does not count. */
      readonly q?: string | undefined
    },
    options?: RequestOptions
  ): List<ApiKey>
  /**
   * Make an API key.
   *
   * Makes a key and returns it in `key`, this once. Only people with the scope `keys:manage` may do this, and no API key.
   */
  create(body: NewApiKey, options?: KeyedRequestOptions): Promise<ApiKeyWithText>
  /**
   * Get an API key.
   *
   * Returns one key, without the key itself. Only people with the scope `keys:manage` may do this, and no API key.
   */
  get(keyId: string, options?: RequestOptions): Promise<ApiKey>
  /**
   * Change an API key.
   *
   * Changes what a key may do and its limits, from its next request on; null removes a limit, and a revoked key stays as it is. Only people with the scope `keys:manage` may do this, and no API key.
   */
  change(keyId: string, body: ApiKeyChange, options?: RequestOptions): Promise<ApiKey>
  /**
   * Revoke an API key.
   *
   * Ends a key and the one before its last rotation, from the next request on; the record stays, and may be revoked again. Only people with the scope `keys:manage` may do this, and no API key.
   */
  revoke(keyId: string, options?: RequestOptions): Promise<void>
  /**
   * Rotate an API key.
   *
   * Gives the record another key and returns it in `key`, this once, while id, limits and spend stay; the key before it works until `previous_until`, and one before that works no more. Only people with the scope `keys:manage` may do this, and no API key.
   */
  rotate(keyId: string, body?: ApiKeyRotation | null, options?: KeyedRequestOptions): Promise<ApiKeyWithText>
}

export interface StreamMethods {
  /**
   * Open the stream of changes.
   *
   * Streams to people which records and lists of the account have changed, as server-sent events without data: no API key may open it.
   */
  open(options?: RequestOptions): Promise<FileResponse>
}

export interface OverviewMethods {
  /**
   * Get the account.
   *
   * Returns the account with its plan, its features, its credits and its budget. People of every role may do this. An API key needs the scope `usage:read`.
   */
  account(options?: RequestOptions): Promise<Account>
  /**
   * Get the first steps.
   *
   * Returns to people what is done and what is still to do before the account can use the product; no API key may ask.
   */
  setup(options?: RequestOptions): Promise<Setup>
}

export interface CreditsMethods {
  /**
   * List the ledger.
   *
   * Returns what was added to the account's credits and what was charged, newest first; the sum of all entries is the balance. An API key needs the scope `usage:read`.
   */
  listLedger(
    query?: {
      /** Returns only entries of this kind. */
      readonly kind?: "grant" | "call" | "inference" | undefined
      /** Start of the period. */
      readonly from?: string | undefined
      /** End of the period, exclusive. */
      readonly to?: string | undefined
      /** Maximum number of items to return. From 1 to 1000. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<LedgerEntry>
  /**
   * Export the ledger.
   *
   * Returns all entries of the ledger as a CSV file. An API key needs the scope `usage:read`.
   */
  exportLedger(
    query?: {
      /** Returns only entries of this kind. */
      readonly kind?: "grant" | "call" | "inference" | undefined
      /** Start of the period. */
      readonly from?: string | undefined
      /** End of the period, exclusive. */
      readonly to?: string | undefined
    },
    options?: RequestOptions
  ): Promise<FileResponse>
}

export interface AuditMethods {
  /**
   * List the audit log.
   *
   * Returns who did what in the account, newest first. Only people with the scope `audit:read` may do this, and no API key.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only what this actor did. */
      readonly actor?: string | undefined
      /** Returns only entries of this action. */
      readonly action?:
        | "account.change"
        | "account.create"
        | "agent.change"
        | "agent.delete"
        | "campaign.delete"
        | "campaign.import"
        | "campaign.retry"
        | "campaign.status"
        | "contact.delete"
        | "conversation.change"
        | "credits.add"
        | "email.suppression.delete"
        | "flow.key"
        | "key.change"
        | "key.create"
        | "key.revoke"
        | "key.rotate"
        | "member.change"
        | "member.create"
        | "member.delete"
        | "member.link"
        | "member.password"
        | "number.deregister"
        | "number.pin"
        | "number.register"
        | "number.taken_over"
        | "opt_out.add"
        | "opt_out.delete"
        | "payment.create"
        | "session.create"
        | "session.delete"
        | "suppression.delete"
        | "suppression.import"
        | "template.delete"
        | "template_campaign.cancel"
        | "template_campaign.delete"
        | "template_campaign.import"
        | "template_campaign.pause"
        | "template_campaign.retry"
        | "template_campaign.start"
        | "token.create"
        | "webhook.delete"
        | "webhook.delivery.replay"
        | "webhook.recover"
        | "webhook.rotate_secret"
        | undefined
      /** Returns only what was done to this. */
      readonly target_id?: string | undefined
      /** Start of the period. */
      readonly from?: string | undefined
      /** End of the period, exclusive. */
      readonly to?: string | undefined
    },
    options?: RequestOptions
  ): List<AuditEntry>
}

/** The routes of the area platform. */
export interface PlatformClient {
  readonly oidc: OidcMethods
  readonly me: MeMethods
  readonly session: SessionMethods
  readonly sessions: SessionsMethods
  readonly members: MembersMethods
  readonly keys: KeysMethods
  readonly stream: StreamMethods
  readonly overview: OverviewMethods
  readonly credits: CreditsMethods
  readonly audit: AuditMethods
}

/** For the `areas` of `createClient`. */
export const platform: ClientArea<PlatformClient> = clientArea({
  oidc: {
    start: { method: "GET", path: "/api/v1/session/oidc", takes: ["query"] },
    callback: { method: "GET", path: "/api/v1/session/oidc/callback" }
  },
  me: {
    get: { method: "GET", path: "/api/v1/me" },
    change: { method: "PATCH", path: "/api/v1/me", takes: ["json"] },
    changePassword: { method: "POST", path: "/api/v1/me/password", takes: ["json"] }
  },
  session: {
    get: { method: "GET", path: "/api/v1/session" },
    signIn: { method: "POST", path: "/api/v1/session", takes: ["json"] },
    signOut: { method: "DELETE", path: "/api/v1/session" },
    openLink: { method: "POST", path: "/api/v1/session/link", takes: ["json"] },
    acceptLink: { method: "POST", path: "/api/v1/session/link/accept", takes: ["json"] }
  },
  sessions: {
    list: { method: "GET", path: "/api/v1/sessions", takes: ["query"], pages: "offset" },
    end: { method: "DELETE", path: "/api/v1/sessions/{session_id}" }
  },
  members: {
    list: { method: "GET", path: "/api/v1/members", takes: ["query"], pages: "offset" },
    invite: { method: "POST", path: "/api/v1/members", takes: ["json"], key: "always" },
    change: { method: "PATCH", path: "/api/v1/members/{member_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/members/{member_id}" },
    link: { method: "POST", path: "/api/v1/members/{member_id}/link", key: "always" }
  },
  keys: {
    list: { method: "GET", path: "/api/v1/keys", takes: ["query"], pages: "offset" },
    create: { method: "POST", path: "/api/v1/keys", takes: ["json"], key: "always" },
    get: { method: "GET", path: "/api/v1/keys/{key_id}" },
    change: { method: "PATCH", path: "/api/v1/keys/{key_id}", takes: ["json"] },
    revoke: { method: "DELETE", path: "/api/v1/keys/{key_id}" },
    rotate: { method: "POST", path: "/api/v1/keys/{key_id}/rotate", takes: ["json"], key: "always" }
  },
  stream: {
    open: { method: "GET", path: "/api/v1/stream", isFile: true }
  },
  overview: {
    account: { method: "GET", path: "/api/v1/account" },
    setup: { method: "GET", path: "/api/v1/setup" }
  },
  credits: {
    listLedger: { method: "GET", path: "/api/v1/credits/ledger", takes: ["query"], pages: "offset" },
    exportLedger: { method: "GET", path: "/api/v1/credits/ledger.csv", takes: ["query"], isFile: true }
  },
  audit: {
    list: { method: "GET", path: "/api/v1/audit", takes: ["query"], pages: "offset" }
  }
})
