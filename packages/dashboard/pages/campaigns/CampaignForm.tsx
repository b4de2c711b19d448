/** A new campaign, and the settings of one that is there. */
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import type { Campaign } from "@trunkline/client"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { hourOfDay, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { dropDraft } from "../parts/Drafts.ts"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FormBox, missing, useForm } from "../parts/FormBox.tsx"
import { CheckField, type Option, SelectField, TextField } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { numberName, optionOf, useAgents, useNumbers, withChosen } from "../parts/RecordChoices.ts"
import { ownZone, zoneOptions } from "../parts/TimeZones.ts"

const modes = ["preview", "power", "parallel"] as const

const hours = (from: number, to: number): ReadonlyArray<Option> =>
  Array.from({ length: to - from + 1 }, (_, nth) => ({ value: String(from + nth), text: hourOfDay(from + nth) }))

/** `2026-11-30T09:00` of the browser's zone, as the field for an instant writes it. */
const localOf = (iso: string | null): string => {
  if (iso === null) return ""
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const initialOf = (campaign: Campaign | null) => ({
  name: campaign?.name ?? "",
  dial_mode: campaign?.dial_mode ?? "power",
  bot_id: campaign?.bot_id ?? "",
  from_number_id: campaign?.from_number_id ?? "",
  timezone: campaign?.timezone ?? ownZone,
  quiet_hours_start: String(campaign?.quiet_hours_start ?? 9),
  quiet_hours_end: String(campaign?.quiet_hours_end ?? 21),
  pace_seconds: String(campaign?.pace_seconds ?? 30),
  parallel_lines: String(campaign === null || campaign.dial_mode !== "parallel" ? 2 : campaign.parallel_lines),
  max_attempts: String(campaign?.max_attempts ?? 3),
  max_calls_per_day: campaign?.max_calls_per_day == null ? "" : String(campaign.max_calls_per_day),
  scheduled_at: localOf(campaign?.scheduled_at ?? null),
  amd_enabled: campaign?.amd_enabled === true ? "yes" : ""
})

type Values = ReturnType<typeof initialOf>

/** Null where the field is empty, and what is no number as it is, so that the server says what is wrong with it. */
const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text))

const bodyOf = (values: Values) => ({
  name: values.name.trim(),
  dial_mode: values.dial_mode,
  bot_id: values.bot_id === "" ? null : values.bot_id,
  from_number_id: values.from_number_id === "" ? null : values.from_number_id,
  timezone: values.timezone,
  quiet_hours_start: Number(values.quiet_hours_start),
  quiet_hours_end: Number(values.quiet_hours_end),
  max_attempts: Number(values.max_attempts),
  ...(values.dial_mode === "power" ? { pace_seconds: Number(values.pace_seconds) } : {}),
  ...(values.dial_mode === "parallel" ? { parallel_lines: Number(values.parallel_lines) } : {}),
  amd_enabled: values.amd_enabled === "yes",
  max_calls_per_day: numberOf(values.max_calls_per_day),
  scheduled_at: values.scheduled_at === "" ? null : new Date(values.scheduled_at).toISOString()
})

/** The choices of fields that name another record. */
const useChoices = () => {
  const agents = useAgents().data ?? []
  const numbers = useNumbers().data ?? []
  return {
    agents: (id: string) => [
      { value: "", text: say("campaign-form.no-agent") },
      ...withChosen(id, agents.map(optionOf))
    ],
    numbers: (id: string) => [
      { value: "", text: say("campaign-form.first-number") },
      ...withChosen(
        id,
        numbers.map((one) => ({ value: one.id, text: numberName(one) }))
      )
    ]
  }
}

const Section = ({ children, title }: { readonly title: string; readonly children: React.ReactNode }) => (
  <fieldset className="panel grid gap-4 p-5">
    <legend className="float-start mb-1 w-full text-lg font-semibold">{title}</legend>
    {children}
  </fieldset>
)

