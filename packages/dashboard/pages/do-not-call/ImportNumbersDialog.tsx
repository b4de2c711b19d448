/** Puts the numbers of a CSV file on the do-not-call list, after the server has said what it would do with them. */
import type { DoNotCallImportReport } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { say, sayCount, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { Facts } from "../parts/ConfirmDialog.tsx"
import { numberFields } from "../parts/CsvTable.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { TextField } from "../parts/FormFields.tsx"
import {
  ImportColumns,
  ImportFaults,
  ImportFileField,
  importTimeoutMs,
  RejectedRows,
  useImportFile
} from "../parts/ImportFile.tsx"
import { maxReason } from "./AddNumberDialog.tsx"

const options = numberFields.map((field) => ({ value: field, text: wordOf("import-field", field) }))

/** Each kind of fault with the number of its rows, among the faults that the server reports. */
const countsOf = (errors: DoNotCallImportReport["errors"]) => {
  const kinds = new Map<string, { readonly field: string; readonly message: string; readonly rows: number }>()
  for (const { field, message } of errors) {
    const kind = `${field} ${message}`
    kinds.set(kind, { field, message, rows: (kinds.get(kind)?.rows ?? 0) + 1 })
  }
  return [...kinds.values()]
}

const factsOf = ({ added, skipped, skipped_invalid, total_now, total_rows }: DoNotCallImportReport) => {
  const listed = skipped - skipped_invalid
  return [
    sayCount("import.rows", total_rows),
    sayCount("dnc.import-new", added),
    listed === 0 ? null : sayCount("dnc.import-listed", listed),
    skipped_invalid === 0 ? say("import.no-failed") : sayCount("import.failed", skipped_invalid),
    sayCount("dnc.import-before", total_now)
  ]
}

export const ImportNumbersDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [reason, setReason] = useState("")
  const file = useImportFile<DoNotCallImportReport>({
    fields: numberFields,
    kind: "import-numbers",
    run: (chosen, isDryRun, idempotencyKey) =>
      api.suppression.importCsv(
        { ...chosen, dry_run: isDryRun, reason: reason.trim() === "" ? undefined : reason.trim() },
        { idempotencyKey, timeoutMs: importTimeoutMs }
      ),
    done: async ({ added }) => {
      sayResult(sayCount("dnc.imported", added))
      onClose()
      await queryClient.resetQueries({ queryKey: ["do-not-call"] })
      void readAgain("suppression")
    }
  })
  const { busy, chosen, fault, hasPhone, report, send } = file
  return (
    <Dialog title={say("dnc.import")} onClose={onClose} isWide>
      <div className="mt-3 grid grid-cols-1 gap-4">
        <p className="text-soft">{say("dnc.import-lead")}</p>
        {fault === null ? null : <FaultAlert fault={fault} />}
        <ImportFileField onChoose={(one) => void file.choose(one)} />
        {chosen === null ? null : (
          <>
            <ImportColumns file={file} table={chosen.table} options={() => options} />
            <TextField
              label={say("dnc.reason")}
              hint={say("dnc.import-reason-hint")}
              maxLength={maxReason}
              field={{
                id: "import-reason",
                value: reason,
                fault: null,
                named: () => {},
                onChange: (text) => {
                  setReason(text)
                  file.anew()
                }
              }}
            />
          </>
        )}
        {report === null ? null : (
          <section aria-label={say("import.result")} className="grid grid-cols-1 gap-3 border-t border-line pt-4">
            <h3 ref={file.heading} tabIndex={-1} className="font-semibold">
              {say("import.result")}
            </h3>
            <Facts facts={factsOf(report)} />
            <ImportFaults counts={countsOf(report.errors)} errors={report.errors} />
            {report.skipped_invalid > report.errors.length ? (
              <p className="text-sm text-soft">{sayCount("dnc.first-errors", report.errors.length)}</p>
            ) : null}
          </section>
        )}
        {chosen === null || hasPhone ? null : <p className="text-sm text-soft">{say("import.no-phone")}</p>}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>{say("action.back")}</Button>
        <RejectedRows file={file} />
        {report === null ? (
          <Button
            look="primary"
            writes
            isBusy={busy === "check"}
            off={chosen === null ? say("dnc.choose-file") : hasPhone ? null : say("import.no-phone")}
            onPress={() => void send(true)}
          >
            {say("import.check")}
          </Button>
        ) : (
          <Button
            look="primary"
            writes
            isBusy={busy === "import"}
            off={report.added === 0 ? say("dnc.import-nothing") : null}
            onPress={() => void send(false)}
          >
            {say("import.import")}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
