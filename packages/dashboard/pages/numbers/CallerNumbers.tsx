/** The numbers that calls come from. */
import type { PhoneNumber } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { FormBox, required, useForm } from "../parts/FormBox.tsx"
import { TextField } from "../parts/FormFields.tsx"
import { numberName } from "../parts/RecordChoices.ts"
import { actionsColumn } from "../parts/RowActions.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"
import { NumbersSection } from "./NumbersSection.tsx"

const listKey = ["numbers", "callers"]

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

const AddDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const title = say("caller-numbers.add")
  const form = useForm({
    initial: { phone: "", label: "" },
    check: ({ phone }): { phone?: string } => {
      const fault = required(phone)
      return fault === null ? {} : { phone: fault }
    },
    submit: async ({ label, phone }, idempotencyKey) => {
      await api.numbers.create({ phone: phone.trim(), label: orNull(label) }, { idempotencyKey })
      sayResult(say("caller-numbers.added", { phone: phone.trim() }))
      onClose()
      await queryClient.resetQueries({ queryKey: listKey })
      void readAgain("numbers")
    }
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <FormBox form={form} className="mt-3 grid gap-4">
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
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={onClose}>{say("action.back")}</Button>
          <Button type="submit" look="primary" writes isBusy={form.isBusy}>
            {title}
          </Button>
        </div>
      </FormBox>
    </Dialog>
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
    <Dialog title={say("caller-numbers.change-named", { name: phone })} onClose={onClose}>
      <FormBox form={form} className="mt-3 grid gap-4">
        <TextField
          label={say("caller-numbers.label")}
          hint={say("caller-numbers.label-hint")}
          maxLength={255}
          field={form.field("label")}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={onClose}>{say("action.back")}</Button>
          <Button type="submit" look="primary" writes isBusy={form.isBusy}>
            {say("caller-numbers.save")}
          </Button>
        </div>
      </FormBox>
    </Dialog>
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

type Shown = { readonly kind: "add" } | { readonly kind: "label" | "remove"; readonly number: PhoneNumber }

const columnsOf = (show: ((shown: Shown) => void) | null): ReadonlyArray<Column<PhoneNumber>> => [
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
  { title: say("caller-numbers.label"), width: "minmax(0, 1.2fr)", room: 1, cell: ({ label }) => label ?? nothing },
  {
    title: say("numbers.added"),
    width: "11rem",
    room: 2,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  },
  ...(show === null
    ? []
    : [
        actionsColumn(2, (number: PhoneNumber) => [
          {
            icon: "edit",
            word: say("caller-numbers.change"),
            name: say("caller-numbers.change-named", { name: number.phone }),
            onPress: () => show({ kind: "label", number })
          },
          {
            icon: "trash",
            word: say("numbers.remove"),
            name: say("numbers.remove-named", { name: number.phone }),
            onPress: () => show({ kind: "remove", number })
          }
        ])
      ])
]

export const CallerNumbers = () => {
  const may = useMay("calls:write")
  const [shown, setShown] = useState<Shown | null>(null)
  const [columns] = useState(() => columnsOf(may ? setShown : null))
  const close = () => setShown(null)
  return (
    <NumbersSection title={say("caller-numbers.heading")} lead={say("caller-numbers.lead")}>
      <Rows
        tools={
          may ? (
            <Button writes onPress={() => setShown({ kind: "add" })}>
              {say("caller-numbers.add")}
            </Button>
          ) : null
        }
        label={say("caller-numbers.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={listKey}
        topics={["numbers"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) => api.numbers.list(page, { signal }).then((found) => found)}
        empty={<Empty icon="phone" title={say("caller-numbers.empty")} sentence={say("caller-numbers.empty-lead")} />}
      />
      {shown === null ? null : shown.kind === "add" ? (
        <AddDialog onClose={close} />
      ) : shown.kind === "label" ? (
        <LabelDialog number={shown.number} onClose={close} />
      ) : (
        <RemoveDialog number={shown.number} onClose={close} />
      )}
    </NumbersSection>
  )
}
