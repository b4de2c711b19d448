/** The settings of an agent: what it is, and how it speaks. */
import type { Model } from "@trunkline/client"
import { type ReactNode, useState } from "react"
import { say } from "../frame/Say.ts"
import { settings } from "../frame/Settings.ts"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FormBox } from "../parts/FormBox.tsx"
import { AreaField, CheckField, SelectField, TextField } from "../parts/FormFields.tsx"
import type { Editor } from "./AgentEditor.ts"
import { type AgentField, differingLines } from "./AgentFields.ts"
import { modelOptions } from "./ModelReads.ts"

export const fieldLabels: Readonly<Record<AgentField, string>> = {
  name: say("field.name"),
  system_prompt: say("agents.prompt"),
  model: say("agents.model"),
  temperature: say("agents.temperature"),
  greeting: say("agents.greeting"),
  language: say("agents.language"),
  first_speaker: say("agents.first"),
  tts_model: say("agents.speaks-with"),
  voice: say("agents.voice-name"),
  stt_model: say("agents.listens-with"),
  silence_ms: say("agents.silence"),
  nudge_max: say("agents.nudges"),
  max_duration_seconds: say("agents.longest"),
  barge_in: say("agents.barge-in"),
  record_calls: say("agents.record"),
  more: say("agents.more")
}

const Section = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="panel grid grid-cols-1 gap-4 p-5">
    <legend className="float-start mb-1 w-full text-lg font-semibold">{title}</legend>
    {children}
  </fieldset>
)

/** What somebody else has saved meanwhile: nothing that is typed here is replaced by it, and nothing of the form moves. */
const Theirs = ({ editor: { adopted, form, take, theirs } }: { readonly editor: Editor }) => {
  const contested = Object.entries(theirs) as ReadonlyArray<readonly [AgentField, string]>
  if (adopted.length === 0 && contested.length === 0) return null
  return (
    <div role="alert" className="banner is-warn max-h-[32dvh] overflow-y-auto">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-3">
        {adopted.length === 0 ? null : (
          <p>{say("agents.adopted", { fields: adopted.map((name) => fieldLabels[name]).join(", ") })}</p>
        )}
        {contested.map(([name, text]) => (
          <div key={name} className="grid gap-1.5">
            <div className="flex flex-wrap items-start gap-2">
              <p className="min-w-0 flex-1 basis-56">{say("agents.contested", { field: fieldLabels[name] })}</p>
              <Button
                isSmall
                aria-label={`${say("agents.take-theirs")}: ${fieldLabels[name]}`}
                onPress={() => take(name)}
              >
                {say("agents.take-theirs")}
              </Button>
            </div>
            <p className="rounded-md border border-line bg-paper px-3 py-2 whitespace-pre-line wrap-anywhere">
              {text === "yes" ? "✓" : text === "" ? "–" : differingLines(text, form.values[name])}
            </p>
          </div>
        ))}
      </div>
    </div>
  )
}

const Voice = ({
  editor: { form },
  models
}: {
  readonly editor: Editor
  readonly models: ReadonlyArray<Model> | undefined
}) => {
  const { field, set, values } = form
  const flag = (name: "barge_in" | "record_calls") => (
    <CheckField
      label={fieldLabels[name]}
      isOn={values[name] === "yes"}
      onChange={(isOn) => set(name, isOn ? "yes" : "")}
    />
  )
  return (
    <Section title={say("agents.voice")}>
      <AreaField label={fieldLabels.greeting} hint={say("agents.greeting-hint")} rows={2} field={field("greeting")} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <SelectField
          label={fieldLabels.first_speaker}
          field={field("first_speaker")}
          options={[
            { value: "agent", text: say("agents.first-agent") },
            { value: "caller", text: say("agents.first-caller") }
          ]}
        />
        <TextField
          label={fieldLabels.language}
          hint={say("agents.language-hint")}
          maxLength={64}
          field={field("language")}
        />
        <SelectField
          label={fieldLabels.tts_model}
          field={field("tts_model")}
          options={modelOptions(models, "tts", values.tts_model)}
        />
        <TextField label={fieldLabels.voice} hint={say("agents.voice-hint")} maxLength={255} field={field("voice")} />
        <SelectField
          label={fieldLabels.stt_model}
          field={field("stt_model")}
          options={modelOptions(models, "stt", values.stt_model)}
        />
        <TextField
          label={fieldLabels.silence_ms}
          hint={say("agents.silence-hint")}
          inputMode="numeric"
          field={field("silence_ms")}
        />
        <TextField
          label={fieldLabels.nudge_max}
          hint={say("agents.nudges-hint")}
          inputMode="numeric"
          field={field("nudge_max")}
        />
        <TextField
          label={fieldLabels.max_duration_seconds}
          hint={say("agents.longest-hint")}
          inputMode="numeric"
          field={field("max_duration_seconds")}
        />
      </div>
      <div className="grid gap-1">
        {flag("barge_in")}
        {flag("record_calls")}
      </div>
    </Section>
  )
}

/** Opened where something in it is wrong. */
const More = ({ editor: { form } }: { readonly editor: Editor }) => {
  const [isOpen, setOpen] = useState(false)
  const field = form.field("more")
  return (
    <details
      className="panel p-5"
      open={isOpen || field.fault !== null}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="font-semibold">{fieldLabels.more}</summary>
      <div className="mt-3 [&_textarea]:font-mono [&_textarea]:text-sm">
        <AreaField label={fieldLabels.more} hint={say("agents.more-hint")} rows={10} field={field} />
      </div>
    </details>
  )
}

export const AgentForm = ({
  aside,
  editor,
  models,
  off
}: {
  readonly editor: Editor
  readonly models: ReadonlyArray<Model> | undefined
  /** Why it cannot be saved; null where it can. */
  readonly off: string | null
  /** What stands beside the button. */
  readonly aside: ReactNode
}) => {
  const { discard, form, isDirty } = editor
  const { fault, field, isBusy, values } = form
  return (
    <FormBox
      form={form}
      isFaultApart
      className="grid grid-cols-1 gap-5 [&_:is(input,textarea,select)]:scroll-mb-24 [&_textarea]:min-h-0"
    >
      <Section title={say("agents.what")}>
        <TextField label={fieldLabels.name} maxLength={255} field={field("name")} />
        <AreaField
          label={fieldLabels.system_prompt}
          hint={say("agents.prompt-hint")}
          rows={16}
          field={field("system_prompt")}
        />
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <SelectField
            label={fieldLabels.model}
            field={field("model")}
            options={modelOptions(models, "llm", values.model)}
          />
          <TextField
            label={fieldLabels.temperature}
            hint={say("agents.temperature-hint")}
            maxLength={20}
            field={field("temperature")}
          />
        </div>
      </Section>
      {settings.areas.includes("voice") ? <Voice editor={editor} models={models} /> : null}
      <More editor={editor} />
      <div className="sticky bottom-0 z-10 -mx-1 grid grid-cols-1 gap-3 border-t border-line bg-paper px-1 py-3">
        {fault === null ? null : <FaultAlert fault={fault} />}
        <Theirs editor={editor} />
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" writes off={off} isBusy={isBusy}>
            {say("agents.save")}
          </Button>
          {isDirty ? (
            <>
              <Button look="quiet" onPress={discard}>
                {say("agents.discard")}
              </Button>
              <span className="text-sm text-soft max-sm:sr-only">{say("agents.unsaved")}</span>
            </>
          ) : null}
          {aside}
        </div>
      </div>
    </FormBox>
  )
}
