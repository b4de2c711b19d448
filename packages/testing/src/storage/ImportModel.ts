/** What an import must come to: address book and campaigns kept by a loop that takes one row after the other. */

import { type Instant, PhoneNumber } from "@trunkline/core/effect"
import type { CrmContact, ImportReport } from "@trunkline/core/testing"
import * as fc from "fast-check"

/** One row of a file, by the names of its fields. */
interface Row {
  readonly phone: string
  readonly name: string
  readonly first_name: string
  readonly email: string
  readonly tags: string
  readonly "custom.plan": string
  readonly "custom.city": string
  readonly opted_in: string
  /** Of the campaigns that send a template alone: others ignore the column. */
  readonly "variables.1": string
}

const columns = ["phone", "name", "first_name", "email", "tags", "custom.plan", "custom.city", "variables.1"] as const

export interface File {
  readonly rows: ReadonlyArray<Row>
  readonly hasConsent: boolean
  readonly optedIn: boolean
  /** Which of two campaigns it is for. */
  readonly campaign: 0 | 1
}

const headerOf = ({ hasConsent }: File) => (hasConsent ? [...columns, "opted_in" as const] : columns)

export const textOf = (file: File): string => {
  const [header, { rows }] = [headerOf(file), file]
  return [header.join(), ...rows.map((row) => header.map((name) => `"${row[name]}"`).join())].join("\n")
}

type Person = Omit<CrmContact, "id" | "tenantId">

/** The address book and two campaigns, kept by taking one row after the other. */
export class ImportModel {
  readonly people = new Map<string, Person>()
  readonly lists: readonly [Array<Listed>, Array<Listed>] = [[], []]

  take(file: File, at: Instant.Instant): Omit<ImportReport, "errors" | "errorCounts" | "columns" | "dryRun"> {
    const list = this.lists[file.campaign]
    const before = [...list]
    const earlier: Array<PhoneNumber.MatchKey> = []
    const report = { created: 0, updated: 0, failed: 0, attached: 0, skippedInvalid: 0, skippedDuplicate: 0 }
    // A row of empty cells is a blank line.
    const rows = file.rows.filter((row) => headerOf(file).some((name) => row[name] !== ""))
    for (const row of rows) {
      const number = PhoneNumber.usable(row.phone)
      if (number === undefined || row.email === "bad") {
        report.failed += 1
        report.skippedInvalid += 1
        continue
      }
      report[this.people.has(number.key) ? "updated" : "created"] += 1
      this.#upsert(number.key, row, file, at)
      const known = [...before.map(({ matchKey }) => matchKey), ...earlier]
      earlier.push(number.key)
      if (known.some((key) => PhoneNumber.samePerson(key, number.key))) {
        report.skippedDuplicate += 1
        continue
      }
      report.attached += 1
      list.push({
        phone: row.phone,
        name: row.name || row.first_name || null,
        matchKey: number.key,
        variables: row["variables.1"] === "" ? {} : { 1: row["variables.1"] },
        optedIn: file.hasConsent && row.opted_in === "yes"
      })
    }
    return { ...report, totalRows: rows.length, totalNow: list.length }
  }

  #upsert(matchKey: PhoneNumber.MatchKey, row: Row, file: File, at: Instant.Instant): void {
    const present = this.people.get(matchKey)
    const says = row.opted_in === "yes"
    this.people.set(matchKey, {
      phone: row.phone,
      matchKey,
      name: row.name || (present?.name ?? null),
      firstName: row.first_name || (present?.firstName ?? null),
      lastName: null,
      email: row.email || (present?.email ?? null),
      company: null,
      tags: row.tags === "" ? (present?.tags ?? []) : row.tags.split(";"),
      notes: null,
      optedIn: (present?.optedIn ?? (file.hasConsent ? false : file.optedIn)) || (file.hasConsent && says),
      custom: {
        ...present?.custom,
        ...(row["custom.plan"] === "" ? {} : { plan: row["custom.plan"] }),
        ...(row["custom.city"] === "" ? {} : { city: row["custom.city"] })
      },
      createdAt: present?.createdAt ?? at,
      updatedAt: at
    })
  }
}

export interface Listed {
  readonly phone: string
  readonly name: string | null
  readonly matchKey: PhoneNumber.MatchKey
  readonly variables: Readonly<Record<string, string>>
  readonly optedIn: boolean
}

/** Ways to write one number; the short ones may be many people's. */
const written: ReadonlyArray<(digits: string) => string> = [
  (digits) => digits,
  (digits) => `+91 ${digits}`,
  (digits) => `0${digits}`,
  (digits) => `(${digits.slice(0, 3)}) ${digits.slice(3)}`,
  (digits) => digits.slice(1),
  (digits) => digits.slice(2),
  (digits) => digits.slice(3)
]

const rowOf = (numbers: ReadonlyArray<string>): fc.Arbitrary<Row> =>
  fc.record({
    phone: fc.oneof(
      {
        weight: 15,
        arbitrary: fc.tuple(fc.constantFrom(...numbers), fc.constantFrom(...written)).map(([n, f]) => f(n))
      },
      { weight: 1, arbitrary: fc.constantFrom("", "12345", "nobody") }
    ),
    name: fc.constantFrom("", "", "Asha", "Bob"),
    first_name: fc.constantFrom("", "", "Cem"),
    email: fc.constantFrom("", "", "", "a@example.com", "b@example.com", "bad"),
    tags: fc.constantFrom("", "", "x", "y;z"),
    "custom.plan": fc.constantFrom("", "gold", "free"),
    "custom.city": fc.constantFrom("", "", "Pune"),
    opted_in: fc.constantFrom("", "no", "yes"),
    "variables.1": fc.constantFrom("", "", "A 😀", "it's 'B'")
  })

export const fileOf = (numbers: ReadonlyArray<string>, size: fc.ArrayConstraints): fc.Arbitrary<File> =>
  fc.record({
    rows: fc.array(rowOf(numbers), size),
    hasConsent: fc.boolean(),
    optedIn: fc.boolean(),
    campaign: fc.constantFrom(0, 1)
  })

/** Numbers that end alike, so that short ones meet several long ones. */
export const few = ["2125550123", "6465550123", "2125550199", "9175550123", "2129990123", "3125550123"]
/** More than one part of an import holds. */
export const many = Array.from({ length: 900 }, (_, i) => `98${String(76_543_210 - i * 7919).padStart(8, "0")}`)
