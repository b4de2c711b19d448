/** The webhooks of the account, and those for emails. */
import { Link } from "@tanstack/react-router"
import type { Webhook } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { exactMoment, moment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { RowSwitch } from "../parts/RowSwitch.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { EmailWebhooks } from "./EmailWebhooks.tsx"
import { eventsSentence, withoutScheme } from "./EventChoice.tsx"
import { type NewSecret, SecretDialog, WebhookDialog } from "./WebhookDialogs.tsx"

export const webhookStatus = ({ failing_since, is_active }: Webhook): string =>
  !is_active ? "paused" : failing_since === null ? "active" : "failing"

/** Switches a webhook off or on, and says what that means. */
export const switchWebhook = async (id: string, is_active: boolean): Promise<void> => {
  await api.webhooks.change(id, { is_active })
  sayResult(say(is_active ? "webhooks.resumed" : "webhooks.paused"))
}

const columns: ReadonlyArray<Column<Webhook>> = [
  {
    title: say("webhooks.url"),
    width: "minmax(0, 2fr)",
    cell: (webhook) => (
      <span className="grid leading-5">
        <Link
          to="/webhooks/$id"
          params={{ id: webhook.id }}
          title={webhook.url}
          className="truncate leading-6 font-semibold hover:underline"
        >
          {withoutScheme(webhook.url)}
        </Link>
        <span className="truncate text-xs text-soft md:hidden">
          {wordOf("webhook", webhookStatus(webhook))}, {eventsSentence(webhook.events)}
        </span>
      </span>
    )
  },
  { title: say("webhooks.events"), width: "8rem", room: 1, cell: ({ events }) => eventsSentence(events) },
  {
    title: say("webhooks.status"),
    width: "7.5rem",
    room: 1,
    cell: (webhook) => <Badge kind="webhook" status={webhookStatus(webhook)} />
  },
  {
    title: say("numbers.added"),
    width: "11rem",
    room: 2,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  },
  {
    title: say("webhooks.on"),
    width: "3.5rem",
    cell: ({ id, is_active, url }) => (
      <RowSwitch
        name={say("webhooks.on-of", { url })}
        isOn={is_active}
        topic="webhooks"
        run={(isOn) => switchWebhook(id, isOn)}
      />
    )
  }
]

export const WebhooksPage = () => {
  const mayEmail = useMay("email:read")
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<NewSecret | null>(null)
  // What the person makes stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)
  return (
    <>
      <Heading
        title={say("webhooks.heading")}
        lead={say("webhooks.lead")}
        actions={
          <Button look="primary" writes onPress={() => setNew(true)}>
            <Icon name="plus" className="size-4 flex-none" />
            {say("webhooks.new")}
          </Button>
        }
      />
      <div className="grid grid-cols-1 gap-10">
        <Rows
          label={say("webhooks.heading")}
          columns={columns}
          idOf={({ id }) => id}
          listKey={["webhooks", "list", begun]}
          topics={["webhooks"]}
          pageSize={100}
          isNewestFirst
          read={(page, signal) => api.webhooks.list(page, { signal }).then((found) => found)}
          empty={<Empty icon="webhooks" title={say("webhooks.empty")} sentence={say("webhooks.empty-lead")} />}
        />
        {mayEmail ? <EmailWebhooks /> : null}
      </div>
      {isNew ? (
        <WebhookDialog
          webhook={null}
          onClose={() => setNew(false)}
          onCreated={(secret) => {
            setNew(false)
            setMade(secret)
            setBegun((nth) => nth + 1)
          }}
        />
      ) : null}
      {made === null ? null : <SecretDialog made={made} onClose={() => setMade(null)} />}
    </>
  )
}
