/** Webhooks for emails: made, switched, deleted, and what they have sent last. */
import type { EmailWebhook, EmailWebhookDelivery, NewEmailWebhook } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, number, say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { CheckField, TextField } from "../parts/FormFields.tsx"
import { actionsColumn } from "../parts/RowActions.tsx"
import { RowSwitch } from "../parts/RowSwitch.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"
import { eventsIn, eventsSentence, withoutScheme } from "./EventChoice.tsx"
import { type NewSecret, SecretDialog } from "./WebhookDialogs.tsx"

type EmailEvent = NonNullable<NewEmailWebhook["events"]>[number]

const emailEvents: ReadonlyArray<EmailEvent> = [
  "email.sent",
  "email.delivered",
  "email.opened",
  "email.received",
  "email.bounced",
  "email.complained"
]

const NewDialog = ({
  onClose,
  onCreated
}: {
  readonly onClose: () => void
  readonly onCreated: (made: NewSecret) => void
}) => {
  const form = useForm({
    initial: { url: "", description: "", events: "" },
    check: (values) => missing(values, "url"),
    submit: async ({ description, events, url }, idempotencyKey) => {
      const made = await api.emailWebhooks.create(
        {
          url: url.trim(),
          description: description.trim() === "" ? null : description.trim(),
          events: eventsIn(events) as ReadonlyArray<EmailEvent>
        },
        { idempotencyKey }
      )
      sayResult(say("webhooks.created"))
      onCreated({ secret: made.secret, previousUntil: null, isNew: true })
      void readAgain("webhooks")
    }
  })
  const chosen = eventsIn(form.values.events)
  return (
    <FormDialog title={say("email-webhooks.new")} action={say("email-webhooks.create")} form={form} onClose={onClose}>
      <TextField
        label={say("webhooks.url")}
        hint={say("webhooks.url-hint")}
        maxLength={2048}
        field={form.field("url")}
      />
      <TextField
        label={say("email-webhooks.description")}
        hint={say("email-webhooks.description-hint")}
        maxLength={255}
        field={form.field("description")}
      />
      <fieldset>
        <legend className="text-sm font-semibold">{say("webhooks.events")}</legend>
        <p className="text-sm text-soft">{say("email-webhooks.events-hint")}</p>
        {emailEvents.map((event) => (
          <CheckField
            key={event}
            label={event}
            isOn={chosen.includes(event)}
            onChange={(isOn) =>
              form.set("events", (isOn ? [...chosen, event] : chosen.filter((one) => one !== event)).join(","))
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}

const columnsOf = (ask: ((webhook: EmailWebhook) => void) | null): ReadonlyArray<Column<EmailWebhook>> => [
  {
    title: say("webhooks.url"),
    width: "minmax(0, 2fr)",
    cell: ({ description, url }) => (
      <span className="grid leading-5">
        <span className="truncate font-semibold" title={url}>
          {withoutScheme(url)}
        </span>
        {description === null ? null : (
          <span className="truncate text-xs text-soft" title={description}>
            {description}
          </span>
        )}
      </span>
    )
  },
  {
    title: say("webhooks.events"),
    width: "8rem",
    room: 1,
    cell: ({ events }) => <span title={events?.join(", ")}>{eventsSentence(events)}</span>
  },
  {
    title: say("webhooks.secret"),
    width: "8rem",
    room: 2,
    cell: ({ secret_prefix }) => <span className="font-mono text-sm">{secret_prefix}…</span>
  },
  {
    title: say("webhooks.on"),
    width: "3.5rem",
    cell: ({ id, is_active, url }) => (
      <RowSwitch
        name={say("webhooks.on-of", { url })}
        isOn={is_active}
        off={ask === null ? say("not-available.write") : null}
        topic="webhooks"
        run={async (isOn) => {
          await api.emailWebhooks.change(id, { is_active: isOn })
          sayResult(say(isOn ? "webhooks.resumed" : "webhooks.paused"))
        }}
      />
    )
  },
  ...(ask === null
    ? []
    : [
        actionsColumn(1, (webhook: EmailWebhook) => [
          {
            icon: "trash",
            word: say("email-webhooks.delete"),
            name: say("email-webhooks.delete-url", { url: webhook.url }),
            onPress: () => ask(webhook)
          }
        ])
      ])
]

const deliveryColumns: ReadonlyArray<Column<EmailWebhookDelivery>> = [
  {
    title: say("webhooks.event"),
    width: "minmax(0, 1.5fr)",
    cell: ({ error_detail, event }) => (
      <span className="grid leading-5">
        <span className="truncate font-mono text-sm">{event}</span>
        {error_detail === null ? null : (
          <span className="truncate text-xs text-soft" title={error_detail}>
            {error_detail}
          </span>
        )}
      </span>
    )
  },
  { title: say("webhooks.status"), width: "7.5rem", cell: ({ status }) => <Badge kind="delivery" status={status} /> },
  { title: say("webhooks.answer"), width: "6rem", room: 1, cell: ({ response_code }) => response_code ?? nothing },
  {
    title: say("webhooks.attempts"),
    width: "6rem",
    isNumber: true,
    room: 2,
    cell: ({ attempt_count }) => number(attempt_count)
  },
  {
    title: say("webhooks.created-at"),
    width: "11rem",
    room: 1,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  }
]

export const EmailWebhooks = () => {
  const may = useMay("email:write")
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<NewSecret | null>(null)
  const [asked, setAsked] = useState<EmailWebhook | null>(null)
  const [begun, setBegun] = useState(0)
  const [columns] = useState(() => columnsOf(may ? setAsked : null))
  return (
    <>
      <section aria-labelledby="email-webhooks">
        <h2 id="email-webhooks" className="text-lg font-semibold">
          {say("email-webhooks.heading")}
        </h2>
        <p className="mb-3 max-w-2xl text-soft">{say("email-webhooks.lead")}</p>
        <Rows
          label={say("email-webhooks.heading")}
          tools={
            may ? (
              <Button writes onPress={() => setNew(true)}>
                {say("email-webhooks.new")}
              </Button>
            ) : null
          }
          columns={columns}
          idOf={({ id }) => id}
          listKey={["webhooks", "email", begun]}
          topics={["webhooks"]}
          pageSize={100}
          isNewestFirst
          read={async ({ offset }, signal) => {
            const items = await api.emailWebhooks.list({ signal })
            return { items: items.slice(offset), total: items.length, hasMore: false }
          }}
          empty={
            <Empty icon="webhooks" title={say("email-webhooks.empty")} sentence={say("email-webhooks.empty-lead")} />
          }
        />
      </section>
      <section aria-labelledby="email-deliveries">
        <h2 id="email-deliveries" className="mb-3 text-lg font-semibold">
          {say("email-webhooks.deliveries")}
        </h2>
        <Rows
          label={say("email-webhooks.deliveries")}
          columns={deliveryColumns}
          idOf={({ id }) => id}
          listKey={["webhooks", "email deliveries"]}
          topics={["webhooks"]}
          pageSize={100}
          isNewestFirst
          read={(page, signal) => api.emailWebhooks.listDeliveries(page, { signal }).then((found) => found)}
          empty={
            <Empty
              icon="next"
              title={say("webhooks.no-deliveries")}
              sentence={say("email-webhooks.no-deliveries-lead")}
            />
          }
        />
      </section>
      {isNew ? (
        <NewDialog
          onClose={() => setNew(false)}
          onCreated={(secret) => {
            setNew(false)
            setMade(secret)
            setBegun((nth) => nth + 1)
          }}
        />
      ) : null}
      {made === null ? null : <SecretDialog made={made} onClose={() => setMade(null)} />}
      {asked === null ? null : (
        <ConfirmDialog
          title={say("email-webhooks.delete-url", { url: asked.url })}
          isDanger
          onClose={() => setAsked(null)}
          run={async () => {
            await api.emailWebhooks.remove(asked.id)
            sayResult(say("webhooks.deleted"))
            void readAgain("webhooks")
          }}
        >
          <p className="wrap-anywhere">{say("webhooks.delete-lead", { n: 1, url: asked.url })}</p>
          <Facts facts={[say("webhooks.delete-waiting"), say("webhooks.delete-log")]} />
        </ConfirmDialog>
      )}
    </>
  )
}
