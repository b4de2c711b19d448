/** An OpenID Connect issuer on this machine, whose people a test chooses. It keeps what it is asked. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

const { subtle } = globalThis.crypto

export const client = { id: "calls", secret: "a secret between two servers" } as const

const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

type Claims = Readonly<Record<string, unknown>>

interface Asked {
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

export interface FakeIssuer {
  readonly issuer: string
  /** Who is at the issuer when a browser opens its page: they are sent back at once. */
  readonly setPerson: (claims: Claims) => void
  /** The person at the issuer answers: the query with which the browser comes back to the product. */
  readonly signIn: (address: string, claims: Claims) => string
  /** How the next ID tokens differ from right ones. */
  readonly spoil: (how: Spoiled) => void
  /** What `/userinfo` says beside the subject. */
  readonly userInfo: (claims: Claims) => void
  readonly setAway: (isAway: boolean) => void
  readonly close: () => Promise<void>
}

export interface Spoiled {
  readonly claims?: Claims
  /** Another key than the published one has signed. */
  readonly isForged?: boolean
}

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

export const startIssuer = async (now: () => number): Promise<FakeIssuer> => {
  const [own, other] = await Promise.all([
    subtle.generateKey(algorithm, true, ["sign", "verify"]),
    subtle.generateKey(algorithm, true, ["sign", "verify"])
  ])
  const key = { ...(await subtle.exportKey("jwk", own.publicKey)), kid: "one", alg: "ES256", use: "sig" }
  const codes = new Map<string, Asked & { readonly claims: Claims }>()
  const basic = `Basic ${Buffer.from(`${client.id}:${encodeURIComponent(client.secret).replaceAll("%20", "+")}`).toString("base64")}`
  let spoiled: Spoiled = {}
  let info: Claims = {}
  let isAway = false
  let person: Claims = {}
  let issuer = ""
  let count = 0

  const tokenOf = async (claims: Claims): Promise<string> => {
    const text = `${encoded({ alg: "ES256", kid: "one" })}.${encoded(claims)}`
    const by = spoiled.isForged === true ? other.privateKey : own.privateKey
    const signature = await subtle.sign({ name: "ECDSA", hash: "SHA-256" }, by, Buffer.from(text))
    return `${text}.${Buffer.from(signature).toString("base64url")}`
  }

  /** A code is worth something once, to who asked for it. */
  const redeemed = async (request: IncomingMessage): Promise<readonly [status: number, body: unknown]> => {
    const form = await bodyOf(request)
    const code = form.get("code") ?? ""
    const asked = codes.get(code)
    codes.delete(code)
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    const isRight = asked !== undefined && proof === asked.challenge && form.get("redirect_uri") === asked.redirectUri
    if (!isRight || request.headers.authorization !== basic) return [400, { error: "invalid_grant" }]
    const at = Math.floor(now() / 1000)
    // The clocks of some tests run fast: minutes go by while the token is on its way.
    const standard = { iss: issuer, aud: client.id, iat: at - 60, exp: at + 3600, nonce: asked.nonce }
    const id_token = await tokenOf({ ...standard, ...asked.claims, ...spoiled.claims })
    return [200, { access_token: `at_${String(asked.claims.sub)}`, token_type: "Bearer", expires_in: 300, id_token }]
  }

  const answered = async (request: IncomingMessage): Promise<readonly [status: number, body: unknown]> => {
    switch (request.url) {
      case "/.well-known/openid-configuration":
        return [
          200,
          {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            userinfo_endpoint: `${issuer}/userinfo`,
            jwks_uri: `${issuer}/keys`,
            response_types_supported: ["code"],
            id_token_signing_alg_values_supported: ["ES256"]
          }
        ]
      case "/keys":
        return [200, { keys: [key] }]
      case "/token":
        return redeemed(request)
      case "/userinfo":
        return [200, { sub: request.headers.authorization?.replace("Bearer at_", ""), ...info }]
      default:
        return [404, {}]
    }
  }

  const signIn = (address: string, claims: Claims): string => {
    const asked = new URL(address).searchParams
    const code = `code-${++count}`
    codes.set(code, {
      claims,
      nonce: asked.get("nonce") ?? "",
      challenge: asked.get("code_challenge") ?? "",
      redirectUri: asked.get("redirect_uri") ?? ""
    })
    return `code=${code}&state=${asked.get("state")}`
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (isAway) return void request.socket.destroy()
    const address = new URL(request.url ?? "/", issuer)
    if (address.pathname === "/authorize") {
      const back = `${address.searchParams.get("redirect_uri")}?${signIn(address.href, person)}`
      return void response.writeHead(302, { location: back }).end()
    }
    void answered(request).then(([status, body]) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    setPerson: (claims) => {
      person = claims
    },
    signIn,
    spoil: (how) => {
      spoiled = how
    },
    userInfo: (claims) => {
      info = claims
    },
    setAway: (away) => {
      isAway = away
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    }
  }
}
