/** Every route that writes says which topics it changes, or stands here with the reason why there is none. Verifies: CHNG-1, CHNG-2. */
import type { StorageProvider } from "@trunkline/core"
import { channelProvider, internalsOf } from "@trunkline/core/provider"
import { Changes } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeChatPlatform, inboundMessages, sampleBodies, sampleNumber, signed } from "../messaging/index.ts"
import { Endpoints } from "../webhooks/Endpoints.ts"
import { fakeOutbound } from "../webhooks/FakeOutbound.ts"
import type { Fields, Sent } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import { type LlmWorld, openLlmWorld } from "./LlmWorld.ts"
import { upload } from "./Upload.ts"

const messaging = "/api/v1/messaging"
const campaigns = "/api/v1/voice-campaigns"
const telephony = "/api/v1/telephony"

const appSecret = "what deliveries are signed with"
const recipient = "16505551234"

const noTopic = "no topic names it"
const atChannel = "what it changes is stored at the channel"
const blockedAtChannel = "people read the channel's own list"
const ownSession = "sessions are their own person's, and no topic names them"
const billed = "what it costs is charged as that of POST /v1/chat/completions, which stands above"

/** Routes after which people read what they have read before. */
const reasons: Readonly<Record<string, string>> = {
  "POST /v1/voice/sessions": "a session without a call has no topic; that of a call notes its call",
  "DELETE /v1/voice/sessions/{session_id}": "a session without a call has no topic; that of a call notes its call",
  "DELETE /v1/voice/sessions/{session_id}/recording":
    "a session without a call has no topic; that of a call notes its call",
  "POST /v1/voice/sessions/{session_id}/analysis":
    "it needs a session that a model has analysed: AnalysisStore notes it",
  [`POST ${messaging}/media`]: "the file is stored at the channel",
  [`POST ${messaging}/templates`]: atChannel,
  [`DELETE ${messaging}/templates`]: atChannel,
  [`POST ${messaging}/templates/media`]: atChannel,
  [`PATCH ${messaging}/templates/{template_id}`]: atChannel,
  [`DELETE ${messaging}/templates/{template_id}`]: atChannel,
  [`POST ${messaging}/templates/{template_id}/unpause`]: atChannel,
  [`POST ${messaging}/flows`]: atChannel,
  [`PATCH ${messaging}/flows/{flow_id}`]: atChannel,
  [`DELETE ${messaging}/flows/{flow_id}`]: atChannel,
  [`PUT ${messaging}/flows/{flow_id}/json`]: atChannel,
  [`POST ${messaging}/flows/{flow_id}/publish`]: atChannel,
  [`POST ${messaging}/flows/{flow_id}/deprecate`]: atChannel,
  [`PUT ${messaging}/phone_numbers/{phone_id}/flow-key`]: atChannel,
  [`POST ${messaging}/analytics/templates/enable`]: atChannel,
  [`POST ${messaging}/opt-outs`]: noTopic,
  [`DELETE ${messaging}/opt-outs/{entry_id}`]: noTopic,
  [`POST ${messaging}/payments`]: "its message is noted as by POST …/messages",
  [`POST ${messaging}/payments/{payment_id}/refresh`]: noTopic,
  [`POST ${messaging}/payments/{payment_id}/status`]: "its message is noted as by POST …/messages",
  [`POST ${messaging}/campaigns`]: noTopic,
  [`PATCH ${messaging}/campaigns/{campaign_id}`]: noTopic,
  [`DELETE ${messaging}/campaigns/{campaign_id}`]: noTopic,
  [`POST ${messaging}/campaigns/{campaign_id}/status`]: noTopic,
  [`POST ${messaging}/campaigns/{campaign_id}/contacts`]: noTopic,
  [`POST ${messaging}/campaigns/{campaign_id}/contacts/segment`]: noTopic,
  [`DELETE ${messaging}/campaigns/{campaign_id}/contacts/{contact_id}`]: noTopic,
  [`POST ${messaging}/campaigns/{campaign_id}/retry`]: noTopic,
  [`POST ${messaging}/campaigns/{campaign_id}/dry-run`]: "looks, and changes nothing",
  [`POST ${messaging}/campaigns/{campaign_id}/test`]: "its message is noted as by POST …/messages",
  [`POST ${messaging}/phone_numbers/discover`]: "looks, and changes nothing",
  [`PATCH ${messaging}/phone_numbers/{phone_id}/profile`]: atChannel,
  [`PATCH ${messaging}/phone_numbers/{phone_id}/commerce`]: atChannel,
  [`POST ${messaging}/phone_numbers/{phone_id}/blocked`]: blockedAtChannel,
  [`DELETE ${messaging}/phone_numbers/{phone_id}/blocked`]: blockedAtChannel,
  [`POST ${messaging}/channels/{channel}/connections`]: "what it connects is noted as by POST …/phone_numbers",
  [`POST ${messaging}/{version}/{phone_number_id}/messages`]: "the same route under another path",
  "POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay": "adds deliveries as POST …/recover does",
  "POST /api/v1/webhooks/{webhook_id}/recover": "adds deliveries, where some have failed: DeliveryStore notes them",
  "POST /api/v1/webhooks/{webhook_id}/test": "the test is sent at once, and stands in no list",
  "DELETE /api/v1/email/suppressions/{entry_id}": noTopic,
  "PATCH /api/v1/me": "it needs a session: MemberStore notes the name",
  "POST /api/v1/me/password": "nobody reads a password",
  "POST /api/v1/session": ownSession,
  "DELETE /api/v1/session": ownSession,
  "POST /api/v1/session/link": "it uses nothing up",
  "POST /api/v1/session/link/accept": "it needs a link: MemberStore notes the member",
  "DELETE /api/v1/sessions/{session_id}": ownSession,
  "POST /api/v1/members/{member_id}/link": "nobody reads links",
  "POST /v1/batches": noTopic,
  "POST /v1/batches/{batch_id}/cancel": noTopic,
  "POST /v1/files": noTopic,
  "DELETE /v1/files/{file_id}": noTopic,
  "DELETE /v1/responses/{response_id}": noTopic,
  "POST /v1/responses/input_tokens": "counts, and changes nothing",
  "POST /v1/messages/count_tokens": "counts, and changes nothing",
  "POST /api/v1/bots/{bot_id}/test": billed,
  "POST /v1/responses": billed,
  "POST /v1/messages": billed,
  "POST /v1/search": billed,
  "POST /v1/audio/speech": billed,
  "POST /v1/embeddings": billed,
  "POST /v1/images/generations": billed,
  "POST /v1/audio/transcriptions": billed,
  "POST /v1/audio/translations": billed
}

