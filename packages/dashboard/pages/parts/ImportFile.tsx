/** A CSV file on its way in: what each column is, what the server would do with it, then the import. */
import { type RefObject, useRef, useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import type { Fault } from "../frame/Notices.ts"
import { number, say, wordOf } from "../frame/Say.ts"
import { isUnknown, newKey } from "../frame/ServerRequests.ts"
import { mount } from "../frame/Settings.ts"
import { Button } from "./Button.tsx"
import { type CsvTable, csvTable, guessFields, rejectedRows } from "./CsvTable.ts"
import type { Option } from "./FormFields.tsx"
import { Icon } from "./Icons.tsx"

/** Headers and some rows stand at the beginning. */
const readBytes = 64 * 1024
const maxBytes = 25 * 1024 * 1024
const sampleRows = 5
export const importTimeoutMs = 600_000

interface RowFault {
  readonly row: number
  readonly field: string | null
  readonly message: string
}

interface Report {
  readonly errors: ReadonlyArray<RowFault>
}

interface Chosen {
  readonly file: File
  readonly table: CsvTable
}

const placeOf = (kind: string): string => `dashboard.${kind} ${new URL(mount).pathname}`

/** What a person has said of headers before. */
const remembered = (kind: string): Readonly<Record<string, string>> => {
  try {
    return JSON.parse(localStorage.getItem(placeOf(kind)) ?? "{}") as Readonly<Record<string, string>>
  } catch {
    return {}
  }
}

const remember = (kind: string, fields: Readonly<Record<string, string>>): void => {
  try {
    localStorage.setItem(placeOf(kind), JSON.stringify({ ...remembered(kind), ...fields }))
  } catch {
    // The next file is guessed anew.
  }
}

export interface ImportFile<Of extends Report> {
  readonly chosen: Chosen | null
  readonly fields: Readonly<Record<string, string>>
  readonly hasPhone: boolean
  readonly report: Of | null
  readonly fault: Fault | null
  readonly busy: "check" | "import" | null
  /** The heading of the result, which has the focus after a check. */
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly choose: (file: File | undefined) => Promise<void>
  readonly change: (header: string, field: string) => void
  /** What is asked for has changed: it is checked anew, and is another order. */
  readonly anew: () => void
  readonly send: (isDryRun: boolean) => Promise<void>
  readonly rejected: () => Promise<void>
}

const save = (text: string, name: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export const useImportFile = <Of extends Report>(given: {
  /** What a column may be guessed to be. */
  readonly fields: ReadonlyArray<string>
  /** Under this name the browser keeps what was said of headers. */
  readonly kind: string
  readonly run: (
    chosen: { readonly file: File; readonly column_map: string },
    isDryRun: boolean,
    idempotencyKey: string
  ) => Promise<Of>
  readonly done: (report: Of) => Promise<void>
}): ImportFile<Of> => {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({})
  const [report, setReport] = useState<Of | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState<"check" | "import" | null>(null)
  const key = useRef(newKey())
  const heading = useRef<HTMLHeadingElement>(null)

  const anew = (): void => {
    setReport(null)
    key.current = newKey()
  }

  const choose = async (file: File | undefined): Promise<void> => {
    setChosen(null)
    setFault(null)
    anew()
    if (file === undefined) return
    if (file.size > maxBytes) return setFault({ sentence: say("import.too-large") })
    const table = csvTable(await file.slice(0, readBytes).text())
    if (table.headers.length === 0) return setFault({ sentence: say("import.empty") })
    setFields(guessFields(table.headers, remembered(given.kind), given.fields))
    setChosen({ file, table })
  }

  const send = async (isDryRun: boolean): Promise<void> => {
    if (chosen === null || busy !== null) return
    setBusy(isDryRun ? "check" : "import")
    setFault(null)
    const columns = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== ""))
    try {
      const made = await given.run(
        { file: chosen.file, column_map: JSON.stringify(columns) },
        isDryRun,
        isDryRun ? newKey() : key.current
      )
      remember(given.kind, fields)
      if (isDryRun) {
        setReport(made)
        requestAnimationFrame(() => heading.current?.focus())
        return
      }
      key.current = newKey()
      await given.done(made)
    } catch (error) {
      if (!isUnknown(error)) key.current = newKey()
      setFault(faultOfWrite(error, () => void send(isDryRun)))
    } finally {
      setBusy(null)
    }
  }

  const rejected = async (): Promise<void> => {
    if (chosen === null || report === null) return
    try {
      save(rejectedRows(csvTable(await chosen.file.text()), report.errors, say("import.reason")), "rejected.csv")
    } catch {
      setFault({ sentence: say("import.file-changed") })
    }
  }

  return {
    ...{ chosen, fields, report, fault, busy, heading, choose, anew, send, rejected },
    hasPhone: Object.values(fields).includes("phone"),
    change: (header, field) => {
      setFields((present) => ({ ...present, [header]: field }))
      anew()
    }
  }
}

