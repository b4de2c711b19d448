/** The area platform: made from the contract by ClientFiles.test.ts. */
import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { FileResponse, KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type {
  AcceptedSignInLink,
  Account,
  InvitedMember,
  Me,
  Member,
  MemberChange,
  MemberLink,
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
   * Returns the account with its plan, its features, its credits and its budget. An API key needs the scope `usage:read`.
   */
  account(options?: RequestOptions): Promise<Account>
  /**
   * Get the first steps.
   *
   * Returns to people what is done and what is still to do before the account can use the product; no API key may ask.
   */
  setup(options?: RequestOptions): Promise<Setup>
}

/** The routes of the area platform. */
export interface PlatformClient {
  readonly oidc: OidcMethods
  readonly me: MeMethods
  readonly session: SessionMethods
  readonly sessions: SessionsMethods
  readonly members: MembersMethods
  readonly stream: StreamMethods
  readonly overview: OverviewMethods
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
  stream: {
    open: { method: "GET", path: "/api/v1/stream", isFile: true }
  },
  overview: {
    account: { method: "GET", path: "/api/v1/account" },
    setup: { method: "GET", path: "/api/v1/setup" }
  }
})