const Form = ({
  campaign,
  submit
}: {
  readonly campaign: Campaign | null
  readonly submit: (body: ReturnType<typeof bodyOf>, idempotencyKey: string) => Promise<void>
}) => {
  const choices = useChoices()
  const draft = campaign === null ? "campaign" : `campaign ${campaign.id}`
  const form = useForm({
    initial: initialOf(campaign),
    draft,
    check: (values) => missing(values, "name"),
    submit: (values, key) => submit(bodyOf(values as Values), key)
  })
  const { values } = form
  const back = campaign === null ? "/campaigns" : `/campaigns/${campaign.id}`
  return (
    <FormBox form={form} className="grid max-w-2xl gap-5">
      <Section title={say("campaign-form.what")}>
        <TextField label={say("field.name")} maxLength={255} field={form.field("name")} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={say("campaign-form.mode")}
            hint={say(`campaign-form.mode-${values.dial_mode as (typeof modes)[number]}`)}
            field={form.field("dial_mode")}
            options={modes.map((value) => ({ value, text: wordOf("mode", value) }))}
          />
          {values.dial_mode === "power" ? (
            <TextField
              label={say("campaign-form.pace")}
              hint={say("campaign-form.pace-hint")}
              type="number"
              min={5}
              max={3600}
              field={form.field("pace_seconds")}
            />
          ) : values.dial_mode === "parallel" ? (
            <TextField
              label={say("campaign-form.lines")}
              hint={say("campaign-form.lines-hint")}
              type="number"
              min={1}
              max={5}
              field={form.field("parallel_lines")}
            />
          ) : null}
          <SelectField
            label={say("campaign-form.agent")}
            hint={say("campaign-form.agent-hint")}
            field={form.field("bot_id")}
            options={choices.agents(values.bot_id)}
          />
          <SelectField
            label={say("campaign-form.number")}
            field={form.field("from_number_id")}
            options={choices.numbers(values.from_number_id)}
          />
        </div>
      </Section>
      <Section title={say("campaign-form.when")}>
        <SelectField
          label={say("campaign-form.zone")}
          hint={say("campaign-form.zone-hint")}
          field={form.field("timezone")}
          options={zoneOptions(values.timezone)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={say("campaign-form.from")}
            field={form.field("quiet_hours_start")}
            options={hours(0, 23)}
          />
          <SelectField
            label={say("campaign-form.until")}
            hint={say("campaign-form.until-hint")}
            field={form.field("quiet_hours_end")}
            options={hours(1, 24)}
          />
          <TextField
            label={say("campaign-form.scheduled")}
            hint={say("campaign-form.scheduled-hint", { zone: ownZone })}
            type="datetime-local"
            field={form.field("scheduled_at")}
          />
          <TextField
            label={say("campaign-form.daily")}
            hint={say("campaign-form.daily-hint")}
            type="number"
            min={1}
            max={100_000}
            field={form.field("max_calls_per_day")}
          />
        </div>
      </Section>
      <Section title={say("campaign-form.how-often")}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={say("campaign-form.attempts")}
            hint={say("campaign-form.attempts-hint")}
            type="number"
            min={1}
            max={5}
            field={form.field("max_attempts")}
          />
        </div>
        <CheckField
          label={say("campaign-form.machines")}
          hint={say("campaign-form.machines-hint")}
          isOn={values.amd_enabled === "yes"}
          onChange={(isOn) => form.set("amd_enabled", isOn ? "yes" : "")}
        />
      </Section>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={form.isBusy} writes>
          {say(campaign === null ? "campaign-form.create" : "campaign-form.save")}
        </Button>
        <Link to={back} className="button" onClick={() => dropDraft(draft)}>
          {say("action.back")}
        </Link>
      </div>
    </FormBox>
  )
}

export const NewCampaignPage = () => {
  const navigate = useNavigate()
  const may = useMay("campaigns:write")
  const title = say("campaigns.new")
  return (
    <>
      <Heading title={title} lead={may ? say("campaign-form.lead") : say("not-available.write")} />
      {may ? (
        <Form
          campaign={null}
          submit={async (body, idempotencyKey) => {
            const made = await api.campaigns.create(body, { idempotencyKey })
            queryClient.removeQueries({ queryKey: ["campaigns"] })
            queryClient.setQueryData(["campaign", made.id], made)
            sayResult(say("campaign-form.created", { name: made.name }))
            await navigate({ to: "/campaigns/$id", params: { id: made.id } })
          }}
        />
      ) : null}
    </>
  )
}

export const CampaignSettingsPage = () => {
  const { id } = useParams({ from: "/campaigns/$id/settings" })
  const navigate = useNavigate()
  const may = useMay("campaigns:write")
  const { data, error, refetch } = useQuery({
    queryKey: ["campaign", id],
    queryFn: ({ signal }) => api.campaigns.get(id, { signal }),
    meta: { topics: [`campaign:${id}`] }
  })
  const title = say("campaign-form.settings")
  return (
    <>
      <Heading title={title} lead={may ? say("campaign-form.settings-lead") : say("not-available.write")} />
      {error !== null && data === undefined ? (
        <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
      ) : data === undefined || !may ? null : (
        <Form
          key={data.id}
          campaign={data}
          submit={async (body) => {
            const changed = await api.campaigns.change(id, body)
            queryClient.setQueryData(["campaign", id], changed)
            void readAgain("campaigns", `campaign:${id}`)
            sayResult(say("campaign-form.saved", { name: changed.name }))
            await navigate({ to: "/campaigns/$id", params: { id } })
          }}
        />
      )}
    </>
  )
}