export const ImportFileField = ({ onChoose }: { readonly onChoose: (file: File | undefined) => void }) => (
  <>
    <label className="grid max-w-md grid-cols-1 gap-1">
      <span className="text-sm font-semibold">{say("import.file")}</span>
      <input
        type="file"
        accept=".csv,text/csv,text/plain"
        className="input py-1.5"
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
    </label>
    <p className="text-sm text-soft">{say("import.file-hint")}</p>
  </>
)

export const ImportColumns = <Of extends Report>({
  file: { change, fields },
  options,
  table
}: {
  readonly file: ImportFile<Of>
  readonly table: CsvTable
  readonly options: (header: string) => ReadonlyArray<Option>
}) => (
  <table className="plain-table wrap-anywhere" aria-label={say("import.columns")}>
    <thead>
      <tr>
        <th scope="col">{say("import.header")}</th>
        <th scope="col">{say("import.field")}</th>
        <th scope="col" className="max-md:hidden">
          {say("import.samples")}
        </th>
      </tr>
    </thead>
    <tbody>
      {table.headers.map((header, nth) => (
        <tr key={header}>
          <td className="font-medium">{header}</td>
          <td>
            <select
              className="input"
              aria-label={say("import.field-for", { header })}
              value={fields[header] ?? ""}
              onChange={({ target }) => change(header, target.value)}
            >
              <option value="">{say("import.leave-out")}</option>
              {options(header).map(({ text, value }) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </td>
          <td className="max-w-80 truncate text-soft max-md:hidden">
            {table.rows
              .slice(0, sampleRows)
              .map(([, cells]) => cells[nth] ?? "")
              .filter((cell) => cell.trim() !== "")
              .join(" · ")}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

export const ImportFaults = ({
  counts,
  errors
}: {
  readonly counts: ReadonlyArray<{ readonly field: string | null; readonly message: string; readonly rows: number }>
  readonly errors: ReadonlyArray<RowFault>
}) =>
  counts.length === 0 ? null : (
    <table className="plain-table wrap-anywhere" aria-label={say("import.faults")}>
      <thead>
        <tr>
          <th scope="col">{say("import.fault")}</th>
          <th scope="col" className="max-md:hidden">
            {say("import.fault-rows")}
          </th>
          <th scope="col" className="is-number">
            {say("import.fault-count")}
          </th>
        </tr>
      </thead>
      <tbody>
        {counts.map(({ field, message, rows }) => (
          <tr key={`${field} ${message}`}>
            <td>
              {field === null
                ? message
                : say("import.fault-of", { field: wordOf("import-field", field), reason: message })}
            </td>
            <td className="text-soft max-md:hidden">
              {errors
                .filter((one) => one.message === message && one.field === field)
                .slice(0, sampleRows)
                .map(({ row }) => number(row))
                .join(", ")}
            </td>
            <td className="is-number">{number(rows)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )

export const RejectedRows = <Of extends Report>({ file: { rejected, report } }: { readonly file: ImportFile<Of> }) =>
  report === null || report.errors.length === 0 ? null : (
    <Button onPress={() => void rejected()}>
      <Icon name="download" className="size-4 flex-none" />
      {say("import.rejected")}
    </Button>
  )
