/** One webhook: how it is, what may be done with it, and what it has sent. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import type { Webhook } from "@trunkline/client"
import { useState } from "react"
import { asLeft, returning } from "../frame/Arrival.ts"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { fault as pageFault, sayResult } from "../frame/Notices.ts"
import { number, say, sayCount } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button, useWritesOff } from "../parts/Button.tsx"
import { Fact, Moment } from "../parts/Fact.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { SwitchField } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useOrder } from "../parts/Order.ts"
import { useAgents } from "../parts/RecordChoices.ts"
import { changeAtOnce } from "../parts/RowSwitch.tsx"
import { eventsSentence } from "./EventChoice.tsx"
import { WebhookDeliveries } from "./WebhookDeliveries.tsx"
import { DeleteWebhookDialog, type NewSecret, RotateDialog, SecretDialog, WebhookDialog } from "./WebhookDialogs.tsx"
import { switchWebhook, webhookStatus } from "./WebhooksPage.tsx"

const Facts = ({ webhook }: { readonly webhook: Webhook }) => {
  const agents = useAgents().data ?? []
  const { bot_id, events, failing_since, pause_after_days, previous_secret_until, retry_schedule } = webhook
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 border-t border-line px-5 py-4 sm:grid-cols-2 lg:grid-cols-3">
      <Fact label={say("webhooks.retries")}>{say(`webhooks.retries-${retry_schedule}`)}</Fact>
      <Fact label={say("webhooks.pause")}>
        {pause_after_days === null ? say("webhooks.pause-never") : sayCount("webhooks.pause-days", pause_after_days)}
      </Fact>
      <Fact label={say("numbers.added")}>
        <Moment iso={webhook.created_at} />
      </Fact>
      {failing_since === null ? null : (
        <Fact label={say("webhooks.failing-since")}>
          <Moment iso={failing_since} />
        </Fact>
      )}
      {previous_secret_until === null ? null : (
        <Fact label={say("webhooks.previous-until")}>
          <Moment iso={previous_secret_until} />
        </Fact>
      )}
      {bot_id === null ? null : (
        <Fact label={say("webhooks.agent")}>{agents.find(({ id }) => id === bot_id)?.name ?? bot_id}</Fact>
      )}
      <Fact label={say("webhooks.events")} className="sm:col-span-2 lg:col-span-3">
        {events.length === 0 ? (
          eventsSentence(events)
        ) : (
          <span className="font-mono text-sm font-normal">{events.join(", ")}</span>
        )}
      </Fact>
    </dl>
  )
}

type Shown = "change" | "rotate" | "delete" | null

const OnSwitch = ({ webhook: { id, is_active } }: { readonly webhook: Webhook }) => {
  const off = useWritesOff()
  const [chosen, setChosen] = useState<boolean | null>(null)
  return (
    <SwitchField
      label={say("webhooks.on")}
      off={off}
      isOn={chosen ?? is_active}
      onChange={(isOn) => {
        setChosen(isOn)
        void changeAtOnce("webhooks", () => switchWebhook(id, isOn)).finally(() => setChosen(null))
      }}
    />
  )
}

const Whole = ({ onDeleted, webhook }: { readonly webhook: Webhook; readonly onDeleted: () => void }) => {
  const [shown, setShown] = useState<Shown>(null)
  const [made, setMade] = useState<NewSecret | null>(null)
  const close = () => setShown(null)
  const test = useOrder(async (idempotencyKey) => {
    pageFault.set(null)
    const { error, latency_ms, status_code, success } = await api.webhooks.test(webhook.id, { idempotencyKey })
    if (success) sayResult(say("webhooks.test-arrived", { status: String(status_code ?? ""), ms: number(latency_ms) }))
    else
      pageFault.set({
        sentence: say("webhooks.test-failed", {
          ms: number(latency_ms),
          error: error?.replace(/\.?$/, ".") ?? ""
        }).trim()
      })
  })
  return (
    <>
      <div className="panel mb-8 overflow-hidden">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-3 px-5 py-4">
          <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{webhook.url}</h2>
          <Badge kind="webhook" status={webhookStatus(webhook)} />
          <span className="ms-auto">
            <OnSwitch webhook={webhook} />
          </span>
        </div>
        <Facts webhook={webhook} />
        {test.fault === null ? null : (
          <div className="px-5 pb-4">
            <FaultAlert fault={test.fault} />
          </div>
        )}
        <div className="flex flex-wrap gap-2 border-t border-line px-5 py-3">
          <Button writes isBusy={test.isBusy} onPress={test.order}>
            {say(test.isBusy ? "webhooks.testing" : "webhooks.test")}
          </Button>
          <Button writes onPress={() => setShown("change")}>
            {say("webhooks.change")}
          </Button>
          <Button writes onPress={() => setShown("rotate")}>
            {say("webhooks.rotate")}
          </Button>
          <Button writes onPress={() => setShown("delete")}>
            {say("webhooks.delete")}
          </Button>
        </div>
      </div>
      <WebhookDeliveries webhook={webhook} />
      {shown === "change" ? (
        <WebhookDialog webhook={webhook} onClose={close} />
      ) : shown === "rotate" ? (
        <RotateDialog webhook={webhook} onClose={close} onRotated={setMade} />
      ) : shown === "delete" ? (
        <DeleteWebhookDialog webhook={webhook} onClose={close} onDeleted={onDeleted} />
      ) : null}
      {made === null ? null : <SecretDialog made={made} onClose={() => setMade(null)} />}
    </>
  )
}

export const WebhookPage = () => {
  const { id } = useParams({ from: "/webhooks/$id" })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ["webhook", id],
    queryFn: ({ signal }) => api.webhooks.get(id, { signal }),
    meta: { topics: ["webhooks"] }
  })
  return (
    <>
      <a
        href={`#${asLeft("/webhooks")}`}
        onClick={returning}
        className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-soft hover:text-ink"
      >
        <Icon name="back" className="size-4 flex-none" />
        {say("webhooks.back")}
      </a>
      <Heading title={say("webhooks.heading")} />
      {data !== undefined ? (
        <Whole key={id} webhook={data} onDeleted={() => void navigate({ to: "/webhooks" })} />
      ) : error !== null && !isStatus(error, 401) ? (
        <FaultAlert
          fault={{
            sentence: isStatus(error, 404) ? say("webhooks.gone") : faultOfRead(error),
            again: () => void refetch()
          }}
        />
      ) : (
        <div aria-busy="true" className="grid gap-4">
          <span className="skeleton block h-40 rounded-lg" />
          <span className="skeleton block h-64 rounded-lg" />
        </div>
      )}
    </>
  )
}
