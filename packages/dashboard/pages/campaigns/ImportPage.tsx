/** People of a CSV file for a campaign: what each column is, what the server would do with it, then the import. */
import { useNavigate, useParams } from "@tanstack/react-router"
import type { ImportReport } from "@trunkline/client"
import { type ReactNode, useRef, useState } from "react"
import { asLeft, returning } from "../frame/Arrival.ts"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import { type Fault, sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { number, say, sayCount, wordOf } from "../frame/Say.ts"
import { api, isUnknown, newKey } from "../frame/ServerRequests.ts"
import { mount } from "../frame/Settings.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { CheckField } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useCampaign } from "./CampaignReads.ts"
import { type CsvTable, csvTable, guessFields, importFields, rejectedRows } from "./CsvTable.ts"

/** Headers and some rows stand at the beginning. */
const readBytes = 64 * 1024
const maxBytes = 25 * 1024 * 1024
const sampleRows = 5

const place = `dashboard.import ${new URL(mount).pathname}`

/** What a person has said of headers before. */
const remembered = (): Readonly<Record<string, string>> => {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") as Readonly<Record<string, string>>
  } catch {
    return {}
  }
}

const remember = (fields: Readonly<Record<string, string>>): void => {
  try {
    localStorage.setItem(place, JSON.stringify({ ...remembered(), ...fields }))
  } catch {
    // The next file is guessed anew.
  }
}

interface Chosen {
  readonly file: File
  readonly table: CsvTable
}

const Step = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="panel grid gap-4 p-5">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </div>
)

