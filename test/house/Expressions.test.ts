/** No regular expression looks at what somebody else writes without a row in the table of foreign texts. */
import { describe, expect, it } from "vitest"
import { foreignTexts } from "../text/ForeignTexts.ts"
import { expressionsOf, isLinearByForm } from "./Expressions.ts"
import { isPackageSource, packageOf, sources } from "./Sources.ts"

const checked = new Set([
  "core",
  "node",
  "providers",
  "adapter-express",
  "adapter-fastify",
  "server",
  "portal",
  "client"
])

const own = sources("packages").filter(({ path }) => isPackageSource(path) && checked.has(packageOf(path) ?? ""))

/** Files whose expressions see nothing of a length that somebody else chooses, and why. */
const exempt: Readonly<Record<string, string>> = {
  "packages/client/src/Operation.ts": "our own paths",
  "packages/client/src/Sender.ts": "the address that the caller's program has given",
  "packages/client/src/WebhookDigests.ts": "the receiver's own secret",
  "packages/core/src/messaging/messages/CustomerOrder.ts": "decimals of at most 32 characters",
  "packages/core/src/messaging/template-campaigns/TemplateFill.ts": "values and fields of at most 1,024 characters",
  "packages/core/src/platform/accounts/Accounts.ts": "our own words for who acts, out of the database",
  "packages/core/src/platform/billing/Money.ts": "amounts that we write ourselves",
  "packages/core/src/platform/billing/Price.ts": "numbers that JavaScript writes",
  "packages/core/src/platform/kernel/ZoneClock.ts":
    "one alternative that goes to the end of a name of at most 64 characters",
  "packages/core/src/messaging/compat/CompatibleAnswers.ts": "the path of a request, anchored, segment by segment",
  "packages/core/src/messaging/compat/CompatibleApi.ts": "one segment of a path, at most 1,024 characters, anchored",
  "packages/core/src/host/BrandCheck.ts": "the host's own options",
  "packages/core/src/gateway/GatewayOptions.ts": "the host's own options",
  "packages/core/src/host/ServerUrl.ts": "the host's own options",
  "packages/core/src/platform/settings/ProviderKind.ts": "our own words",
  "packages/core/src/messaging/routes/MessagingHttp.ts": "a header, anchored, whose parts have at most 100 characters",
  "packages/core/src/voice/agent/AgentModels.ts": "the name of a model, anchored, with a sign between its parts",
  "packages/core/src/voice/agent/AgentSettingsOf.ts": "the tag of a language, anchored, with a sign between its parts",
  "packages/core/src/gateway/web-search/WebSearchApi.ts": "a host name of at most 253 characters",
  "packages/core/src/webhooks/email/EmailReports.ts":
    "anchored, with a sign between its parts that neither of them has",
  "packages/core/src/platform/brand/PageTheme.ts": "the host's own options",
  "packages/core/src/webhooks/portal/PortalHttp.ts": "our own page",
  "packages/core/src/platform/brand/FrameAncestors.ts": "the host's own options",
  "packages/core/src/platform/brand/PageWords.ts": "the host's own options",
  "packages/server/src/PortalLink.ts": "the operator's own settings",
  "packages/node/src/ReadBody.ts": "our own paths, and the path of a request against them, segment by segment",
  "packages/providers/src/deepgram/DeepgramSpeech.ts": "the name of a model, anchored, with a sign between its parts",
  "packages/providers/src/embedded/NpmPack.ts": "what npm has written on this machine",
  "packages/providers/src/embedded/TarEntries.ts": "a name of 100 bytes in an archive",
  "packages/providers/src/http/BaseUrl.ts": "the operator's configuration",
  "packages/providers/src/telegram/TelegramMessage.ts": "an id of ours, anchored, with a sign between its parts",
  "packages/providers/src/twilio/TwilioRequests.ts": "the operator's configuration",
  "packages/providers/src/upstream/GenerateCall.ts": "the header of an answer, anchored",
  "packages/providers/src/upstream/Speaking.ts": "the header of an answer, anchored",
  "packages/server/src/Cli.ts": "what the operator has typed",
  "packages/server/src/DatabaseUrl.ts": "the operator's configuration",
  "packages/server/src/Metrics.ts": "our own paths",
  "packages/server/src/Product.ts": "our own words",
  "packages/server/src/commands/OptionValues.ts": "what the operator has typed"
}

/** Files with an expression that is not linear by its form. */
const risky = own.filter(({ text }) => expressionsOf(text).some((one) => !isLinearByForm(one))).map(({ path }) => path)
const tabled = new Set(foreignTexts.flatMap(({ files }) => files))

describe("regular expressions", () => {
  it("have a row in the table of foreign texts, or a reason to have none", () => {
    expect(risky.length).toBeGreaterThan(40)
    expect(risky.filter((path) => !tabled.has(path) && !(path in exempt))).toEqual([])
  })

  it("have a reason only where they need one", () => {
    expect(Object.keys(exempt).filter((path) => tabled.has(path) || !risky.includes(path))).toEqual([])
  })

  it("have rows of files that exist", () => {
    const paths = new Set(own.map(({ path }) => path))
    expect([...tabled].filter((path) => !paths.has(path))).toEqual([])
    expect(new Set(foreignTexts.map(({ name }) => name)).size).toBe(foreignTexts.length)
  })

  it.each([
    [/^[a-z]+$/, true],
    [/\s+/g, true],
    [/^https?:\/\/[^\s]+$/i, true],
    [/^[0-9a-f]{8}-[0-9a-f]{4}$/, true],
    [/\s+$/, false],
    [/^\s*$/m, false],
    [/^(a|b)+$/, false],
    [/^\d+\.?\d*$/, false],
    [/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, false]
  ])("%s is linear by its form: %s", (expression, isLinear) => {
    expect(isLinearByForm(String(expression))).toBe(isLinear)
  })
})
