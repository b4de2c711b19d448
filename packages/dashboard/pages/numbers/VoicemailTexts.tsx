/** What answering machines hear: texts that are spoken, and sound files. */
import type { VoicemailTemplate } from "@trunkline/client"
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
import { AreaField, SelectField, TextField } from "../parts/FormFields.tsx"
import { actionsColumn } from "../parts/RowActions.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { NumbersSection } from "./NumbersSection.tsx"

const listKey = ["numbers", "voicemail"]

type Name = "name" | "source" | "text" | "audio_url"

const bodyOf = ({ audio_url, name, source, text }: Readonly<Record<Name, string>>) => ({
  name: name.trim(),
  ...(source === "audio" ? { audio_url: audio_url.trim(), text: null } : { text: text.trim(), audio_url: null })
})

const TextDialog = ({
  onClose,
  template
}: {
  readonly template: VoicemailTemplate | null
  readonly onClose: () => void
}) => {
  const form = useForm<Name>({
    initial: {
      name: template?.name ?? "",
      source: template?.audio_url == null ? "text" : "audio",
      text: template?.text ?? "",
      audio_url: template?.audio_url ?? ""
    },
    check: (values) => {
      const needed = ["name", values.source === "audio" ? "audio_url" : "text"] as const
      return Object.fromEntries(
        needed.flatMap((name) => {
          const fault = required(values[name])
          return fault === null ? [] : [[name, fault]]
        })
      )
    },
    submit: async (values, idempotencyKey) => {
      const { name } =
        template === null
          ? await api.voicemailTemplates.create(bodyOf(values), { idempotencyKey })
          : await api.voicemailTemplates.change(template.id, bodyOf(values))
      sayResult(say("voicemail.saved", { name }))
      onClose()
      if (template === null) await queryClient.resetQueries({ queryKey: listKey })
      void readAgain("numbers")
    }
  })
  return (
    <Dialog
      title={template === null ? say("voicemail.new") : say("voicemail.change-named", { name: template.name })}
      onClose={onClose}
    >
      <FormBox form={form} className="mt-3 grid gap-4">
        <TextField label={say("voicemail.name")} maxLength={255} field={form.field("name")} />
        <SelectField
          label={say("voicemail.source")}
          field={form.field("source")}
          options={[
            { value: "text", text: say("voicemail.source-text") },
            { value: "audio", text: say("voicemail.source-audio") }
          ]}
        />
        {form.values.source === "audio" ? (
          <TextField label={say("voicemail.audio")} maxLength={2048} field={form.field("audio_url")} />
        ) : (
          <AreaField label={say("voicemail.text")} field={form.field("text")} />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={onClose}>{say("action.back")}</Button>
          <Button type="submit" look="primary" writes isBusy={form.isBusy}>
            {say(template === null ? "voicemail.create" : "voicemail.save")}
          </Button>
        </div>
      </FormBox>
    </Dialog>
  )
}

const DeleteDialog = ({
  onClose,
  template: { id, name }
}: {
  readonly template: VoicemailTemplate
  readonly onClose: () => void
}) => (
  <ConfirmDialog
    title={say("voicemail.delete-named", { name })}
    isDanger
    onClose={onClose}
    run={async () => {
      await api.voicemailTemplates.remove(id)
      sayResult(say("voicemail.deleted", { name }))
      void readAgain("numbers")
    }}
  >
    <p>{say("voicemail.delete-lead", { n: 1 })}</p>
  </ConfirmDialog>
)

type Shown = { readonly kind: "new" } | { readonly kind: "change" | "delete"; readonly template: VoicemailTemplate }

const columnsOf = (show: ((shown: Shown) => void) | null): ReadonlyArray<Column<VoicemailTemplate>> => [
  {
    title: say("voicemail.name"),
    width: "minmax(0, 1fr)",
    cell: ({ name }) => (
      <span className="font-semibold" title={name}>
        {name}
      </span>
    )
  },
  {
    title: say("voicemail.source"),
    width: "minmax(0, 2fr)",
    room: 1,
    cell: ({ audio_url, text }) => <span title={text ?? audio_url ?? undefined}>{text ?? audio_url}</span>
  },
  {
    title: say("numbers.added"),
    width: "11rem",
    room: 2,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  },
  ...(show === null
    ? []
    : [
        actionsColumn(2, (template: VoicemailTemplate) => [
          {
            icon: "edit",
            word: say("voicemail.change"),
            name: say("voicemail.change-named", { name: template.name }),
            onPress: () => show({ kind: "change", template })
          },
          {
            icon: "trash",
            word: say("voicemail.delete"),
            name: say("voicemail.delete-named", { name: template.name }),
            onPress: () => show({ kind: "delete", template })
          }
        ])
      ])
]

export const VoicemailTexts = () => {
  const may = useMay("campaigns:write")
  const [shown, setShown] = useState<Shown | null>(null)
  const [columns] = useState(() => columnsOf(may ? setShown : null))
  const close = () => setShown(null)
  return (
    <NumbersSection title={say("voicemail.heading")} lead={say("voicemail.lead")}>
      <Rows
        tools={
          may ? (
            <Button writes onPress={() => setShown({ kind: "new" })}>
              {say("voicemail.new")}
            </Button>
          ) : null
        }
        label={say("voicemail.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={listKey}
        topics={["numbers"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) => api.voicemailTemplates.list(page, { signal }).then((found) => found)}
        empty={<Empty icon="phone" title={say("voicemail.empty")} sentence={say("voicemail.empty-lead")} />}
      />
      {shown === null ? null : shown.kind === "new" ? (
        <TextDialog template={null} onClose={close} />
      ) : shown.kind === "change" ? (
        <TextDialog template={shown.template} onClose={close} />
      ) : (
        <DeleteDialog template={shown.template} onClose={close} />
      )}
    </NumbersSection>
  )
}
