/** Talks to the issuer: where it is asked to sign somebody in, and what its code is worth. Source: docs/reference/sign-in.md#oidc. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { AuthorizationServer, Client } from "oauth4webapi"
import { Instant } from "../kernel/index.ts"
import type { Claims } from "./IssuerClaims.ts"
import type { Attempt } from "./OidcCookie.ts"
import type { OidcSettings } from "./OidcSettings.ts"

/** Loaded where somebody signs in so. */
const library = () => import("oauth4webapi")

type Library = Awaited<ReturnType<typeof library>>

const waitMs = 10 * Instant.second

/** Clocks of two machines differ by so much. */
const toleratedSeconds = 30

/** What has failed, in the words of the library: the log has them, and no answer. */
export class IssuerFailed extends Data.TaggedError("IssuerFailed")<{ readonly message: string }> {}

const failed = (error: unknown): IssuerFailed =>
  new IssuerFailed({ message: error instanceof Error ? `${error.name}: ${error.message}` : "the issuer has failed" })

const attempted = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, IssuerFailed> =>
  Effect.tryPromise({ try: run, catch: failed }).pipe(
    Effect.timeoutOrElse({
      duration: waitMs,
      orElse: () => Effect.fail(new IssuerFailed({ message: "the issuer has not answered within ten seconds" }))
    })
  )

/** Basic is what every issuer takes unless it says something else. */
const authenticationOf = (oauth: Library, server: AuthorizationServer, secret: string) => {
  const methods = server.token_endpoint_auth_methods_supported
  return methods === undefined || methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

export const makeIssuer = (settings: OidcSettings) => {
  const { claim, clientId, clientSecret, issuer, redirectUri, scopes } = settings
  const address = new URL(issuer)

  const optionsOf = (oauth: Library, signal: AbortSignal) => ({
    signal,
    [oauth.allowInsecureRequests]: address.protocol === "http:"
  })

  /** What the issuer says of itself is kept once it has been read. */
  let known: AuthorizationServer | null = null

  const serverOf = async (oauth: Library, signal: AbortSignal): Promise<AuthorizationServer> => {
    if (known !== null) return known
    const answer = await oauth.discoveryRequest(address, { ...optionsOf(oauth, signal), algorithm: "oidc" })
    known = await oauth.processDiscoveryResponse(address, answer)
    return known
  }

  /** The address at which the issuer asks a person who they are. */
  const askAt = ({ nonce, state, verifier }: Attempt) =>
    attempted(async (signal) => {
      const oauth = await library()
      const server = await serverOf(oauth, signal)
      if (server.authorization_endpoint === undefined) throw new Error("the issuer names no authorization endpoint")
      const url = new URL(server.authorization_endpoint)
      const parameters = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256"
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    })

  /** Claims that are not in the ID token are asked for. */
  const completed = async (
    oauth: Library,
    {
      claims,
      server,
      signal,
      token
    }: {
      readonly claims: Claims & { readonly sub: string }
      readonly server: AuthorizationServer
      readonly signal: AbortSignal
      readonly token: string
    }
  ): Promise<Claims> => {
    const isComplete = claims.email !== undefined && claims[claim] !== undefined
    if (isComplete || server.userinfo_endpoint === undefined) return claims
    const client: Client = { client_id: clientId }
    const answer = await oauth.userInfoRequest(server, client, token, optionsOf(oauth, signal))
    return { ...(await oauth.processUserInfoResponse(server, client, claims.sub, answer)), ...claims }
  }

  /** What the issuer says of the person whom it has sent back with `query`. */
  const claimsFor = Effect.fnUntraced(function* ({ nonce, state, verifier }: Attempt, query: string) {
    const at = yield* Instant.now
    return yield* attempted(async (signal): Promise<Claims> => {
      const oauth = await library()
      const server = await serverOf(oauth, signal)
      const client: Client = {
        client_id: clientId,
        // Instants come from the product's clock.
        [oauth.clockSkew]: Math.round((at - Date.now()) / Instant.second),
        [oauth.clockTolerance]: toleratedSeconds
      }
      const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams(query), state)
      const authentication = authenticationOf(oauth, server, clientSecret)
      const options = optionsOf(oauth, signal)
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        options
      )
      const expected = { expectedNonce: nonce, requireIdToken: true }
      const granted = await oauth.processAuthorizationCodeResponse(server, client, answer, expected)
      await oauth.validateApplicationLevelSignature(server, answer, options)
      const claims = oauth.getValidatedIdTokenClaims(granted)
      if (claims === undefined) throw new Error("the issuer has sent no ID token")
      return completed(oauth, { claims, server, signal, token: granted.access_token })
    })
  })

  return { askAt, claimsFor }
}
