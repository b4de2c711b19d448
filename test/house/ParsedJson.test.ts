/** JSON of others is counted before it is parsed: docs/reference/http-conventions.md#json-bounds. What parses without counting has its reason here. */
import { describe, expect, it } from "vitest"
import { type Exceptions, expectOnly, findings } from "./Findings.ts"
import { isPackageSource, packageOf, sources } from "./Sources.ts"

const parsers = ["JSON.parse", "parseExactJson", "fromJsonString", ".json()"]
const parsersIn = (code: string): ReadonlyArray<string> =>
  parsers.filter((parser) => (parser.endsWith(")") ? code.includes(parser) : code.includes(`${parser}(`)))

const counting = "It counts before it parses."
const ownText = "It parses what the product itself has written and stored."
const answers = "A command parses what a server of the product answers."
const operators = "It parses a file of the operator or of the product."

/** Why JSON need not be counted where it is parsed. */
const uncounted: Exceptions = {
  "packages/client/src/ApiError.ts: JSON.parse": "It runs in the caller's own program.",
  "packages/client/src/CreateClient.ts: .json()": "It runs in the caller's own program.",
  "packages/client/src/VerifyWebhook.ts: JSON.parse": "The signature was verified before: the product has written it.",
  "packages/core/src/platform/accounts/Tokens.ts: JSON.parse":
    "A header of a request has at most 16 KiB, and the library that verifies the token parses it too.",
  "packages/core/src/platform/oidc/OidcCookie.ts: JSON.parse": "A header of a request has at most 16 KiB.",
  "packages/core/src/gateway/batches/BatchInput.ts: JSON.parse": counting,
  "packages/core/src/gateway/batches/BatchLine.ts: JSON.parse": ownText,
  "packages/core/src/gateway/batches/BatchLines.ts: parseExactJson":
    "The input was counted when the batch was checked.",
  "packages/core/src/platform/http/engine/EndpointCodec.ts: JSON.parse": counting,
  "packages/core/src/platform/http/KeyedWrites.ts: JSON.parse": "The bytes were counted when the body was decoded.",
  "packages/core/src/gateway/routes/JsonRequestHttp.ts: parseExactJson":
    "The bytes were counted when the body was decoded.",
  "packages/core/src/platform/kernel/ExactJson.ts: JSON.parse": "Its callers count.",
  "packages/core/src/platform/kernel/ForeignJson.ts: JSON.parse": counting,
  "packages/core/src/voice/agent/BotConfigSecrets.ts: JSON.parse": ownText,
  "packages/core/src/voice/sessions/VoiceAnswer.ts: JSON.parse": ownText,
  "packages/core/src/webhooks/deliveries/WebhookSender.ts: JSON.parse": ownText,
  "packages/core/src/webhooks/routes/WebhooksHttp.ts: JSON.parse": ownText,
  "packages/providers/src/embedded/SentenceThread.ts: JSON.parse": operators,
  "packages/server/src/CalleeClient.ts: .json()": answers,
  "packages/server/src/CalleeClient.ts: JSON.parse": answers,
  "packages/server/src/ConfigPaths.ts: JSON.parse": operators,
  "packages/server/src/JsonText.ts: JSON.parse": operators,
  "packages/providers/src/web-chat/ChatScript.ts: .json()": "It runs in a visitor's browser.",
  "packages/storage-kysely/src/Statement.ts: JSON.parse": ownText,
  "packages/storage-kysely/src/stores/MoveStoreSql.ts: JSON.parse": ownText,
  "packages/storage-postgres/src/PostgresSignals.ts: JSON.parse": ownText
}

/** Suites and fakes, and what runs in a browser. */
const others: ReadonlySet<string | undefined> = new Set(["testing", "portal"])

describe("JSON", () => {
  it("is parsed without being counted where it is the product's or its operator's own, and nowhere else", () => {
    const own = sources("packages").filter(
      ({ path }) => isPackageSource(path) && !others.has(packageOf(path) ?? undefined)
    )
    expect(own.length).toBeGreaterThan(500)
    expectOnly(
      uncounted,
      findings(own, ({ code }) => parsersIn(code))
    )
  })

  it("that is parsed is found", () => {
    expect(parsersIn("const value = JSON.parse(text)")).toEqual(["JSON.parse"])
    expect(parsersIn("await response.json()")).toEqual([".json()"])
  })
})
