/** What a row of a file says about a number that is not to be called, and how the list is written as a file. Pure. */
import * as Result from "effect/Result"
import { Instant, isLonger } from "../../platform/kernel/index.ts"
import type { RowFault } from "../../platform/overview/index.ts"
import { type CsvRecord, FileFields, type GivenPhone, type Mapping, phoneOf, putCells, upTo } from "../csv/index.ts"
import type { SuppressionEntry } from "./SuppressionEntry.ts"

const fields = ["phone", "reason"] as const
export type Field = (typeof fields)[number]

/** What the columns of a file of numbers may be. Source: docs/reference/suppression.md#import. */
export const entryFields = new FileFields<Field>(fields, { keyed: [], words: [] })

export const maxReasonLength = 500

export interface EntryRow extends GivenPhone {
  readonly reason: string | null
}

/** The number of a row, or everything that is wrong with it. */
export const rowOf = (mapping: Mapping<Field>, record: CsvRecord): Result.Result<EntryRow, ReadonlyArray<RowFault>> => {
  let given: GivenPhone | undefined
  let reason: string | null = null
  const faults = putCells(mapping, record, (target, text) => {
    if (target._tag === "Field" && target.field === "phone") {
      const phone = phoneOf(text)
      if (typeof phone === "string") return phone
      given = phone
      return undefined
    }
    if (isLonger(text, maxReasonLength)) return upTo(maxReasonLength)
    reason = text
    return undefined
  })
  return faults.length > 0 || given === undefined ? Result.fail(faults) : Result.succeed({ ...given, reason })
}

/** What an import has done, or would do. Source: docs/reference/suppression.md#import. */
export interface EntryReport {
  readonly dryRun: boolean
  readonly totalRows: number
  readonly added: number
  /** On the list already, earlier in the file, or rejected. */
  readonly skipped: number
  readonly skippedInvalid: number
  /** The first hundred. */
  readonly errors: ReadonlyArray<RowFault>
  /** Entries on the list: afterwards, or in a dry run at present. */
  readonly totalNow: number
}

export const entryColumns = ["phone", "reason", "created_at"]

export const entryCells = ({ createdAt, phone, reason }: SuppressionEntry) => [phone, reason, Instant.toIso(createdAt)]
