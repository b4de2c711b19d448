/** Dialogs about one webhook: made, changed, its secret, another secret, deleted, and its failures sent again. */
import type { NewWebhook, Webhook } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, say, sayCount } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { CopyField } from "../parts/CopyField.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { FilterSelect, SelectField, TextField } from "../parts/FormFields.tsx"
import { EventChoice, eventsIn, useEventKinds } from "./EventChoice.tsx"

type Name = "url" | "which" | "events" | "retry_schedule" | "pause_after_days"

type Events = NewWebhook["events"]

/** A webhook as its dialogs leave it, with what is to be shown this one time. */
export interface NewSecret {
  readonly secret: string
  /** Until when the secret of before signs as well; null where it does not. */
  readonly previousUntil: string | null
  readonly isNew: boolean
}

const checked = (values: Readonly<Record<Name, string>>): Partial<Record<Name, string>> => {
  const days = values.pause_after_days.trim()
  const isDays = days === "" || (/^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= 30)
  return {
    ...missing(values, "url"),
    ...(values.which === "some" && values.events === "" ? { events: say("webhooks.choose-events") } : {}),
    ...(isDays ? {} : { pause_after_days: say("webhooks.pause-wrong") })
  }
}

export const WebhookDialog = ({
  onClose,
  onCreated,
  webhook
}: {
  /** The one to be changed; null for a new one. */
  readonly webhook: Webhook | null
  readonly onClose: () => void
  readonly onCreated?: (made: NewSecret) => void
}) => {
  const kinds = useEventKinds().data
  const form = useForm<Name>({
    initial: {
      url: webhook?.url ?? "",
      which: webhook !== null && webhook.events.length === 0 ? "every" : "some",
      events: webhook?.events.join(",") ?? "",
      retry_schedule: webhook?.retry_schedule ?? "standard",
      pause_after_days: webhook?.pause_after_days == null ? "" : String(webhook.pause_after_days)
    },
    ...(webhook === null ? { draft: "webhook" } : {}),
    check: checked,
    submit: async (values, idempotencyKey) => {
      const isEvery = values.which === "every"
      const events = eventsIn(values.events) as Events
      const days = values.pause_after_days.trim()
      const fields = {
        url: values.url.trim(),
        retry_schedule: values.retry_schedule as "standard",
        pause_after_days: days === "" ? null : Number(days)
      }
      if (webhook === null) {
        // A new webhook names its events; that it sends later ones as well is a change of it.
        const named = isEvery
          ? ((kinds ?? (await api.webhooks.listEvents())).map(({ event }) => event) as Events)
          : events
        const made = await api.webhooks.create({ ...fields, events: named }, { idempotencyKey })
        // The secret is shown in any case: it cannot be read again.
        if (isEvery) await api.webhooks.change(made.id, { events: [] }).catch(() => {})
        sayResult(say("webhooks.created"))
        onCreated?.({ secret: made.secret, previousUntil: null, isNew: true })
      } else {
        await api.webhooks.change(webhook.id, { ...fields, events: isEvery ? [] : events })
        sayResult(say("webhooks.saved"))
        onClose()
      }
      await readAgain("webhooks")
    }
  })
  return (
    <FormDialog
      title={say(webhook === null ? "webhooks.new" : "webhooks.change")}
      action={say(webhook === null ? "webhooks.create" : "webhooks.save")}
      form={form}
      onClose={onClose}
    >
      <TextField
        label={say("webhooks.url")}
        hint={say("webhooks.url-hint")}
        maxLength={2048}
        field={form.field("url")}
      />
      <SelectField
        label={say("webhooks.which")}
        field={form.field("which")}
        options={[
          { value: "some", text: say("webhooks.which-some") },
          { value: "every", text: say("webhooks.which-every") }
        ]}
      />
      {form.values.which === "some" ? <EventChoice field={form.field("events")} /> : null}
      <SelectField
        label={say("webhooks.retries")}
        field={form.field("retry_schedule")}
        options={[
          { value: "standard", text: say("webhooks.retries-standard") },
          { value: "long", text: say("webhooks.retries-long") }
        ]}
      />
      <TextField
        label={say("webhooks.pause")}
        hint={say("webhooks.pause-hint")}
        inputMode="numeric"
        field={form.field("pause_after_days")}
      />
    </FormDialog>
  )
}

