/** What a webhook has sent: by status, one of them with its payload, and sent again. */
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { Webhook, WebhookDelivery, WebhookDeliveryDetail } from "@trunkline/client"
import { useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { number, say } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Fact, Moment } from "../parts/Fact.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FilterSelect } from "../parts/FormFields.tsx"
import { useOrder } from "../parts/Order.ts"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"
import { ReplayAllDialog } from "./WebhookDialogs.tsx"

const statuses = ["pending", "failed"] as const

const columnsOf = (webhookId: string): ReadonlyArray<Column<WebhookDelivery>> => [
  {
    title: say("webhooks.event"),
    width: "minmax(0, 1.5fr)",
    cell: ({ error, event, id }) => (
      <span className="grid leading-5">
        <Link
          to="/webhooks/$id"
          params={{ id: webhookId }}
          search={(search: { status?: string; delivery?: string }) => ({ ...search, delivery: id })}
          className="truncate font-mono text-sm font-semibold leading-6 hover:underline"
        >
          {event}
        </Link>
        {error === null ? null : (
          <span className="truncate text-xs text-soft" title={error}>
            {error}
          </span>
        )}
      </span>
    )
  },
  { title: say("webhooks.status"), width: "7.5rem", cell: ({ status }) => <Badge kind="delivery" status={status} /> },
  { title: say("webhooks.answer"), width: "6rem", room: 1, cell: ({ status_code }) => status_code ?? nothing },
  {
    title: say("webhooks.attempts"),
    width: "6rem",
    isNumber: true,
    room: 2,
    cell: ({ attempts }) => number(attempts)
  },
  { title: say("webhooks.created-at"), width: "11rem", room: 1, cell: ({ created_at }) => <Moment iso={created_at} /> }
]

const Whole = ({ delivery }: { readonly delivery: WebhookDeliveryDetail }) => (
  <>
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      <Fact label={say("webhooks.status")}>
        <Badge kind="delivery" status={delivery.status} />
      </Fact>
      <Fact label={say("webhooks.answer")}>{delivery.status_code ?? say("webhooks.no-answer")}</Fact>
      <Fact label={say("webhooks.attempts")}>{number(delivery.attempts)}</Fact>
      <Fact label={say("webhooks.next-attempt")}>
        <Moment iso={delivery.next_attempt_at} />
      </Fact>
      <Fact label={say("webhooks.created-at")}>
        <Moment iso={delivery.created_at} />
      </Fact>
      <Fact label={say("webhooks.delivered-at")}>
        <Moment iso={delivery.delivered_at} />
      </Fact>
      {delivery.error === null ? null : (
        <Fact label={say("webhooks.last-error")} className="col-span-2">
          {delivery.error}
        </Fact>
      )}
    </dl>
    <section aria-label={say("webhooks.payload")} className="min-w-0">
      <h3 className="mb-1 text-sm font-semibold">{say("webhooks.payload")}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre tabIndex={0} className="max-h-72 overflow-auto rounded-md border border-line bg-paper p-3 font-mono text-xs">
        {JSON.stringify(delivery.payload, null, 2)}
      </pre>
    </section>
  </>
)

const DeliveryDialog = ({
  id,
  onClose,
  onReplayed,
  webhook
}: {
  readonly id: string
  readonly webhook: Webhook
  readonly onClose: () => void
  readonly onReplayed: () => void
}) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["webhook", webhook.id, "delivery", id],
    queryFn: ({ signal }) => api.webhooks.delivery(webhook.id, id, { signal }),
    meta: { topics: ["webhooks"] }
  })
  const { fault, isBusy, order } = useOrder(async (idempotencyKey) => {
    await api.webhooks.replay(webhook.id, id, { idempotencyKey })
    sayResult(say("webhooks.replayed"))
    onReplayed()
    void readAgain("webhooks")
  })
  return (
    <Dialog title={data?.event ?? say("webhooks.delivery")} onClose={onClose}>
      <div className="mt-3 grid grid-cols-1 gap-4">
        {data !== undefined ? (
          <Whole delivery={data} />
        ) : error !== null && !isStatus(error, 401) ? (
          <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
        ) : (
          <span className="skeleton block h-40 rounded-lg" />
        )}
        {fault === null ? null : <FaultAlert fault={fault} />}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>{say("action.back")}</Button>
        {data === undefined ? null : (
          <Button
            look="primary"
            writes
            off={webhook.is_active ? null : say("webhooks.replay-paused")}
            isBusy={isBusy}
            onPress={order}
          >
            {say("webhooks.replay")}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

export const WebhookDeliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const { id } = webhook
  const search = useSearch({ from: "/webhooks/$id" })
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const [begun, setBegun] = useState(0)
  const [columns] = useState(() => columnsOf(id))
  const status = statuses.find((one) => one === search.status)
  const show = (next: { readonly status?: string | undefined; readonly delivery?: string | undefined }): void => {
    const given = Object.entries(next).filter(([, value]) => value !== undefined && value !== "")
    void navigate({ to: "/webhooks/$id", params: { id }, search: Object.fromEntries(given), replace: true })
  }
  const begin = () => setBegun((nth) => nth + 1)
  return (
    <section aria-labelledby="deliveries">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="deliveries" className="text-lg font-semibold">
          {say("webhooks.deliveries")}
        </h2>
        <span className="ms-auto">
          <Button writes off={webhook.is_active ? null : say("webhooks.replay-paused")} onPress={() => setAsked(true)}>
            {say("webhooks.replay-all")}
          </Button>
        </span>
      </div>
      <Rows
        label={say("webhooks.deliveries")}
        columns={columns}
        idOf={(delivery) => delivery.id}
        listKey={["webhook", id, "deliveries", status ?? "", begun]}
        topics={["webhooks"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) => api.webhooks.listDeliveries(id, { ...page, status }, { signal }).then((found) => found)}
        tools={
          <FilterSelect
            label={say("webhooks.status")}
            value={status ?? ""}
            onChange={(value) => show({ status: value })}
            options={[
              { value: "", text: say("filter.all") },
              ...statuses.map((value) => ({ value, text: say(`delivery.${value}`) }))
            ]}
          />
        }
        empty={
          status === undefined ? (
            <Empty icon="next" title={say("webhooks.no-deliveries")} sentence={say("webhooks.no-deliveries-lead")} />
          ) : (
            <Empty icon="next" title={say("list.nothing-found")} sentence={say("webhooks.no-such-deliveries")}>
              <Button onPress={() => show({})}>{say("list.clear")}</Button>
            </Empty>
          )
        }
      />
      {search.delivery === undefined ? null : (
        <DeliveryDialog
          key={search.delivery}
          id={search.delivery}
          webhook={webhook}
          onClose={() => show({ status })}
          onReplayed={() => {
            show({ status })
            begin()
          }}
        />
      )}
      {isAsked ? <ReplayAllDialog id={id} onClose={() => setAsked(false)} onReplayed={begin} /> : null}
    </section>
  )
}
