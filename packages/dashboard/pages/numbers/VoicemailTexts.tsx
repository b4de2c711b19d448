/** What answering machines hear: texts that are spoken, and sound files. */
import type { VoicemailTemplate } from "@trunkline/client"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { AreaField, SelectField, TextField } from "../parts/FormFields.tsx"
import type { Column } from "../parts/RowsTable.tsx"
import { RecordsSection } from "./RecordsSection.tsx"

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
    check: (values) => missing(values, "name", values.source === "audio" ? "audio_url" : "text"),
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
    <FormDialog
      title={template === null ? say("voicemail.new") : say("voicemail.change-named", { name: template.name })}
      action={say(template === null ? "voicemail.create" : "voicemail.save")}
      form={form}
      onClose={onClose}
    >
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
    </FormDialog>
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

const columns: ReadonlyArray<Column<VoicemailTemplate>> = [
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
  }
]

export const VoicemailTexts = () => (
  <RecordsSection<VoicemailTemplate>
    title={say("voicemail.heading")}
    lead={say("voicemail.lead")}
    add={say("voicemail.new")}
    empty={[say("voicemail.empty"), say("voicemail.empty-lead")]}
    scope="campaigns:write"
    listKey={listKey}
    columns={columns}
    change={({ name }) => ({ word: say("voicemail.change"), name: say("voicemail.change-named", { name }) })}
    remove={({ name }) => ({ word: say("voicemail.delete"), name: say("voicemail.delete-named", { name }) })}
    read={(page, signal) => api.voicemailTemplates.list(page, { signal }).then((found) => found)}
    dialog={(asked, onClose) =>
      asked.kind === "remove" ? (
        <DeleteDialog template={asked.row} onClose={onClose} />
      ) : (
        <TextDialog template={asked.kind === "new" ? null : asked.row} onClose={onClose} />
      )
    }
  />
)
