/** What an installation decides about single sign-on. Source: docs/reference/sign-in.md#oidc. */
import * as Context from "effect/Context"
import { Ids } from "../kernel/index.ts"
import type { MemberRole } from "../people/index.ts"

/** The options as a host gives them. */
export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes?: string
  readonly label?: string
  readonly account?: string | null
  readonly claim?: string
  readonly roles: Readonly<Record<string, MemberRole>>
}

export interface OidcSettings extends Required<Omit<OidcOptions, "account">> {
  /** Whose members these people are; null for the first account. */
  readonly account: Ids.Id<"Account"> | null
  /** Where the issuer sends people back to. */
  readonly redirectUri: string
}

/** Null where nobody signs in so. */
export const OidcSettings = Context.Reference<OidcSettings | null>("@trunkline/core/platform/oidc/OidcSettings", {
  defaultValue: () => null
})

export const standardOidc = { scopes: "openid email profile", label: "Single sign-on", claim: "groups" } as const

/** The options with their defaults. `publicUrl` is where browsers reach the mount point. */
export const oidcSettings = ({ account, ...given }: OidcOptions, publicUrl: string): OidcSettings => ({
  ...standardOidc,
  ...given,
  account: account === undefined || account === null ? null : Ids.as<"Account">(account),
  redirectUri: `${publicUrl.replace(/\/$/, "")}/api/v1/session/oidc/callback`
})
