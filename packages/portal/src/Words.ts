/**
 * Every text that the page of the webhooks portal says, by its key: an installation may replace each.
 * Source: docs/reference/webhooks-portal.md#words.
 *
 * `{name}` is where a value stands. A text about a number has the keys `….one` and `….other`; other languages may have
 * `….zero`, `….two`, `….few` and `….many` too.
 */
export const english = {
  "page.title": "Webhooks",
  "page.loading": "Loading…",
  "page.script": "This page needs JavaScript. Turn it on in your browser, then reload the page.",

  "refused.expired":
    "Your access to this page has ended. Go back to the page that brought you here and open your webhooks from there again.",
  "refused.missing":
    "This page was opened without access. Go to the page of your provider that leads here and open your webhooks from there.",
  "refused.unreachable": "The server could not be reached. Check your connection, then try again.",
  "refused.server": "Something went wrong on the server. Try again in a moment.",
  "refused.limit": "Too many requests came from here. Wait a minute, then try again.",
  "refused.fields": "Some fields need another value.",

  "action.add": "Add endpoint",
  "action.back": "Back to the endpoint",
  "action.cancel": "Cancel",
  "action.copy": "Copy",
  "action.delete": "Delete",
  "action.edit": "Edit",
  "action.list": "All endpoints",
  "action.older": "Show older",
  "action.pause": "Pause",
  "action.refresh": "Refresh",
  "action.replay": "Replay",
  "action.replayAll": "Replay all failed",
  "action.replayEvent": "Replay {event}",
  "action.resume": "Resume",
  "action.retry": "Try again",
  "action.rotate": "Rotate secret",
  "action.save": "Save",
  "action.test": "Send test",

  "state.active": "Active",
  "state.paused": "Paused",
  "state.failing": "Failing",
  "state.delivered": "Delivered",
  "state.waiting": "Waiting",
  "state.sending": "Sending",
  "state.retrying": "Retrying",
  "state.failed": "Failed",

  "list.label": "Endpoints",
  "list.hint": "Your endpoints get a signed POST request when something happens.",
  "list.empty.title": "No endpoints yet",
  "list.empty.hint": "Add the URL of your server, and choose the events that it should hear of.",
  "list.newest": "The newest {count} of {total} are shown.",

  "secret.label": "Signing secret",
  "secret.hint": "Save it now: it is shown this once. With it your server checks that a request comes from us.",
  "secret.copied": "Copied",
  "secret.said": "Copied.",
  "secret.selected": "The secret is selected. Copy it with your keyboard.",
  "secret.done": "I have saved it",

  "edit.title": "Edit endpoint",
  "edit.added": "Endpoint added",
  "edit.saved": "Saved.",
  "edit.url": "Endpoint URL",
  "edit.url.hint": "It must begin with https:// and be reachable from the internet.",
  "edit.url.hint.plain":
    "It must begin with https:// and be reachable from the internet, or be in a network that your provider allows, where http:// will do.",
  "edit.url.fault": "Enter the URL that requests are sent to.",
  "edit.more": "More settings",
  "edit.schedule": "When a delivery fails",
  "edit.days": "Pause after days of failures",
  "edit.days.hint": "1 to 30. Left empty, it is never paused by itself.",
  "edit.days.fault": "Enter a whole number from 1 to 30, or nothing.",

  "events.title": "Events",
  "events.every": "Every event",
  "events.every.choice": "Every event, also those that are added later",
  "events.some.choice": "Only the events that I choose",
  "events.count.one": "{count} event",
  "events.count.other": "{count} events",
  "events.found.one": "{count} event found.",
  "events.found.other": "{count} events found.",
  "events.none": "No event matches.",
  "events.fault": "Choose at least one event.",
  "events.find": "Find an event",
  "events.find.example": "call, credits, message…",
  "events.chosen": "{count} of {total}",
  "events.all": "Select all",
  "events.nothing": "Select none",
  "events.toggle": "{action}: {category}",
  "events.provider": "Your provider sends these itself, where it offers them.",

  "endpoint.actions": "Endpoint",
  "endpoint.agent": "Limited to agent",
  "endpoint.previous": "Secret before it",
  "endpoint.previous.until": "signs too, until {time}",
  "endpoint.failing": "Failing since",
  "endpoint.added": "Added",
  "endpoint.resumed": "The endpoint is active again. What was due meanwhile is sent now.",
  "endpoint.paused": "The endpoint is paused. It hears of no events until you resume it.",

  "retries.title": "Retries",
  "retries.standard": "5 attempts, within a minute",
  "retries.long": "13 attempts, over three days",
  "retries.pause.one": "{schedule}; paused after {count} day of failures",
  "retries.pause.other": "{schedule}; paused after {count} days of failures",

  "test.sending": "Sending a test…",
  "test.said": "Sending a test.",
  "test.arrived": "The test arrived: status {status}, after {ms} ms.",
  "test.failed": "The test failed after {ms} ms. {error}",

  "rotate.title": "Make a new signing secret?",
  "rotate.yes": "Make a new secret",
  "rotate.overlap": "The old secret goes on signing",
  "rotate.overlap.day": "for a day",
  "rotate.overlap.hour": "for an hour",
  "rotate.overlap.week": "for 7 days",
  "rotate.overlap.none": "not at all: it stops now",
  "rotate.done": "New signing secret",
  "rotate.done.none": "The old secret has stopped signing.",
  "rotate.done.until": "The old secret signs beside it until {time}.",

  "delete.title": "Delete this endpoint?",
  "delete.hint": "It gets nothing more, and its deliveries can no longer be seen. This cannot be undone.",
  "delete.yes": "Delete endpoint",
  "delete.done": "The endpoint was deleted.",

  "deliveries.title": "Deliveries",
  "deliveries.filter": "Deliveries shown",
  "deliveries.all": "All",
  "deliveries.empty": "Nothing has been sent yet. Deliveries show up here when events happen; tests do not.",
  "deliveries.empty.waiting": "Nothing is waiting to be sent.",
  "deliveries.empty.failed": "Nothing has failed.",
  "deliveries.shown.one": "{count} delivery shown.",
  "deliveries.shown.other": "{count} deliveries shown.",
  "deliveries.fresh": "The deliveries are up to date.",

  "delivery.payload": "Payload",
  "delivery.status": "HTTP status",
  "delivery.status.none": "No answer",
  "delivery.attempts": "Attempts",
  "delivery.next": "Next attempt",
  "delivery.error": "Last error",
  "delivery.error.none": "None",
  "delivery.created": "Created",
  "delivery.delivered": "Delivered",
  "delivery.delivered.never": "Never",
  "delivery.delivered.yet": "Not yet",
  "delivery.id": "Delivery id",
  "attempt.due": "Next attempt is due.",
  "attempt.next": "Next attempt {when}.",
  "attempt.resumed": "Next attempt once the endpoint is resumed.",

  "replay.paused": "The endpoint is paused. Resume it, then replay.",
  "replay.queued": "Queued: it is sent again as a new delivery, which is the first in the list.",
  "replay.delivered": "The replay was delivered.",
  "replay.failed": "The replay failed. {error}",
  "replayAll.title": "Replay all that has failed?",
  "replayAll.hint": "Each is sent again as a new delivery, also one that was replayed before.",
  "replayAll.since": "What has failed",
  "replayAll.since.hour": "in the last hour",
  "replayAll.since.day": "in the last 24 hours",
  "replayAll.since.week": "in the last 7 days",
  "replayAll.since.ever": "at any time",
  "replayAll.none": "Nothing has failed in that time.",
  "replayAll.done.one": "{count} delivery is sent again, each as a new one.",
  "replayAll.done.other": "{count} deliveries are sent again, each as a new one."
} as const

type English = typeof english

export type Word = keyof English

/** What a text about a number is called, without its form. */
export type Counted = Word extends infer Key ? (Key extends `${infer Name}.other` ? Name : never) : never

/** The names of a text's placeholders. */
type Named<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never

/** The values of a text; none, where it has no placeholder. */
export type Values<Key extends Word, Value> = [Named<English[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<Named<English[Key]>, Value>>]

/** The values of a text about a number, besides the number. */
export type CountedValues<Name extends Counted> = [Exclude<Named<English[`${Name}.other`]>, "count">] extends [never]
  ? []
  : [values: Readonly<Record<Exclude<Named<English[`${Name}.other`]>, "count">, string>>]
