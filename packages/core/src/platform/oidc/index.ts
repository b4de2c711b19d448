/**
 * Signs people in whom an OpenID Connect issuer of the installation knows.
 *
 * Promises  OIDC-1 nobody is signed in without a code of the issuer that was asked for in the same browser, at most ten minutes before.
 *           OIDC-2 the signature, issuer, audience, nonce and end of an ID token are checked before anything of it is believed.
 *           OIDC-3 a person has the strongest role that their claim is given here, from each sign-in on; without one they do not come in.
 *           OIDC-4 whatever goes wrong leads back to the page with a word of this product, and with none of the issuer's.
 * Needs     SignIn.   Emits  nothing.
 * Not here  members and their sessions (platform/people), tokens of hosts (platform/accounts).
 * Read      IssuerClaims.ts, Issuer.ts, then OidcHttp.ts. Source: docs/reference/sign-in.md#oidc.
 */
export { issuerFault } from "./IssuerAddress.ts"
export { OidcSettings, oidcSettings, standardOidc } from "./OidcSettings.ts"
