/** Rows that benchmarks fill databases with: one account, campaigns that run, and people to call. */
import type { Ids } from "@trunkline/core/provider"

export const accountId = "019a0000-0000-7000-8000-000000000001" as Ids.AccountId

/** Ids that ascend, as the product's own do. */
const idIn = (place: number) => (n: number) => `019a0000-0000-7000-8000-${place}${n.toString(16).padStart(11, "0")}`

export const campaignId = idIn(1)
export const contactId = idIn(2)
export const entryId = idIn(3)

export const account = {
  id: accountId,
  name: "Bench",
  plan: "pro",
  status: "active",
  voice_campaigns: 1,
  payment_method: "verified",
  created_at: 0,
  updated_at: 0
}

export const credit = { tenant_id: accountId, balance: 1_000_000_000_000_000n, reserved: 0n }

/** A campaign that runs at all hours. One line of the parallel mode is like power without a pace to wait for. */
export const campaign = (n: number, contacts: number, nextDialAt: number) => ({
  id: campaignId(n),
  tenant_id: accountId,
  name: `Campaign ${n}`,
  status: "running",
  total_contacts: contacts,
  completed_contacts: 0,
  failed_contacts: 0,
  timezone: "UTC",
  quiet_hours_start: 0,
  quiet_hours_end: 24,
  max_attempts: 3,
  dial_mode: "parallel",
  pace_seconds: 5,
  parallel_lines: 1,
  amd_enabled: 0,
  created_at: 0,
  updated_at: 0,
  next_dial_at: nextDialAt,
  refusals: 0,
  next_seq: contacts
})

/** The n-th contact of all, on the list of one campaign. Consecutive numbers end in all of the hundred ways. */
export const contact = (n: number, campaign: number, seq: number) => {
  const digits = String(7_000_000_000 + n)
  return {
    id: contactId(n),
    tenant_id: accountId,
    campaign_id: campaignId(campaign),
    seq,
    phone: `+91${digits}`,
    match_key: [...digits].reverse().join(""),
    name: `Person ${n}`,
    status: "pending",
    attempts: 0,
    next_attempt_at: null as number | null,
    created_at: 0
  }
}