type Known = Record<string, string>

interface Write {
  /** As the description has it. Its parameters are filled in from what is known. */
  readonly route: string
  readonly sent?: (known: Known) => Sent
  /** The route is for people: an owner asks. */
  readonly asOwner?: true
  /** What it must note: `{name}` stands for what is known under it. */
  readonly notes: ReadonlyArray<string>
  /** The name under which the id in its answer is known from then on. */
  readonly makes?: string
}

const json =
  (fields: Fields): NonNullable<Write["sent"]> =>
  () => ({ json: fields })

/** In an order in which each finds what it needs. */
const writes: ReadonlyArray<Write> = [
  {
    route: "POST /api/v1/voice-alerts",
    sent: json({ name: "Few answer", metric: "connect_rate", comparison: "below", threshold: 0.3 }),
    notes: ["alerts"],
    makes: "alert_id"
  },
  { route: "PATCH /api/v1/voice-alerts/{alert_id}", sent: json({ threshold: 0.2 }), notes: ["alerts"] },
  { route: "DELETE /api/v1/voice-alerts/{alert_id}", notes: ["alerts"] },

  {
    route: "POST /api/v1/bots",
    sent: json({ name: "Asha", system_prompt: "Be kind." }),
    notes: ["agents"],
    makes: "bot_id"
  },
  { route: "PATCH /api/v1/bots/{bot_id}", sent: json({ name: "Asha B." }), notes: ["agents"] },
  {
    route: "POST /api/v1/bots/{bot_id}/knowledge",
    sent: json({ title: "Tea", content: "Hot." }),
    notes: ["agents"],
    makes: "entry_id"
  },
  {
    route: "PATCH /api/v1/bots/{bot_id}/knowledge/{entry_id}",
    sent: json({ title: "Opening hours in winter" }),
    notes: ["agents"]
  },
  { route: "DELETE /api/v1/bots/{bot_id}/knowledge/{entry_id}", notes: ["agents"] },

  {
    route: `POST ${messaging}/phone_numbers`,
    sent: json({
      phone_number_id: sampleNumber.phoneNumberId,
      business_account_id: "102290129340398",
      access_token: "EAAG-token"
    }),
    notes: ["numbers"],
    makes: "phone_id"
  },
  {
    route: `PATCH ${messaging}/phone_numbers/{phone_id}`,
    sent: json({ ai_autoreply_enabled: false }),
    notes: ["numbers", "conversations"]
  },
  {
    route: `POST ${messaging}/phone_numbers/{phone_id}/link-bot`,
    sent: ({ bot_id }) => ({ json: { bot_id } }),
    notes: ["numbers", "conversations"]
  },
  {
    route: `POST ${messaging}/{phone_number_id}/messages`,
    sent: json({
      ...{ messaging_product: "messaging", to: recipient, type: "template" },
      template: { name: "welcome", language: { code: "en_US" } }
    }),
    notes: ["conversations", "conversation:{conversation_id}"]
  },
  {
    route: `PATCH ${messaging}/conversations/{conversation_id}`,
    sent: json({ ai_autoreply_enabled: false }),
    notes: ["conversations", "conversation:{conversation_id}"]
  },
  {
    route: `POST ${messaging}/messages`,
    sent: ({ phone_number_id }) => ({
      json: {
        ...{ phone_number_id, to: recipient, type: "template" },
        template: { name: "welcome", language: { code: "en_US" } }
      }
    }),
    notes: ["conversations", "conversation:{conversation_id}"]
  },
  {
    route: `POST ${messaging}/conversations/{conversation_id}/read`,
    notes: ["conversations", "conversation:{conversation_id}"]
  },
  {
    route: `POST ${messaging}/campaigns/{template_campaign_id}/contacts/import`,
    sent: () => ({
      ...upload({
        fields: [["dry_run", "false"]],
        file: Buffer.from("phone,name\n+14155550103,Grace\n"),
        fileName: "people.csv"
      })
    }),
    notes: ["contacts"]
  },
  { route: `POST ${messaging}/phone_numbers/{phone_id}/refresh`, notes: ["numbers"] },
  {
    route: `POST ${messaging}/phone_numbers/{phone_id}/register`,
    sent: json({ pin: "482915" }),
    notes: ["numbers"]
  },
  { route: `PUT ${messaging}/phone_numbers/{phone_id}/pin`, sent: json({ pin: "482915" }), notes: ["numbers"] },
  { route: `POST ${messaging}/phone_numbers/{phone_id}/deregister`, notes: ["numbers"] },
  { route: `DELETE ${messaging}/phone_numbers/{phone_id}`, notes: ["numbers"] },

  {
    route: `POST ${campaigns}`,
    sent: json({ name: "Autumn", dial_mode: "preview" }),
    notes: ["campaigns", "campaign:{campaign_id}"],
    makes: "campaign_id"
  },
  {
    route: `PATCH ${campaigns}/{campaign_id}`,
    sent: json({ name: "Winter" }),
    notes: ["campaigns", "campaign:{campaign_id}"]
  },
  {
    route: `POST ${campaigns}/{campaign_id}/contacts`,
    sent: json({ contacts: [{ phone: "+14155550101" }] }),
    notes: ["campaigns", "campaign:{campaign_id}"]
  },
  {
    route: `POST ${campaigns}/{campaign_id}/contacts/import`,
    sent: () => ({
      ...upload({
        fields: [["dry_run", "false"]],
        file: Buffer.from("phone,name\n+14155550102,Ada\n"),
        fileName: "people.csv"
      })
    }),
    notes: ["campaigns", "campaign:{campaign_id}", "contacts"]
  },
  {
    route: `POST ${campaigns}/{campaign_id}/status`,
    sent: json({ status: "scheduled" }),
    notes: ["campaigns", "campaign:{campaign_id}"]
  },
  { route: `POST ${campaigns}/{campaign_id}/contacts/next`, notes: ["campaign:{campaign_id}"] },
  { route: `POST ${campaigns}/{campaign_id}/contacts/{contact_id}/hold`, notes: ["campaign:{campaign_id}"] },
  { route: `DELETE ${campaigns}/{campaign_id}/contacts/{contact_id}/hold`, notes: ["campaign:{campaign_id}"] },
  { route: `POST ${campaigns}/{campaign_id}/contacts/{contact_id}/skip`, notes: ["campaign:{campaign_id}"] },
  {
    route: `POST ${campaigns}/{campaign_id}/contacts/{contact_id}/approve`,
    notes: ["campaign:{campaign_id}"]
  },
  {
    route: `POST ${campaigns}/{campaign_id}/contacts/retry`,
    sent: json({ last_error: ["busy"] }),
    notes: ["campaign:{campaign_id}"]
  },
  { route: `POST ${campaigns}/{campaign_id}/duplicate`, sent: json({ contacts: "all" }), notes: ["campaigns"] },
  { route: `DELETE ${campaigns}/{listing_id}/contacts/{listed_id}`, notes: ["campaign:{listing_id}"] },
  { route: "POST /api/v1/contacts", sent: json({ phone: "+14155550170" }), notes: ["contacts"] },
  { route: "PATCH /api/v1/contacts/{crm_id}", sent: json({ name: "Ada L." }), notes: ["contacts"] },
  { route: "DELETE /api/v1/contacts/{crm_id}", notes: ["contacts"] },
  { route: `DELETE ${campaigns}/{draft_id}`, notes: ["campaigns", "campaign:{draft_id}"] },

  { route: `POST ${campaigns}/dnc`, sent: json({ entries: [{ phone: "+14155550199" }] }), notes: ["suppression"] },
  {
    route: `POST ${campaigns}/dnc/import`,
    sent: () => ({
      ...upload({ fields: [["dry_run", "false"]], file: Buffer.from("phone\n+14155550198\n"), fileName: "numbers.csv" })
    }),
    notes: ["suppression"]
  },
  { route: `DELETE ${campaigns}/dnc/{suppression_id}`, notes: ["suppression"] },

  { route: `POST ${telephony}/numbers`, sent: json({ phone: "+14155550123" }), notes: ["numbers"], makes: "number_id" },
  {
    route: `POST ${telephony}/calls`,
    sent: json({ to: "+14155550188" }),
    notes: ["calls", "call:{call_id}", "account"],
    makes: "call_id"
  },
  {
    route: `PUT ${telephony}/calls/{call_id}/outcome`,
    sent: json({ outcome: "Interested" }),
    notes: ["calls", "call:{call_id}"]
  },
  { route: `PATCH ${telephony}/numbers/{number_id}`, sent: json({ label: "Sales" }), notes: ["numbers"] },
  { route: `POST ${telephony}/calls/{call_id}/hangup`, notes: ["calls", "call:{call_id}"] },
  { route: `DELETE ${telephony}/numbers/{number_id}`, notes: ["numbers"] },
  {
    route: "POST /api/v1/voicemail-templates",
    sent: json({ name: "Sorry", text: "We missed you." }),
    notes: ["numbers"],
    makes: "template_id"
  },
  { route: "PATCH /api/v1/voicemail-templates/{template_id}", sent: json({ name: "Sorry!" }), notes: ["numbers"] },
  { route: "DELETE /api/v1/voicemail-templates/{template_id}", notes: ["numbers"] },

  {
    route: "POST /api/v1/webhooks",
    sent: json({ url: "https://one.example.com/hooks", events: ["call.completed"] }),
    notes: ["webhooks"],
    makes: "webhook_id"
  },
  {
    route: "PUT /api/v1/webhooks/{webhook_id}",
    sent: json({ url: "https://two.example.com/hooks", events: ["call.completed"] }),
    notes: ["webhooks"]
  },
  { route: "POST /api/v1/webhooks/{webhook_id}/rotate-secret", sent: json({}), notes: ["webhooks"] },
  { route: "DELETE /api/v1/webhooks/{webhook_id}", notes: ["webhooks"] },
  {
    route: "POST /api/v1/email/webhooks",
    sent: json({ url: "https://mail.example.com/hooks", events: ["email.bounced"] }),
    notes: ["webhooks"],
    makes: "email_webhook_id"
  },
  { route: "PATCH /api/v1/email/webhooks/{email_webhook_id}", sent: json({ is_active: false }), notes: ["webhooks"] },
  { route: "DELETE /api/v1/email/webhooks/{email_webhook_id}", notes: ["webhooks"] },

  {
    route: "POST /api/v1/members",
    asOwner: true,
    sent: json({ email: "grace@example.com", role: "viewer" }),
    notes: ["members"],
    makes: "member_id"
  },
  { route: "PATCH /api/v1/members/{member_id}", asOwner: true, sent: json({ name: "Grace" }), notes: ["members"] },
  { route: "DELETE /api/v1/members/{member_id}", asOwner: true, notes: ["members"] },

  {
    route: "POST /api/v1/keys",
    asOwner: true,
    sent: json({ scopes: [], permissions: [] }),
    notes: ["keys"],
    makes: "key_id"
  },
  { route: "PATCH /api/v1/keys/{key_id}", asOwner: true, sent: json({ name: "Site" }), notes: ["keys"] },
  { route: "POST /api/v1/keys/{key_id}/rotate", asOwner: true, notes: ["keys"] },
  { route: "DELETE /api/v1/keys/{key_id}", asOwner: true, notes: ["keys"] },

  { route: "DELETE /api/v1/bots/{bot_id}", notes: ["agents"] },
  {
    route: "POST /v1/chat/completions",
    sent: json({ model: "chat-model", messages: [{ role: "user", content: "hello" }] }),
    notes: ["account", "keys"]
  }
]

