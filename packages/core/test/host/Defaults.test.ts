/** What an installation does whose host says nothing: docs/reference/configuration.md. Verifies: SETT-1. */
import { createTrunkline, type TrunklineOptions } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { TelephonySettings } from "../../src/calling/calls/index.ts"
import { BatchSettings } from "../../src/gateway/batches/index.ts"
import { FileSettings } from "../../src/gateway/files/index.ts"
import { LlmSettings } from "../../src/gateway/llm/index.ts"
import { internalsOf } from "../../src/host/index.ts"
import { MessagingSettings } from "../../src/messaging/index.ts"
import { AccessSettings, Tokens } from "../../src/platform/accounts/index.ts"
import { OutboundSettings } from "../../src/platform/outbound/index.ts"
import { SocketLimit } from "../../src/platform/sockets/index.ts"
import { AccountLimits, RetentionSettings } from "../../src/platform/storage/index.ts"
import { VoiceSettings } from "../../src/voice/agent/index.ts"
import { AlertSettings } from "../../src/voice/alerts/index.ts"
import { VoiceEventSettings, VoiceLimits } from "../../src/voice/sessions/index.ts"
import { VoicePipelineSettings } from "../../src/voice/stages/index.ts"
import { WebhookSettings } from "../../src/webhooks/index.ts"
import { PortalPage } from "../../src/webhooks/portal/index.ts"

const services = {
  ...{
    TelephonySettings,
    SocketLimit,
    AccountLimits,
    RetentionSettings,
    FileSettings,
    BatchSettings,
    OutboundSettings
  },
  ...{ WebhookSettings, PortalPage, MessagingSettings, VoiceSettings, VoiceLimits, VoiceEventSettings, AlertSettings },
  ...{ VoicePipelineSettings, LlmSettings, AccessSettings, TokenSettings: Tokens.TokenSettings }
}

const settled = async (options: Partial<TrunklineOptions>) => {
  const encryptionKey = "a key of at least 32 characters, for tests"
  const core = await createTrunkline({ storage: sqlite(":memory:"), encryptionKey, ...options })
  const { context } = internalsOf(core)
  await core.stop()
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [
      name,
      Context.get(context as Context.Context<unknown>, service as never)
    ])
  )
}

describe("the options that a host leaves out", () => {
  it("have the values that the reference names", async () => {
    expect(await settled({})).toMatchInlineSnapshot(`
      {
        "AccessSettings": {
          "allowedOrigins": Set {},
          "authenticate": null,
          "channel": "messaging",
          "keyPrefix": "svc_",
        },
        "AccountLimits": {
          "agentKnowledge": 10000,
          "agents": 1000,
          "callerNumbers": 1000,
          "campaignContacts": 200000,
          "campaigns": 10000,
          "connectedNumbers": 1000,
          "contacts": 1000000,
          "emailWebhooks": 20,
          "files": 10000,
          "keptAnswerBytes": 1000000000,
          "keptResponseBytes": 10000000000,
          "keptResponses": 100000,
          "keys": 1000,
          "knowledge": 100000,
          "openBatches": 1000,
          "queuedCalls": 10000,
          "suppressionEntries": 5000000,
          "voiceAlerts": 50,
          "voicemailTemplates": 1000,
          "waitingSessions": 1000,
          "webhooks": 100,
        },
        "AlertSettings": {
          "everySeconds": 60,
        },
        "BatchSettings": {
          "concurrency": 4,
          "maxRequests": 50000,
          "windowSeconds": 86400,
        },
        "FileSettings": {
          "maxBytes": 104857600,
        },
        "LlmSettings": {
          "pingMs": 15000,
          "responsesKeptDays": 30,
        },
        "MessagingSettings": {
          "checksBusinessAccount": true,
          "publicUrl": null,
          "reply": {
            "concurrency": 1024,
            "maxWaitMs": 12000,
            "quietMs": 1500,
          },
        },
        "OutboundSettings": {
          "exempt": [],
          "headerPrefix": "X-Service-",
        },
        "PortalPage": {
          "allowsHttp": false,
          "brandName": null,
          "frameAncestors": [
            "'self'",
          ],
          "language": "en",
          "theme": {},
          "words": {},
        },
        "RetentionSettings": {
          "calls": null,
          "deliveries": null,
          "events": null,
          "messages": null,
          "usage": null,
        },
        "SocketLimit": 2000,
        "TelephonySettings": {
          "answer": {
            "kind": "standard",
          },
          "creditsPerMinute": 1000000000n,
        },
        "TokenSettings": {
          "audiences": [],
          "claims": {
            "account": "tenant_id",
            "name": "name",
            "role": "role",
            "subject": "sub",
          },
          "issuer": null,
          "keySet": null,
          "roles": Map {},
          "secret": null,
        },
        "VoiceEventSettings": {
          "transcript": true,
        },
        "VoiceLimits": {
          "enterprise": null,
          "free": 2,
          "pro": 20,
          "starter": 5,
        },
        "VoicePipelineSettings": {
          "llmTimeoutMs": 8000,
          "sttTimeoutMs": 5000,
          "ttsTimeoutMs": 5000,
        },
        "VoiceSettings": {
          "alertsEveryMs": 60000,
          "concurrentSessions": {
            "enterprise": null,
            "free": 2,
            "pro": 20,
            "starter": 5,
          },
          "defaults": {
            "language": "en",
            "llmModel": null,
            "sttModel": "saaras:v3",
            "ttsModel": "bulbul:v3",
            "voice": null,
          },
          "functionTimeoutMs": 30000,
          "hasTranscriptInEvents": true,
          "idleTimeoutMs": 120000,
          "llmTimeoutMs": 8000,
          "maxAccountSessions": 100,
          "maxSessions": 200,
          "settingsTimeoutMs": 15000,
          "sttTimeoutMs": 5000,
          "ttsTimeoutMs": 5000,
        },
        "WebhookSettings": {
          "limits": {
            "perEndpoint": 16,
            "reservedSlots": 16,
            "slots": 64,
          },
          "teamChatHosts": [
            "hooks.slack.com",
          ],
          "timeoutMs": 10000,
        },
      }
    `)
  })
})
