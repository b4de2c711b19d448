/** Keys of an earlier release, which counted only what those with a budget spent: with requests in the usage log, and without. */
const id = (n: number): string => `01890000-0000-7000-8000-${String(n).padStart(12, "0")}`

/** The migration that counts what all keys have spent. */
export const countingSpent = "secrets and uses of keys"

const [account, other] = [id(1), id(2)]

const key = (n: number, of: string, budget: string): string =>
  `('${id(n)}', '${of}', 'digest ${n}', 'svc_${n}', '[]', '[]', ${budget}, 'total', 0)`

const request = (n: number, of: string, by: number | null, credits: number): string =>
  `('${id(n)}', '${of}', 0, 'request ${n}', ${by === null ? "null" : `'${id(by)}'`}, 'llm', 'model', 200, 1, 'tokens', 1, 1, 0, 0, ${credits}, 1)`

export const spentBefore = (off: string): string =>
  `insert into accounts (id, name, plan, status, voice_campaigns, payment_method, created_at, updated_at)
  values ${[account, other].map((one) => `('${one}', 'An account', 'pro', 'active', ${off}, 'verified', 0, 0)`).join(", ")};
  insert into api_keys (id, tenant_id, hash, prefix, scopes, permissions, budget, budget_period, created_at)
  values ${[key(11, account, "null"), key(12, account, "100"), key(13, account, "null"), key(14, other, "null")].join(", ")};
  insert into usage_log (id, tenant_id, created_at, request_id, key_id, service, model, http_status, units, unit,
    input_tokens, output_tokens, cache_read_tokens, cache_creation_tokens, credits, latency_ms)
  values ${[
    request(21, account, 11, 3),
    request(22, account, 11, 4),
    request(23, account, 12, 7),
    request(24, account, null, 9),
    request(25, other, 14, 5)
  ].join(", ")};
  insert into spends (owner_id, tenant_id, period, spent, pending_amount, alerted, exceeded)
  values ('${id(12)}', '${account}', 'total', 70, 2, ${off}, ${off}), ('${account}', '${account}', '2026-11', 23, 0, ${off}, ${off})`

/** Reads what must be there afterwards. */
export const readSpent =
  "select owner_id, tenant_id, period, spent, pending_amount from spends order by owner_id, period"

/** What was counted stays, and nothing is counted of a key that was not used. */
export const spentAfter = [
  [account, account, "2026-11", 23, 0],
  [id(11), account, "total", 7, 0],
  [id(12), account, "total", 70, 2],
  [id(14), other, "total", 5, 0]
]
