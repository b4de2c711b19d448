/** Customers of an earlier release, whose rows hold the state of their reply jobs. */
const id = (n: number): string => `01890000-0000-7000-8000-00000000000${n}`

type State = readonly [
  dueAt: number | null,
  claim: string | null,
  claimedUntil: number | null,
  handledUpTo: string | null,
  waitingSince: number | null,
  failures: number
]

const states: ReadonlyArray<State> = [
  [null, null, null, null, null, 0],
  [5, null, null, null, 4, 0],
  [5, "c", 9, id(8), 4, 2],
  [null, null, null, id(8), null, 0]
]

const value = (of: string | number | null): string => (typeof of === "string" ? `'${of}'` : String(of))

/** The migration that moves them. */
export const movingJobs = "reply jobs"

export const customersWithJobs = `insert into chat_customers (id, tenant_id, phone_id, phone, conversation_id, last_message_at, created_at,
    due_at, claim, claimed_until, handled_up_to, waiting_since, failures)
  values ${states
    .map((state, n) => `('${id(n)}', '${id(9)}', '${id(9)}', '${n}', '${id(9)}', 0, 0, ${state.map(value).join(", ")})`)
    .join(", ")}`

/** Reads what must be there afterwards. */
export const readJobs = `select customer_id, due_at, claim, claimed_until, handled_up_to, waiting_since, failures
  from reply_jobs order by customer_id`

/** A customer without any state has no job. */
export const movedJobs = [1, 2, 3].map((n) => [id(n), ...states[n]!])