const Columns = ({
  chosen: { table },
  fields,
  onChange
}: {
  readonly chosen: Chosen
  readonly fields: Readonly<Record<string, string>>
  readonly onChange: (header: string, field: string) => void
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
              onChange={({ target }) => onChange(header, target.value)}
            >
              <option value="">{say("import.leave-out")}</option>
              {importFields.map((field) => (
                <option key={field} value={field}>
                  {wordOf("import-field", field)}
                </option>
              ))}
              <option value={`custom.${customOf(header)}`}>{say("import.custom", { key: customOf(header) })}</option>
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

/** The key of a field of the account's own, as a header spells it. */
const customOf = (header: string): string =>
  header
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 64) || "column"

const Numbers = ({ report }: { readonly report: ImportReport }) => {
  const facts = [
    sayCount("import.rows", report.total_rows),
    sayCount("import.attached", report.attached),
    report.skipped_duplicate === 0 ? null : sayCount("import.duplicate", report.skipped_duplicate),
    report.failed === 0 ? say("import.no-failed") : sayCount("import.failed", report.failed)
  ]
  return (
    <ul className="grid list-disc gap-1 ps-5">
      {facts
        .filter((fact) => fact !== null)
        .map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
    </ul>
  )
}

const save = (text: string, name: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export const ImportPage = () => {
  const { id } = useParams({ from: "/campaigns/$id/import" })
  const navigate = useNavigate()
  const { data: campaign } = useCampaign(id)
  const may = useMay("campaigns:write")
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({})
  const [optedIn, setOptedIn] = useState(false)
  const [report, setReport] = useState<ImportReport | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState<"check" | "import" | null>(null)
  const key = useRef(newKey())
  const heading = useRef<HTMLHeadingElement>(null)

  const choose = async (file: File | undefined): Promise<void> => {
    setChosen(null)
    setReport(null)
    setFault(null)
    key.current = newKey()
    if (file === undefined) return
    if (file.size > maxBytes) return setFault({ sentence: say("import.too-large") })
    const table = csvTable(await file.slice(0, readBytes).text())
    if (table.headers.length === 0) return setFault({ sentence: say("import.empty") })
    setFields(guessFields(table.headers, remembered()))
    setChosen({ file, table })
  }

  const change = (header: string, field: string): void => {
    setFields((present) => ({ ...present, [header]: field }))
    setReport(null)
    key.current = newKey()
  }

  const send = async (isDryRun: boolean): Promise<void> => {
    if (chosen === null || busy !== null) return
    setBusy(isDryRun ? "check" : "import")
    setFault(null)
    try {
      const made = await api.campaigns.importContacts(
        id,
        {
          file: chosen.file,
          column_map: JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== ""))),
          dry_run: isDryRun,
          opted_in: optedIn
        },
        { idempotencyKey: isDryRun ? newKey() : key.current, timeoutMs: 600_000 }
      )
      remember(fields)
      if (isDryRun) {
        setReport(made)
        requestAnimationFrame(() => heading.current?.focus())
        return
      }
      key.current = newKey()
      sayResult(sayCount("import.done", made.attached))
      await readAgain("campaigns", `campaign:${id}`, "contacts")
      returning()
      await navigate({ to: "/campaigns/$id", params: { id } })
    } catch (error) {
      if (!isUnknown(error)) key.current = newKey()
      setFault(faultOfWrite(error, () => void send(isDryRun)))
    } finally {
      setBusy(null)
    }
  }

  const download = async (): Promise<void> => {
    if (chosen === null || report === null) return
    try {
      save(rejectedRows(csvTable(await chosen.file.text()), report.errors, say("import.reason")), "rejected.csv")
    } catch {
      setFault({ sentence: say("import.file-changed") })
    }
  }

  const hasPhone = Object.values(fields).includes("phone")
  return (
    <div className="max-w-4xl">
      <a
        href={`#${asLeft(`/campaigns/${id}`)}`}
        onClick={returning}
        className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-soft hover:text-ink"
      >
        <Icon name="back" className="size-4 flex-none" />
        {campaign?.name ?? say("campaign.unknown")}
      </a>
      <Heading title={say("campaign.import")} lead={may ? say("import.lead") : say("not-available.write")} />
      {may ? (
        <div className="grid gap-5">
          {fault === null ? null : <FaultAlert fault={fault} />}
          <Step title={say("import.step-file")}>
            <label className="grid max-w-md gap-1">
              <span className="text-sm font-semibold">{say("import.file")}</span>
              <input
                type="file"
                accept=".csv,text/csv,text/plain"
                className="input py-1.5"
                onChange={({ target }) => void choose(target.files?.[0])}
              />
            </label>
            <p className="text-sm text-soft">{say("import.file-hint")}</p>
          </Step>
          {chosen === null ? null : (
            <Step title={say("import.step-columns")}>
              <Columns chosen={chosen} fields={fields} onChange={change} />
              <CheckField
                label={say("import.opted-in")}
                hint={say("import.opted-in-hint")}
                isOn={optedIn}
                onChange={(isOn) => {
                  setOptedIn(isOn)
                  setReport(null)
                }}
              />
              <div>
                <Button
                  look={report === null ? "primary" : "plain"}
                  writes
                  isBusy={busy === "check"}
                  off={hasPhone ? null : say("import.no-phone")}
                  onPress={() => void send(true)}
                >
                  {say("import.check")}
                </Button>
                {hasPhone ? null : <span className="ms-3 text-sm text-soft">{say("import.no-phone")}</span>}
              </div>
            </Step>
          )}
          {report === null ? null : (
            <section aria-label={say("import.result")} className="panel grid gap-4 p-5">
              <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold">
                {say("import.result")}
              </h2>
              <Numbers report={report} />
              {report.error_counts.length === 0 ? null : (
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
                    {report.error_counts.map(({ field, message, rows }) => (
                      <tr key={`${field} ${message}`}>
                        <td>{message}</td>
                        <td className="text-soft max-md:hidden">
                          {report.errors
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
              )}
              <div className="flex flex-wrap gap-2">
                <Button
                  look="primary"
                  writes
                  isBusy={busy === "import"}
                  off={report.attached + report.created + report.updated === 0 ? say("import.nobody") : null}
                  onPress={() => void send(false)}
                >
                  {say("import.import")}
                </Button>
                {report.errors.length === 0 ? null : (
                  <Button onPress={() => void download()}>
                    <Icon name="download" className="size-4 flex-none" />
                    {say("import.rejected")}
                  </Button>
                )}
              </div>
              {report.failed > report.errors.length ? (
                <p className="text-sm text-soft">{sayCount("import.first-errors", report.errors.length)}</p>
              ) : null}
            </section>
          )}
        </div>
      ) : null}
    </div>
  )
}
