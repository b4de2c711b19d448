/** People of a CSV file for a campaign: what each column is, what the server would do with it, then the import. */

import { useNavigate, useParams } from "@tanstack/react-router"
import type { ImportReport } from "@trunkline/client"
import { type ReactNode, useState } from "react"
import { asLeft, returning } from "../frame/Arrival.ts"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say, sayCount, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { importFields } from "../parts/CsvTable.ts"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { CheckField } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import {
  ImportColumns,
  ImportFaults,
  ImportFileField,
  importTimeoutMs,
  RejectedRows,
  useImportFile
} from "../parts/ImportFile.tsx"
import { useCampaign } from "./CampaignReads.ts"

const Step = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="panel grid gap-4 p-5">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </div>
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

export const ImportPage = () => {
  const { id } = useParams({ from: "/campaigns/$id/import" })
  const navigate = useNavigate()
  const { data: campaign } = useCampaign(id)
  const may = useMay("campaigns:write")
  const [optedIn, setOptedIn] = useState(false)
  const file = useImportFile<ImportReport>({
    fields: importFields,
    kind: "import",
    run: (chosen, isDryRun, idempotencyKey) =>
      api.campaigns.importContacts(
        id,
        { ...chosen, dry_run: isDryRun, opted_in: optedIn },
        { idempotencyKey, timeoutMs: importTimeoutMs }
      ),
    done: async ({ attached }) => {
      sayResult(sayCount("import.done", attached))
      await readAgain("campaigns", `campaign:${id}`, "contacts")
      returning()
      await navigate({ to: "/campaigns/$id", params: { id } })
    }
  })
  const { busy, chosen, fault, hasPhone, report, send } = file

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
            <ImportFileField onChoose={(one) => void file.choose(one)} />
          </Step>
          {chosen === null ? null : (
            <Step title={say("import.step-columns")}>
              <ImportColumns
                file={file}
                table={chosen.table}
                options={(header) => [
                  ...importFields.map((field) => ({ value: field, text: wordOf("import-field", field) })),
                  { value: `custom.${customOf(header)}`, text: say("import.custom", { key: customOf(header) }) }
                ]}
              />
              <CheckField
                label={say("import.opted-in")}
                hint={say("import.opted-in-hint")}
                isOn={optedIn}
                onChange={(isOn) => {
                  setOptedIn(isOn)
                  file.anew()
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
              <h2 ref={file.heading} tabIndex={-1} className="text-lg font-semibold">
                {say("import.result")}
              </h2>
              <Numbers report={report} />
              <ImportFaults counts={report.error_counts} errors={report.errors} />
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
                <RejectedRows file={file} />
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
