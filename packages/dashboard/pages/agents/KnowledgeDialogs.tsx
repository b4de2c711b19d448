/** Dialogs about one text of an agent's knowledge: added, read, changed, removed. */
import type { KnowledgeEntry } from "@trunkline/client"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { dropDraft } from "../parts/Drafts.ts"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { AreaField, TextField } from "../parts/FormFields.tsx"

export const KnowledgeDialog = ({
  agentId,
  entry,
  onAdded,
  onClose
}: {
  readonly agentId: string
  /** The one to be changed; null for a new one. */
  readonly entry: KnowledgeEntry | null
  readonly onClose: () => void
  readonly onAdded: () => void
}) => {
  const before = { title: entry?.title ?? "", content: entry?.content ?? "" }
  const draft = `knowledge ${entry?.id ?? agentId}`
  // A new text waits where it was left; of a change that is left, the stored text is right.
  const leave = () => {
    if (entry !== null) dropDraft(draft)
    onClose()
  }
  const form = useForm({
    initial: before,
    draft,
    check: (values) => missing(values, "title", "content"),
    submit: async ({ content, title }, idempotencyKey) => {
      if (entry === null) {
        await api.bots.addKnowledge(agentId, { title: title.trim(), content }, { idempotencyKey })
        onAdded()
      } else
        await api.bots.changeKnowledge(agentId, entry.id, {
          ...(title === before.title ? {} : { title: title.trim() }),
          ...(content === before.content ? {} : { content })
        })
      sayResult(say("knowledge.saved", { title: title.trim() }))
      onClose()
      void readAgain("agents")
    }
  })
  return (
    <FormDialog
      title={say(entry === null ? "knowledge.add" : "knowledge.change")}
      action={say(entry === null ? "knowledge.add" : "knowledge.save")}
      form={form}
      onClose={leave}
      isWide
    >
      <TextField
        label={say("knowledge.title")}
        hint={say("knowledge.title-hint")}
        maxLength={255}
        field={form.field("title")}
      />
      <AreaField label={say("knowledge.content")} rows={12} field={form.field("content")} />
    </FormDialog>
  )
}

/** For those who may look, and not change. */
export const ReadKnowledgeDialog = ({
  entry: { content, title },
  onClose
}: {
  readonly entry: KnowledgeEntry
  readonly onClose: () => void
}) => (
  <Dialog title={title} onClose={onClose} isWide>
    <p className="mt-3 whitespace-pre-line wrap-anywhere">{content}</p>
    <div className="mt-6 flex justify-end">
      <Button onPress={onClose}>{say("action.back")}</Button>
    </div>
  </Dialog>
)

export const RemoveKnowledgeDialog = ({
  agentId,
  entry: { id, title },
  onClose
}: {
  readonly agentId: string
  readonly entry: KnowledgeEntry
  readonly onClose: () => void
}) => (
  <ConfirmDialog
    title={say("knowledge.remove-named", { title })}
    isDanger
    onClose={onClose}
    run={async () => {
      await api.bots.removeKnowledge(agentId, id)
      sayResult(say("knowledge.removed", { title }))
      void readAgain("agents")
    }}
  >
    <p>{say("knowledge.remove-lead", { n: 1 })}</p>
  </ConfirmDialog>
)
