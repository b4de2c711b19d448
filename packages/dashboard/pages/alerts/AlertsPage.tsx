/** Alerts of calls and voice sessions: what they watch, what they found last, and whether they are firing. */
import type { VoiceAlert } from "@trunkline/client"
import { useMemo, useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, number, say, sayCount, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { actionsColumn } from "../parts/RowActions.tsx"
import { RowSwitch } from "../parts/RowSwitch.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"
import { AlertDialog, metricName } from "./AlertDialog.tsx"
import { minutesOf, shownValue, unitOf } from "./AlertUnits.ts"

type Shown = { readonly kind: "new" } | { readonly kind: "change" | "delete"; readonly alert: VoiceAlert }

/** A reading with its unit: `7.5 %`. */
const reading = (metric: string, value: number): string => {
  const unit = unitOf(metric)
  const shown = number(shownValue(metric, value))
  return unit === null ? shown : say(`unit.${unit}`, { n: shown })
}

const ruleSentence = ({ comparison, metric, threshold, window_seconds }: VoiceAlert): string =>
  sayCount(`alerts.rule-${comparison}`, minutesOf(window_seconds), {
    metric: metricName(metric),
    value: reading(metric, threshold)
  })

const statusOf = ({ enabled, is_firing }: VoiceAlert): string => (!enabled ? "off" : is_firing ? "firing" : "watching")

const columnsOf = (show: ((shown: Shown) => void) | null): ReadonlyArray<Column<VoiceAlert>> => [
  {
    title: say("field.name"),
    width: "minmax(0, 2fr)",
    cell: (alert) => (
      <span className="grid leading-5">
        <span className="truncate font-semibold" title={alert.name}>
          {alert.name}
        </span>
        <span className="truncate text-xs text-soft" title={ruleSentence(alert)}>
          <span className="md:hidden">{wordOf("alert", statusOf(alert))}: </span>
          {ruleSentence(alert)}
        </span>
      </span>
    )
  },
  {
    title: say("webhooks.status"),
    width: "7.5rem",
    room: 1,
    cell: (alert) => <Badge kind="alert" status={statusOf(alert)} />
  },
  {
    title: say("alerts.last-value"),
    width: "11rem",
    room: 1,
    cell: ({ last_evaluated_at, last_fired_at, last_value, metric }) => (
      <span className="grid leading-5">
        {last_value === null ? (
          nothing
        ) : (
          <span title={last_evaluated_at === null ? undefined : exactMoment(last_evaluated_at)}>
            {reading(metric, last_value)}
          </span>
        )}
        {last_fired_at === null ? null : (
          <span className="truncate text-xs text-soft" title={exactMoment(last_fired_at)}>
            {say("alerts.last-fired", { time: moment(last_fired_at) })}
          </span>
        )}
      </span>
    )
  },
  {
    title: say("alerts.on"),
    width: "3.5rem",
    cell: ({ enabled, id, name }) => (
      <RowSwitch
        name={say("alerts.on-of", { name })}
        isOn={enabled}
        off={show === null ? say("not-available.write") : null}
        topic="alerts"
        run={async (isOn) => {
          await api.voiceAlerts.change(id, { enabled: isOn })
          sayResult(say(isOn ? "alerts.switched-on" : "alerts.switched-off", { name }))
        }}
      />
    )
  },
  ...(show === null
    ? []
    : [
        actionsColumn(2, (alert: VoiceAlert) => [
          {
            icon: "edit",
            word: say("alerts.change"),
            name: say("alerts.change-named", { name: alert.name }),
            onPress: () => show({ kind: "change", alert })
          },
          {
            icon: "trash",
            word: say("alerts.delete"),
            name: say("alerts.delete-named", { name: alert.name }),
            onPress: () => show({ kind: "delete", alert })
          }
        ])
      ])
]

export const AlertsPage = () => {
  const may = useMay("webhooks:write")
  const [shown, setShown] = useState<Shown | null>(null)
  // What the person makes stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)
  const columns = useMemo(() => columnsOf(may ? setShown : null), [may])
  const close = () => setShown(null)
  return (
    <>
      <Heading
        title={say("alerts.heading")}
        lead={say("alerts.lead")}
        actions={
          may ? (
            <Button look="primary" writes onPress={() => setShown({ kind: "new" })}>
              <Icon name="plus" className="size-4 flex-none" />
              {say("alerts.new")}
            </Button>
          ) : undefined
        }
      />
      <Rows
        label={say("alerts.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["alerts", begun]}
        topics={["alerts"]}
        pageSize={50}
        isNewestFirst
        read={(page, signal) => api.voiceAlerts.list(page, { signal }).then((found) => found)}
        empty={<Empty icon="alerts" title={say("alerts.empty")} sentence={say("alerts.empty-lead")} />}
      />
      {shown === null ? null : shown.kind === "delete" ? (
        <ConfirmDialog
          title={say("alerts.delete-named", { name: shown.alert.name })}
          isDanger
          onClose={close}
          run={async () => {
            await api.voiceAlerts.remove(shown.alert.id)
            sayResult(say("alerts.deleted", { name: shown.alert.name }))
            void readAgain("alerts")
          }}
        >
          <p>{say("alerts.delete-lead", { n: 1 })}</p>
        </ConfirmDialog>
      ) : (
        <AlertDialog
          alert={shown.kind === "new" ? null : shown.alert}
          onClose={close}
          onCreated={() => setBegun((nth) => nth + 1)}
        />
      )}
    </>
  )
}
