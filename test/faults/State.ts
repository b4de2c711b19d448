/** What the API shows of all accounts at the end of a run. */
import type { Client } from "./Client.ts"
import type { Product } from "./Processes.ts"
import type { Account } from "./World.ts"

export interface CallRow {
  readonly id: string
  readonly campaign_id: string | null
  readonly contact_id: string | null
  readonly to: string
  readonly status: string
  readonly end_reason: string | null
  readonly provider_call_id: string | null
  readonly credits: number
  readonly created_at: string
  readonly answered_at: string | null
  readonly ended_at: string | null
}

export interface ContactRow {
  readonly id: string
  readonly phone: string
  readonly status: string
  readonly last_error: string | null
}

export interface CampaignRow {
  readonly id: string
  readonly status: string
  readonly max_attempts: number
  readonly contacts: ReadonlyArray<ContactRow>
}

export interface TemplateContactRow {
  readonly id: string
  readonly phone: string
  readonly status: string
  readonly reason: string | null
  readonly next_attempt_at: string | null
}

export interface TemplateCampaignRow {
  readonly id: string
  readonly status: string
  readonly contacts: ReadonlyArray<TemplateContactRow>
}

export interface MessageRow {
  readonly id: string
  readonly msgid: string | null
  readonly direction: "inbound" | "outbound"
  readonly text: string | null
  readonly status: string
}

export interface DeliveryRow {
  readonly id: string
  readonly event: string
  readonly subject: string
}

export interface WebhookState {
  readonly endpoint: string
  readonly pending: number
  readonly failed: ReadonlyArray<DeliveryRow>
  /** Whether `failed` has all. */
  readonly isWhole: boolean
}

export interface UsageRow {
  readonly trace_id: string | null
  readonly credits: number
  readonly status: number
}

export interface AccountState {
  readonly granted: number
  readonly balance: number
  readonly reserved: number
  readonly calls: ReadonlyArray<CallRow>
  readonly campaigns: ReadonlyArray<CampaignRow>
  readonly templateCampaigns: ReadonlyArray<TemplateCampaignRow>
  readonly suppressed: ReadonlyArray<string>
  readonly messages: ReadonlyArray<MessageRow>
  readonly usage: ReadonlyArray<UsageRow>
  readonly webhooks: ReadonlyArray<WebhookState>
}

export interface State {
  readonly at: number
  readonly accounts: Readonly<Record<string, AccountState>>
}

/** What the log of deliveries shows at a time. */
const maxDeliveries = 200

const webhookState = async (client: Client, id: string, endpoint: string): Promise<WebhookState> => {
  const path = `/api/v1/webhooks/${id}/deliveries`
  const pending = await client.insist("GET", `${path}?status=pending&limit=${maxDeliveries}`)
  const failed = await client.insist("GET", `${path}?status=failed&limit=${maxDeliveries}`)
  const rows: Array<DeliveryRow> = []
  for (const { event, id: delivery } of failed.body) {
    const { body } = await client.insist("GET", `${path}/${delivery}`)
    const payload = typeof body.payload === "string" ? JSON.parse(body.payload) : body.payload
    rows.push({ id: delivery, event, subject: String(payload.data.id ?? payload.data.campaign_id ?? "") })
  }
  return { endpoint, pending: pending.body.length, failed: rows, isWhole: failed.body.length < maxDeliveries }
}

const messagesOf = async (client: Client): Promise<ReadonlyArray<MessageRow>> => {
  const messages: Array<MessageRow> = []
  for (const { id } of await client.all("/api/v1/messaging/conversations")) {
    messages.push(...(await client.all(`/api/v1/messaging/conversations/${id}/messages`)))
  }
  return messages
}

/** Calls, usage and balance of one moment: read again where something has changed meanwhile. */
const moneyOf = async (product: Product, client: Client) => {
  for (let attempt = 0; ; attempt++) {
    const read = async () => {
      const [calls, usage] = await Promise.all([
        client.all("/api/v1/telephony/calls"),
        client.all("/v1/usage/logs", 1000)
      ])
      return { calls, usage, spent: [...calls, ...usage].reduce((sum, { credits }) => sum + credits, 0) }
    }
    const before = await read()
    const { balance, reserved } = await product.credits(client.accountId)
    const after = await read()
    if (before.spent === after.spent || attempt === 20)
      return { balance, reserved, calls: after.calls, usage: after.usage }
  }
}

const accountState = async (product: Product, name: string, account: Account): Promise<AccountState> => {
  const { client, granted, webhooks } = account
  const campaigns: Array<CampaignRow> = []
  const money = await moneyOf(product, client)
  for (const campaign of await client.all("/api/v1/voice-campaigns", 100)) {
    const contacts = await client.all(`/api/v1/voice-campaigns/${campaign.id}/contacts`)
    campaigns.push({ ...campaign, contacts })
  }
  const templateCampaigns: Array<TemplateCampaignRow> = []
  for (const campaign of await client.all("/api/v1/messaging/campaigns", 100)) {
    const contacts = await client.all(`/api/v1/messaging/campaigns/${campaign.id}/contacts`)
    templateCampaigns.push({ ...campaign, contacts })
  }
  const entries = await client.all("/api/v1/voice-campaigns/dnc", 100)
  const endpoints = name === "main" ? ["main-1", "main-2"] : [name]
  const states: Array<WebhookState> = []
  for (const [nth, id] of webhooks.entries()) states.push(await webhookState(client, id, endpoints[nth]!))
  const messages = await messagesOf(client)
  const suppressed = entries.map(({ phone }) => String(phone))
  return { granted, ...money, campaigns, templateCampaigns, suppressed, messages, webhooks: states }
}

/** Reads all of it, with every process up. */
export const readState = async (product: Product, accounts: Readonly<Record<string, Account>>): Promise<State> => {
  const read = Object.entries(accounts).map(async ([name, account]) => [
    name,
    await accountState(product, name, account)
  ])
  const states: Record<string, AccountState> = Object.fromEntries(await Promise.all(read))
  return { at: Date.now(), accounts: states }
}

const openStatuses = ["queued", "dialing", "ringing", "in_progress"]

export const openCalls = async (client: Client): Promise<ReadonlyArray<string>> => {
  const open: Array<string> = []
  for (const status of openStatuses) {
    const { body, status: answered } = await client.ask("GET", `/api/v1/telephony/calls?status=${status}&limit=500`)
    if (answered === 200) for (const { id } of body) open.push(id)
  }
  return open
}
