/** Which events a webhook sends: all of them, or those that are chosen, in the groups of the product. */
import { useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { say, sayCount } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import type { FieldState } from "../parts/FormFields.tsx"

export interface EventKind {
  readonly event: string
  readonly category: string
  readonly fires: string
  readonly fired_by: "product" | "host"
}

/** What a field holds: names with commas between them. */
export const eventsIn = (text: string): ReadonlyArray<string> => text.split(",").filter((name) => name !== "")

export const useEventKinds = () =>
  useQuery({
    queryKey: ["webhooks", "events"],
    queryFn: ({ signal }) => api.webhooks.listEvents({ signal }),
    staleTime: Number.POSITIVE_INFINITY
  })

const Group = ({
  chosen,
  kinds,
  onChange,
  title
}: {
  readonly title: string
  readonly kinds: ReadonlyArray<EventKind>
  readonly chosen: ReadonlySet<string>
  readonly onChange: (names: ReadonlyArray<string>, isOn: boolean) => void
}) => {
  const id = useId()
  const names = kinds.map(({ event }) => event)
  const isWhole = names.every((name) => chosen.has(name))
  const action = say(isWhole ? "webhooks.select-none" : "webhooks.select-all")
  return (
    <fieldset aria-labelledby={id} className="min-w-0 border-t border-line py-3 first:border-0">
      <div className="flex flex-wrap items-center gap-x-3">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        <Button
          isSmall
          look="quiet"
          className="ms-auto"
          aria-label={`${action}: ${title}`}
          onPress={() => onChange(names, !isWhole)}
        >
          {action}
        </Button>
      </div>
      {kinds.every(({ fired_by }) => fired_by === "host") ? (
        <p className="text-sm text-soft">{say("webhooks.of-host")}</p>
      ) : null}
      {kinds.map(({ event, fires }) => (
        <label key={event} className="flex items-start gap-2.5 py-1">
          <input
            type="checkbox"
            className="check"
            aria-describedby={`${id}${event}`}
            checked={chosen.has(event)}
            onChange={({ target }) => onChange([event], target.checked)}
          />
          <span className="grid min-w-0">
            <span className="font-mono text-sm wrap-anywhere">{event}</span>
            <span id={`${id}${event}`} aria-hidden="true" className="text-sm text-soft">
              {fires.split("`").map((part, nth) => (nth % 2 === 0 ? part : <code key={part}>{part}</code>))}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export const EventChoice = ({ field }: { readonly field: FieldState }) => {
  const { data, error, refetch } = useEventKinds()
  field.named(say("webhooks.events"))
  const chosen = new Set(eventsIn(field.value))
  const change = (names: ReadonlyArray<string>, isOn: boolean): void => {
    const next = new Set(chosen)
    for (const name of names) isOn ? next.add(name) : next.delete(name)
    field.onChange([...next].join(","))
  }
  const categories = [...new Set((data ?? []).map(({ category }) => category))]
  return (
    <fieldset
      id={field.id}
      tabIndex={-1}
      className="min-w-0"
      aria-describedby={field.fault === null ? undefined : `${field.id}f`}
    >
      <legend className="sr-only">{say("webhooks.events")}</legend>
      {field.fault === null ? null : (
        <p id={`${field.id}f`} className="text-sm font-medium text-bad">
          {field.fault}
        </p>
      )}
      {error !== null && data === undefined ? (
        <div role="alert" className="banner is-bad">
          <p className="min-w-0 flex-1 basis-44">{faultOfRead(error)}</p>
          <Button isSmall onPress={() => void refetch()}>
            {say("action.try-again")}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-soft tabular-nums" aria-live="polite">
          {data === undefined ? "…" : say("webhooks.chosen", { n: chosen.size, m: data.length })}
        </p>
      )}
      {categories.map((category) => (
        <Group
          key={category}
          title={category}
          kinds={(data ?? []).filter((kind) => kind.category === category)}
          chosen={chosen}
          onChange={change}
        />
      ))}
    </fieldset>
  )
}

/** `Every event`, or how many. */
export const eventsSentence = (events: ReadonlyArray<string> | null): string =>
  events === null || events.length === 0 ? say("webhooks.every") : sayCount("webhooks.event-count", events.length)

/** A URL where there is little room: nearly all of them begin alike. */
export const withoutScheme = (url: string): string => url.replace(/^https:\/\//, "")
