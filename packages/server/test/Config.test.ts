/** Verifies: SERV-1. */
import { configOf } from "@trunkline/server"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const faults = (value: unknown, environment: Record<string, string> = {}) => {
  const config = configOf(value, environment)
  return Result.isFailure(config) ? config.failure : []
}

describe("the configuration file", () => {
  it("may be empty", () => {
    expect(faults({})).toEqual([])
  })

  it("takes every documented key", () => {
    const file = {
      brand: {
        key_prefix: "acme_",
        header_prefix: "X-Acme-",
        channel: "chat",
        message_id_field: "mid",
        message_ids_field: "mids",
        user_id_field: "uid",
        product_aliases: [{ product: "other", user_id_field: "other_id" }]
      },
      auth: {
        jwt: {
          secret: "s",
          jwks_url: "https://keys.example/jwks.json",
          claims: { subject: "sub", account: "acc", role: "r" }
        }
      },
      telephony: {
        provider: "twilio",
        answer: { kind: "stream", url: "wss://media.example/x" },
        simulator: { speed: 2 },
        twilio: {
          account_sid: `AC${"0".repeat(32)}`,
          auth_token: { env: "TOKEN" },
          base_url: "https://api.twilio.com",
          public_url: "https://calls.example",
          default_from: "+15005550006",
          calls_per_second: 1
        }
      },
      messaging: {
        base_url: "https://graph.example/v1",
        product: "p",
        app_secret: "a",
        verify_token: "v",
        reply: { quiet_ms: 0, max_wait_ms: 1 }
      },
      models: {
        catalogue: "models.json",
        upstreams: {
          a: { kind: "openai", base_url: "http://localhost:1/v1", api_key: "k", serves: ["stt"], timeout_ms: 1 }
        },
        routes: { "*": { upstream: "a" } },
        embedded_fallback: true
      },
      webhooks: { allow_networks: ["127.0.0.0/8"], team_chat_hosts: ["hooks.slack.com"], timeout_ms: 1 },
      limits: { per_ip_per_minute: null, json_body_bytes: 1 },
      pricing: { call_credits_per_minute: 0.5, usd_to_credits: 96, defaults: { stt: { usd_per_hour: 0.5 } } },
      workers: { dialer: false, deliveries: false, replies: false }
    }
    expect(faults(file, { TOKEN: "t" })).toEqual([])
  })

  it("is refused with every fault at once, each with its path", () => {
    const told = faults({
      brand: { channel: "contacts" },
      telephony: { provider: "twilio" },
      limits: { per_ip_per_minute: "200" },
      auth: { jwt: { secret: { env: "NOT_SET" } } },
      nonsense: 1
    })
    for (const path of ["brand", "telephony.twilio", "limits.per_ip_per_minute", "auth.jwt.secret", "nonsense"]) {
      expect(
        told.some((fault) => fault.startsWith(path)),
        path
      ).toBe(true)
    }
  })

  it.each([[[]], ["text"], [null], [5]])("is an object, not %j", (value) => {
    expect(faults(value)).toHaveLength(1)
  })
})
