/** The dialog "Test call": one number is called at once, by an agent or without one. */
import { useQuery } from "@tanstack/react-query"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { number, say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { SelectField, TextField } from "../parts/FormFields.tsx"
import { optionOf, useAgents } from "../parts/RecordChoices.ts"

/** Refusals whose own sentence says what to do: waiting a few seconds does not help. */
const plain: ReadonlyArray<string> = [
  "monthly_budget_exceeded",
  "quota_exceeded",
  "telephony_missing",
  "too_many_concurrent_requests"
]

const useLead = (): string => {
  const { data } = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => api.overview.account({ signal }),
    meta: { topics: ["account"] }
  })
  return data?.call_credits_per_minute == null
    ? say("test-call.lead", { n: 1 })
    : say("test-call.price", {
        n: 1,
        price: number(Number(data.call_credits_per_minute)),
        left: number(Number(data.credits.available))
      })
}

export const TestCallDialog = ({
  onClose,
  onPlaced
}: {
  readonly onClose: () => void
  readonly onPlaced: (callId: string) => void
}) => {
  const lead = useLead()
  const agents = useAgents().data ?? []
  const title = say("calls.test")
  const form = useForm({
    initial: { to: "", bot_id: "" },
    check: (values) => missing(values, "to"),
    explain: ({ code, message }) => (plain.includes(code) ? message : null),
    submit: async ({ bot_id, to }, idempotencyKey) => {
      const phone = to.trim()
      const { id } = await api.calls.create({ to: phone, bot_id: bot_id === "" ? null : bot_id }, { idempotencyKey })
      sayResult(say("test-call.placed", { phone }))
      void readAgain("calls")
      onClose()
      onPlaced(id)
    }
  })
  return (
    <FormDialog title={title} form={form} onClose={onClose}>
      <p>{lead}</p>
      <TextField
        label={say("test-call.phone")}
        hint={say("test-call.phone-hint")}
        type="tel"
        maxLength={64}
        field={form.field("to")}
      />
      <SelectField
        label={say("test-call.agent")}
        field={form.field("bot_id")}
        options={[
          { value: "", text: say("test-call.no-agent") },
          ...agents.filter(({ is_active }) => is_active).map(optionOf)
        ]}
      />
    </FormDialog>
  )
}