/** Parameters whose routes give others the same name. */
const described = (route: string): string =>
  route
    .replace("{crm_id}", "{contact_id}")
    .replace("{draft_id}", "{campaign_id}")
    .replace("{listing_id}", "{campaign_id}")
    .replace("{template_campaign_id}", "{campaign_id}")
    .replace("{listed_id}", "{contact_id}")
    .replace("{suppression_id}", "{entry_id}")
    .replace("{email_webhook_id}", "{webhook_id}")

const filled = (text: string, known: Known): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? `no ${name} is known`)

export const notedWritesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`writes through ${name}`, () => {
    const platform = new FakeChatPlatform()
    const known: Known = { phone_number_id: sampleNumber.phoneNumberId }
    let noted: Array<string> = []
    let world: LlmWorld

    const ask = async (method: string, path: string, sent: Sent = {}) => {
      const answer = await world.send(method, path, { key: world.key, ...sent })
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
      return answer
    }

    beforeAll(async () => {
      world = await openLlmWorld(start, storage, {
        core: {
          messaging: { platform: channelProvider(platform.layer), appSecret },
          outbound: fakeOutbound(new Endpoints()),
          auth: { signIn: { enabled: true }, jwt: { secret: "a secret for the tokens of this test" } },
          workers: { dialer: false, replies: false }
        }
      })
      const { context } = internalsOf(world.core)
      Context.get(context as Context.Context<Changes>, Changes).onCommit((topics) => {
        for (const topic of topics.get(world.account as never) ?? []) noted.push(topic)
      })
    })
    afterAll(() => world.close())

    /** Records that no answer names by itself. */
    const lookUp = async (route: string) => {
      if (route.includes("{conversation_id}") && known.conversation_id === undefined)
        known.conversation_id = String((await ask("GET", `${messaging}/conversations`)).items[0]!.id)
      if (route.includes("{template_campaign_id}")) {
        const template = { name: "welcome", language: "en_US" }
        const json = { name: "Offers", phone_number_id: sampleNumber.phoneNumberId, template }
        known.template_campaign_id = String((await ask("POST", `${messaging}/campaigns`, { json })).body.id)
      }
      if (route.endsWith("/read")) {
        const { bytes, headers } = signed(
          inboundMessages(sampleBodies.inbound.text("Hello", { from: recipient, from_user_id: undefined })),
          appSecret
        )
        await ask("POST", `${messaging}/inbound`, { body: bytes, headers })
      }
      if (route.includes("{contact_id}"))
        await ask("POST", `${campaigns}/${known.campaign_id}/status`, { json: { status: "running" } })
      if (route.includes("{contact_id}"))
        known.contact_id = String((await ask("GET", `${campaigns}/${known.campaign_id}/contacts`)).items[0]!.id)
      if (route.includes("{crm_id}") && known.crm_id === undefined)
        known.crm_id = String((await ask("GET", "/api/v1/contacts")).items[0]!.id)
      if (route.includes("{suppression_id}"))
        known.suppression_id = String((await ask("GET", `${campaigns}/dnc`)).items[0]!.id)
      if (route.includes("{listed_id}")) {
        known.listing_id = String((await ask("POST", campaigns, { json: { name: "A list" } })).body.id)
        const path = `${campaigns}/${known.listing_id}/contacts`
        await ask("POST", path, { json: { contacts: [{ phone: "+14155550109" }] } })
        known.listed_id = String((await ask("GET", path)).items[0]!.id)
      }
      if (route.includes("{draft_id}"))
        known.draft_id = String((await ask("POST", campaigns, { json: { name: "A draft" } })).body.id)
    }

    // Verifies: B-202.
    it("note what they change for those who read it", async () => {
      const { token } = await world.core.admin.createToken(world.account, { role: "owner" })
      for (const { asOwner, makes, notes, route, sent } of writes) {
        await lookUp(route)
        noted = []
        const [method, path] = filled(route, known).split(" ") as [string, string]
        const { body } = await ask(method, path, { ...(asOwner ? { key: token } : {}), ...sent?.(known) })
        if (makes !== undefined) known[makes] = String(((body.webhook as Fields | undefined) ?? body).id)
        await lookUp(notes.join())
        expect(noted, route).toEqual(expect.arrayContaining(notes.map((topic) => filled(topic, known))))
      }
    })

    it("stand here one and all: each in the list above, or with the reason why it notes nothing", () => {
      const paths = world.core.openapi().paths as Readonly<Record<string, object>>
      const all = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).flatMap((method) => (method === "get" ? [] : [`${method.toUpperCase()} ${path}`]))
      )
      expect(all.length).toBeGreaterThan(50)
      const listed = [...writes.map(({ route }) => described(route)), ...Object.keys(reasons)]
      expect([...new Set(listed)].sort()).toEqual(all.sort())
      expect(listed.length, "a route stands in one of the two lists").toBe(all.length)
    })
  })
