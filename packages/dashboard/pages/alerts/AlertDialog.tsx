/** A new alert, or another rule for one. What it watches, and of which agent, stays as it was made. */
import type { VoiceAlert } from "@trunkline/client"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { SelectField, TextField } from "../parts/FormFields.tsx"
import { optionOf, useAgents } from "../parts/RecordChoices.ts"
import { metrics, minutesOf, secondsOf, shownValue, storedValue, unitOf } from "./AlertUnits.ts"

type Name = "name" | "metric" | "bot_id" | "comparison" | "threshold" | "window_seconds" | "cooldown_seconds"

type Values = Readonly<Record<Name, string>>

const between = (text: string, least: number, most: number): boolean =>
  text.trim() !== "" && Number(text) >= least && Number(text) <= most

const checked = (values: Values): Partial<Record<Name, string>> => {
  const most = unitOf(values.metric) === "percent" ? 100 : Number.MAX_VALUE
  return {
    ...missing(values, "name"),
    ...(between(values.threshold, 0, most)
      ? {}
      : { threshold: say(most === 100 ? "alerts.threshold-percent-wrong" : "alerts.threshold-wrong") }),
    ...(between(values.window_seconds, 1, 1440) ? {} : { window_seconds: say("alerts.window-wrong") }),
    ...(between(values.cooldown_seconds, 0, 10_080) ? {} : { cooldown_seconds: say("alerts.cooldown-wrong") })
  }
}

export const metricName = (metric: string): string => {
  const known = metrics.find((one) => one === metric)
  return known === undefined ? metric : say(`metric.${known}`)
}

const thresholdLabel = (metric: string): string => say(`alerts.threshold-${unitOf(metric) ?? "calls"}`)

const ruleOf = (values: Values) => ({
  name: values.name.trim(),
  comparison: values.comparison as VoiceAlert["comparison"],
  threshold: storedValue(values.metric, Number(values.threshold)),
  window_seconds: secondsOf(Number(values.window_seconds)),
  cooldown_seconds: secondsOf(Number(values.cooldown_seconds))
})

export const AlertDialog = ({
  alert,
  onClose,
  onCreated
}: {
  /** The one to be changed; null for a new one. */
  readonly alert: VoiceAlert | null
  readonly onClose: () => void
  readonly onCreated: () => void
}) => {
  const agents = useAgents().data ?? []
  const form = useForm<Name>({
    initial: {
      name: alert?.name ?? "",
      metric: alert?.metric ?? "failure_rate",
      bot_id: alert?.bot_id ?? "",
      comparison: alert?.comparison ?? "above",
      threshold: alert === null ? "" : String(shownValue(alert.metric, alert.threshold)),
      window_seconds: String(minutesOf(alert?.window_seconds ?? 3600)),
      cooldown_seconds: String(minutesOf(alert?.cooldown_seconds ?? 3600))
    },
    ...(alert === null ? { draft: "alert" } : {}),
    check: checked,
    submit: async (values, idempotencyKey) => {
      const rule = ruleOf(values)
      if (alert === null) {
        const metric = values.metric as VoiceAlert["metric"]
        await api.voiceAlerts.create({ ...rule, metric, bot_id: values.bot_id || null }, { idempotencyKey })
        onCreated()
      } else await api.voiceAlerts.change(alert.id, rule)
      sayResult(say("alerts.saved", { name: rule.name }))
      onClose()
      await readAgain("alerts")
    }
  })
  const { metric } = form.values
  return (
    <FormDialog
      title={alert === null ? say("alerts.new") : say("alerts.change-named", { name: alert.name })}
      action={say(alert === null ? "alerts.create" : "alerts.save")}
      form={form}
      onClose={onClose}
    >
      <TextField label={say("field.name")} maxLength={120} field={form.field("name")} />
      {alert === null ? (
        <>
          <SelectField
            label={say("alerts.metric")}
            field={form.field("metric")}
            hint={say(`metric-hint.${metrics.find((one) => one === metric) ?? "failure_rate"}`)}
            options={metrics.map((value) => ({ value, text: metricName(value) }))}
          />
          <SelectField
            label={say("alerts.agent")}
            field={form.field("bot_id")}
            options={[{ value: "", text: say("alerts.every-agent") }, ...agents.map(optionOf)]}
          />
        </>
      ) : (
        <p className="text-soft">{say("alerts.fixed", { metric: metricName(metric) })}</p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={say("alerts.comparison")}
          field={form.field("comparison")}
          options={[
            { value: "above", text: say("alerts.above") },
            { value: "below", text: say("alerts.below") }
          ]}
        />
        <TextField label={thresholdLabel(metric)} type="number" min={0} field={form.field("threshold")} />
        <TextField
          label={say("alerts.window")}
          hint={say("alerts.window-hint")}
          type="number"
          min={1}
          max={1440}
          field={form.field("window_seconds")}
        />
        <TextField
          label={say("alerts.cooldown")}
          hint={say("alerts.cooldown-hint")}
          type="number"
          min={0}
          max={10_080}
          field={form.field("cooldown_seconds")}
        />
      </div>
      {alert === null ? null : <p className="text-sm text-soft">{say("alerts.disarms")}</p>}
    </FormDialog>
  )
}
