/** The numbers that calls come from. */
import type { PhoneNumber } from "@trunkline/client"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { TextField } from "../parts/FormFields.tsx"
import { numberName } from "../parts/RecordChoices.ts"
import type { Column } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"
import { RecordsSection } from "./RecordsSection.tsx"

const listKey = ["numbers", "callers"]

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

const AddDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const title = say("caller-numbers.add")
  const form = useForm({
    initial: { phone: "", label: "" },
    check: (values) => missing(values, "phone"),
    submit: async ({ label, phone }, idempotencyKey) => {
      await api.numbers.create({ phone: phone.trim(), label: orNull(label) }, { idempotencyKey })
      sayResult(say("caller-numbers.added", { phone: phone.trim() }))
      onClose()
      await queryClient.resetQueries({ queryKey: listKey })
      void readAgain("numbers")
    }
  })
  return (
    <FormDialog title={title} form={form} onClose={onClose}>
      <TextField
        label={say("test-call.phone")}
        hint={say("test-call.phone-hint")}
        type="tel"
        maxLength={64}
        field={form.field("phone")}
      />
      <TextField
        label={say("caller-numbers.label")}
        hint={say("caller-numbers.label-hint")}
        maxLength={255}
        field={form.field("label")}
      />
    </FormDialog>
  )
}

interface Given {
  readonly number: PhoneNumber
  readonly onClose: () => void
}

const LabelDialog = ({ number: { id, label, phone }, onClose }: Given) => {
  const form = useForm({
    initial: { label: label ?? "" },
    submit: async (values) => {
      await api.numbers.label(id, { label: orNull(values.label) })
      sayResult(say("caller-numbers.saved", { phone }))
      onClose()
      await readAgain("numbers")
    }
  })
  return (
    <FormDialog
      title={say("caller-numbers.change-named", { name: phone })}
      action={say("caller-numbers.save")}
      form={form}
      onClose={onClose}
    >
      <TextField
        label={say("caller-numbers.label")}
        hint={say("caller-numbers.label-hint")}
        maxLength={255}
        field={form.field("label")}
      />
    </FormDialog>
  )
}

const RemoveDialog = ({ number, onClose }: Given) => {
  const { id, phone } = number
  return (
    <ConfirmDialog
      title={say("numbers.remove-named", { name: phone })}
      isDanger
      onClose={onClose}
      run={async () => {
        await api.numbers.remove(id)
        sayResult(say("caller-numbers.removed", { phone }))
        void readAgain("numbers")
      }}
    >
      <p>{say("caller-numbers.remove-lead", { n: 1, phone: numberName(number) })}</p>
    </ConfirmDialog>
  )
}

const columns: ReadonlyArray<Column<PhoneNumber>> = [
  {
    title: say("numbers.phone"),
    width: "minmax(0, 1.2fr)",
    cell: ({ label, phone }) => (
      <span className="grid leading-5">
        <span className="truncate font-semibold" title={phone}>
          {phone}
        </span>
        <span className="truncate text-xs text-soft md:hidden">{label}</span>
      </span>
    )
  },
  { title: say("caller-numbers.label"), width: "minmax(0, 1.2fr)", room: 1, cell: ({ label }) => label ?? nothing }
]

export const CallerNumbers = () => (
  <RecordsSection<PhoneNumber>
    title={say("caller-numbers.heading")}
    lead={say("caller-numbers.lead")}
    add={say("caller-numbers.add")}
    empty={[say("caller-numbers.empty"), say("caller-numbers.empty-lead")]}
    scope="calls:write"
    listKey={listKey}
    columns={columns}
    change={({ phone }) => ({
      word: say("caller-numbers.change"),
      name: say("caller-numbers.change-named", { name: phone })
    })}
    remove={({ phone }) => ({ word: say("numbers.remove"), name: say("numbers.remove-named", { name: phone }) })}
    read={(page, signal) => api.numbers.list(page, { signal }).then((found) => found)}
    dialog={(asked, onClose) =>
      asked.kind === "new" ? (
        <AddDialog onClose={onClose} />
      ) : asked.kind === "change" ? (
        <LabelDialog number={asked.row} onClose={onClose} />
      ) : (
        <RemoveDialog number={asked.row} onClose={onClose} />
      )
    }
  />
)
