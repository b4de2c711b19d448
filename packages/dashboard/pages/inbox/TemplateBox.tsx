/** In place of the reply, once the customer's window is closed: a template that the chat platform has approved. */
import type { Conversation } from "@trunkline/client"
import { useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FilterSelect } from "../parts/FormFields.tsx"
import { customerName, type ShownTemplate, useTemplates } from "./InboxReads.ts"
import { recipientOf, useSending } from "./ReplyBox.tsx"

/** One text for each: the language too decides which one is sent. */
const keyOf = ({ language, name }: ShownTemplate): string => `${name} (${language})`

/** The body with the values that have been filled in. */
const filled = (body: string, values: ReadonlyArray<string>): string => {
  const names = [...new Set(body.match(/\{\{\s*\w+\s*\}\}/g))]
  return names.reduce((text, name, nth) => text.replaceAll(name, values[nth]?.trim() || name), body)
}

export const TemplateBox = ({
  conversation,
  hasTemplates,
  kept,
  off
}: {
  readonly conversation: Conversation
  readonly hasTemplates: boolean
  /** The reply that was being written. */
  readonly kept: string
  readonly off: string | null
}) => {
  const { data, error, refetch } = useTemplates(conversation.phone_number_id, hasTemplates)
  const [chosen, setChosen] = useState("")
  const [values, setValues] = useState<ReadonlyArray<string>>([])
  const { again, fault, isBusy, send, write } = useSending(`${conversation.id} template`)
  const templates = data ?? []
  const template = templates.find((one) => keyOf(one) === chosen)
  const isEmpty = hasTemplates ? data?.length === 0 : true
  const missing =
    template === undefined
      ? say(isEmpty ? "inbox.no-templates" : "inbox.choose-template")
      : Array.from({ length: template.values }, (_, nth) => values[nth]?.trim() ?? "").includes("")
        ? say("inbox.fill-values")
        : null
  const submit = async (): Promise<void> => {
    if (off !== null || missing !== null || template === undefined) return
    const parameters = values.slice(0, template.values).map((text) => ({ type: "text", text: text.trim() }))
    const isSent = await send((_, idempotencyKey) =>
      api.chatMessages.send(
        {
          phone_number_id: conversation.phone_number_id,
          ...recipientOf(conversation),
          type: "template",
          template: {
            name: template.name,
            language: { code: template.language },
            ...(parameters.length === 0 ? {} : { components: [{ type: "body", parameters }] })
          }
        },
        { idempotencyKey }
      )
    )
    if (isSent) {
      setValues([])
      sayResult(say("inbox.sent", { who: customerName(conversation) }))
    }
    await readAgain(`conversation:${conversation.id}`, "conversations")
  }
  again.current = () => void submit()
  return (
    <form
      className="grid gap-2 border-t border-line p-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {fault === null ? null : <FaultAlert fault={fault} />}
      <p className="text-sm text-soft">{say("inbox.closed-lead")}</p>
      {kept.trim() === "" ? null : (
        <p className="text-sm text-soft wrap-anywhere">{say("inbox.kept", { text: kept })}</p>
      )}
      {error === null ? null : <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />}
      <FilterSelect
        label={say("inbox.template")}
        value={chosen}
        onChange={(next) => {
          setChosen(next)
          setValues([])
          // Another template is another message.
          write("")
        }}
        options={[
          { value: "", text: say(isEmpty ? "inbox.no-templates" : "inbox.choose-template") },
          ...templates.map((one) => ({ value: keyOf(one), text: keyOf(one) }))
        ]}
      />
      {template === undefined
        ? null
        : Array.from({ length: template.values }, (_, nth) => (
            <input
              // biome-ignore lint/suspicious/noArrayIndexKey: values are known by their place.
              key={nth}
              className="input"
              aria-label={say("inbox.value", { n: nth + 1 })}
              placeholder={say("inbox.value", { n: nth + 1 })}
              value={values[nth] ?? ""}
              onChange={({ target }) =>
                setValues((present) =>
                  Array.from({ length: template.values }, (__, at) => (at === nth ? target.value : (present[at] ?? "")))
                )
              }
            />
          ))}
      {template === undefined || template.body === "" ? null : (
        <p className="bubble is-ours whitespace-pre-wrap wrap-anywhere">{filled(template.body, values)}</p>
      )}
      <span className="flex justify-end">
        <Button type="submit" look="primary" writes off={off ?? missing} isBusy={isBusy}>
          {say("inbox.send-template")}
        </Button>
      </span>
    </form>
  )
}
