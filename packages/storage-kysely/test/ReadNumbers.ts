/** Numbers as an earlier release has stored and read them, and what the present one makes of them: docs/reference/suppression.md#upgrade. */
export const readingNumbers = "numbers read anew"

const uuid = (n: number): string => `01890000-0000-7000-8000-${String(n).padStart(12, "0")}`
const account = uuid(1)
const other = uuid(2)

/** How the earlier release read a number: all of its digits, the last ten of them backwards. */
const keyBefore = (phone: string): string => {
  const digits = phone.replace(/[^0-9]/g, "").replace(/^0+/, "")
  return [...digits.slice(-10)].reverse().join("")
}

type Numbers = ReadonlyArray<readonly [id: number, account: string, phone: string]>

const entries: Numbers = [
  [10, account, "+7 495 988-53-00 доб. 1311"],
  [11, account, "+49 30 901801"],
  [12, account, "+49 30 901801 int. 45"],
  [13, account, "+49 30 901801 ~46"],
  [14, account, "2026-11-28"],
  [15, other, "+49 30 901801 ~46"],
  [16, account, "+91 98765 43210"]
]

const people: Numbers = [
  [20, account, "+1 212 555 0101 / 0102"],
  [21, account, "+12125550101"],
  [22, account, "555-0101 ::: 555-0102"],
  [23, account, "555-0101 ::: 555-0103"],
  [24, account, "4.4770E+11"],
  [25, account, "+91 98765 43210"]
]

const list: Numbers = [
  [30, account, "+12125550101"],
  [31, account, "+1 212 555 0101 / 0102"],
  [32, account, "adam1234567@example.com"]
]

const calls: Numbers = [
  [40, account, "+7 495 988-53-00 доб. 1311"],
  [41, account, "2026-11-28"]
]

const inserts = (
  table: string,
  rows: Numbers,
  more: Readonly<Record<string, string>>,
  columns = ["phone", "match_key"]
) =>
  rows.map(
    ([
      id,
      owner,
      phone
    ]) => `insert into ${table} (id, tenant_id, ${columns.join(", ")}, ${Object.keys(more).join(", ")})
      values ('${uuid(id)}', '${owner}', '${phone}', '${keyBefore(phone)}', ${Object.values(more).join(", ")})`
  )

/** The rows of the earlier release; `no` is how the database writes false. */
export const numbersBefore = (no: string): string =>
  [
    ...inserts("suppression_entries", entries, { reason: "'asked'", created_at: "0" }),
    ...inserts("crm_contacts", people, {
      ...{ tags: "'[]'", opted_in: no, custom: "'{}'", created_at: "0", updated_at: "0" }
    }),
    ...list.flatMap((row, seq) =>
      inserts("campaign_contacts", [row], {
        ...{ campaign_id: `'${uuid(3)}'`, seq: String(seq), status: "'pending'", attempts: "0", created_at: "0" }
      })
    ),
    ...[...calls, [42, account, calls[0]![2]] as const].flatMap((row, n) =>
      inserts(
        "calls",
        [row],
        {
          ...{
            status: "'queued'",
            is_winner: no,
            abandoned: no,
            provider: "'p'",
            credits: "0",
            created_at: "0",
            started_at: "0"
          },
          ...{ detect_machine: no, look_ups: "0", look_up_at: "0", ended_at: n === 2 ? "1" : "null" }
        },
        ['"to"', "to_key"]
      )
    )
  ].join(";\n")

/** The id's number, and the key. */
export const readNumbers = ["suppression_entries", "crm_contacts", "campaign_contacts", "calls"]
  .map((table) => `select id, ${table === "calls" ? "to_key" : "match_key"} as key from ${table}`)
  .join(" union all ")
  .concat(" order by id")

const reversed = (digits: string): string => [...digits].reverse().join("")
const twin = (digits: string, id: number): string => `${reversed(digits)}/${uuid(id)}`

export const numbersAfter: ReadonlyArray<readonly [id: string, key: string]> = [
  [10, reversed("4959885300")],
  [11, reversed("4930901801")],
  // Two more entries of a number that is listed: each counts until it is removed.
  [12, twin("4930901801", 12)],
  [13, twin("4930901801", 13)],
  // No number, which covers what it covered.
  [14, reversed("20261128")],
  [15, reversed("4930901801")],
  [16, reversed("9876543210")],
  [20, twin("2125550101", 20)],
  [21, reversed("2125550101")],
  // Nobody had this number: the elder of the two has it now.
  [22, reversed("5550101")],
  [23, twin("5550101", 23)],
  [24, `-/${uuid(24)}`],
  [25, reversed("9876543210")],
  [30, reversed("2125550101")],
  [31, reversed("2125550101")],
  [32, `-/${uuid(32)}`],
  [40, reversed("4959885300")],
  [41, reversed("20261128")],
  // A call that has ended is history.
  [42, keyBefore(calls[0]![2])]
].map(([id, key]) => [uuid(id as number), key as string])
