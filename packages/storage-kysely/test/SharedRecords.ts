/** Calls of an earlier release, several of which have the same record of the carrier's. */
const id = (n: number): string => `01890000-0000-7000-8000-00000000000${n}`

const row = (n: number, provider: string, record: string | null): string =>
  `('${id(n)}', '${id(0)}', '+1', '1', 'completed', '${provider}', ${record === null ? "null" : `'${record}'`}, 0, 0, 0, 0, 0)`

/** The version of the schema in which a record has one owner. */
export const recordsVersion = 7

/** Statements that fill the schema of the version before; `no` is how the database writes that something is not so. */
export const sharedRecords = (no: string): string =>
  `insert into calls (id, tenant_id, "to", to_key, status, provider, provider_call_id, started_at, credits, created_at, look_ups,
    look_up_at, is_winner, abandoned, detect_machine)
  values ${[row(2, "a", "X"), row(1, "a", "X"), row(3, "a", "X"), row(4, "b", "X"), row(5, "a", "Y"), row(6, "a", null)]
    .map((values) => values.replace(/\)$/, `, ${no}, ${no}, ${no})`))
    .join(", ")}`

/** Who has which record afterwards, in the order of their ids. */
export const ownRecords = [
  ["a", "X"],
  ["a", null],
  ["a", null],
  ["b", "X"],
  ["a", "Y"],
  ["a", null]
]