export const SecretDialog = ({ made, onClose }: { readonly made: NewSecret; readonly onClose: () => void }) => (
  <Dialog title={say("webhooks.secret-heading")} onClose={onClose} mustStay>
    <div className="mt-3 grid gap-4">
      <p className="text-soft">{say("webhooks.secret-lead")}</p>
      <CopyField label={say("webhooks.secret")} value={made.secret} />
      {made.isNew ? null : made.previousUntil === null ? (
        <p className="text-sm text-soft">{say("webhooks.rotated-now")}</p>
      ) : (
        <p className="text-sm text-soft" title={exactMoment(made.previousUntil)}>
          {say("webhooks.rotated-until", { time: moment(made.previousUntil) })}
        </p>
      )}
    </div>
    <div className="mt-6 flex justify-end">
      <Button look="primary" onPress={onClose}>
        {say("action.done")}
      </Button>
    </div>
  </Dialog>
)

const hour = 3600

export const RotateDialog = ({
  onClose,
  onRotated,
  webhook: { id, url }
}: {
  readonly webhook: Webhook
  readonly onClose: () => void
  readonly onRotated: (made: NewSecret) => void
}) => {
  const [seconds, setSeconds] = useState(String(24 * hour))
  return (
    <ConfirmDialog
      title={say("webhooks.rotate")}
      isDanger
      onClose={onClose}
      run={async (idempotencyKey) => {
        const made = await api.webhooks.rotateSecret(id, { overlap_seconds: Number(seconds) }, { idempotencyKey })
        sayResult(say("webhooks.rotated"))
        onRotated({ secret: made.secret, previousUntil: made.previous_secret_until, isNew: false })
        void readAgain("webhooks")
      }}
    >
      <p className="wrap-anywhere">{say("webhooks.rotate-lead", { n: 1, url })}</p>
      <FilterSelect
        isStacked
        label={say("webhooks.overlap")}
        value={seconds}
        onChange={setSeconds}
        options={[
          { value: String(24 * hour), text: say("webhooks.overlap-day") },
          { value: String(hour), text: say("webhooks.overlap-hour") },
          { value: String(7 * 24 * hour), text: say("webhooks.overlap-week") },
          { value: "0", text: say("webhooks.overlap-none") }
        ]}
      />
    </ConfirmDialog>
  )
}

export const DeleteWebhookDialog = ({
  onClose,
  onDeleted,
  webhook: { id, url }
}: {
  readonly webhook: Webhook
  readonly onClose: () => void
  readonly onDeleted: () => void
}) => (
  <ConfirmDialog
    title={say("webhooks.delete")}
    isDanger
    onClose={onClose}
    run={async () => {
      await api.webhooks.remove(id)
      sayResult(say("webhooks.deleted"))
      onDeleted()
      queryClient.removeQueries({ queryKey: ["webhook", id], type: "inactive" })
      void readAgain("webhooks")
    }}
  >
    <p className="wrap-anywhere">{say("webhooks.delete-lead", { n: 1, url })}</p>
    <Facts facts={[say("webhooks.delete-waiting"), say("webhooks.delete-log")]} />
  </ConfirmDialog>
)

export const ReplayAllDialog = ({
  id,
  onClose,
  onReplayed
}: {
  readonly id: string
  readonly onClose: () => void
  readonly onReplayed: () => void
}) => {
  const [hours, setHours] = useState("24")
  // Sent again after a lost answer, it is the same order.
  const [opened] = useState(Date.now)
  return (
    <ConfirmDialog
      title={say("webhooks.replay-all")}
      onClose={onClose}
      run={async (idempotencyKey) => {
        const since = new Date(hours === "" ? 0 : opened - Number(hours) * hour * 1000).toISOString()
        const { queued } = await api.webhooks.recover(id, { since }, { idempotencyKey })
        sayResult(queued === 0 ? say("webhooks.replay-all-none") : sayCount("webhooks.replay-all-done", queued))
        onReplayed()
        void readAgain("webhooks")
      }}
    >
      <p>{say("webhooks.replay-all-lead")}</p>
      <FilterSelect
        isStacked
        label={say("webhooks.replay-since")}
        value={hours}
        onChange={setHours}
        options={[
          { value: "1", text: say("webhooks.since-hour") },
          { value: "24", text: say("webhooks.since-day") },
          { value: "168", text: say("webhooks.since-week") },
          { value: "", text: say("webhooks.since-ever") }
        ]}
      />
    </ConfirmDialog>
  )
}
