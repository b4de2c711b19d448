/**
 * Numbers that an earlier release has read by fewer rules: their keys are written anew, and no row is lost.
 * Source: docs/reference/suppression.md#upgrade.
 */
import { PhoneNumber } from "@trunkline/core/storage"
import { backfill, type OnlineStep, type Rewrite, rewrite } from "./MigrationSteps.ts"

interface Keys {
  /** The column of the number as it was written, and that of its key. */
  readonly phone?: string
  readonly column?: string
  /** The key of a row whose number is read otherwise now. */
  readonly keyOf: (key: PhoneNumber.MatchKey, id: string) => string
  /** The key of a row whose text is no number by the present rules, or null to keep what it has. */
  readonly unusable: (id: string) => string | null
}

const keysAnew = (table: string, { column = "match_key", keyOf, phone = "phone", unusable }: Keys, where?: string) => {
  const change: Rewrite["change"] = ({ id = "", key = "", phone = "" }) => {
    const number = PhoneNumber.usable(phone)
    if (number === undefined) return key.endsWith(id) ? null : unusable(id)
    return PhoneNumber.sameDigits(number.key, PhoneNumber.as(key)) ? null : keyOf(number.key, id)
  }
  return rewrite(table, {
    column,
    reads: [`${phone} as phone`, `${column} as key`],
    change,
    ...(where === undefined ? {} : { where })
  })
}

/** The key of a twin's digits: behind it are a slash and an id. */
const plainKey = "substr(match_key, 1, length(match_key) - 37)"

/** In a table where each key is that of one row of an account: each of the rows becomes a twin, and then the eldest has the key. */
const uniqueKeysAnew = (table: string, unusable: Keys["unusable"]): ReadonlyArray<OnlineStep> => [
  keysAnew(table, { keyOf: PhoneNumber.twin, unusable }),
  backfill(
    table,
    "id",
    `update ${table} set match_key = ${plainKey}
      where {range} and match_key like '%/%' and match_key not like '-%' and not exists (select 1 from ${table} o
        where o.tenant_id = ${table}.tenant_id and o.match_key >= substr(${table}.match_key, 1, length(${table}.match_key) - 37)
          and o.match_key < ${table}.match_key)`
  )
]

const same = (key: PhoneNumber.MatchKey): string => key
const keep = () => null

export const numbersReadAnew: ReadonlyArray<OnlineStep> = [
  // What an entry covered without being a number stays covered.
  ...uniqueKeysAnew("suppression_entries", keep),
  ...uniqueKeysAnew("crm_contacts", PhoneNumber.nobody),
  keysAnew("campaign_contacts", { keyOf: same, unusable: PhoneNumber.nobody }),
  keysAnew("calls", { phone: '"to"', column: "to_key", keyOf: same, unusable: keep }, "ended_at is null")
]
