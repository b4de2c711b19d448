/** The region "Why nothing dials": for each reason a sentence, until when, and what helps. */
import { Link } from "@tanstack/react-router"
import type { CampaignLive } from "@trunkline/client"
import type { ReactNode } from "react"
import { isOpen, pageOf } from "../frame/Places.ts"
import { duration, exactMoment, momentIn, say } from "../frame/Say.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { Icon, type IconName } from "../parts/Icons.tsx"
import { useNow } from "../parts/PageClock.ts"
import type { Seen } from "./CampaignReads.ts"
import { type Reason, waitingSentence } from "./WaitingSentence.ts"

const minuteMs = 60_000

/** Seconds where the wait is short, which readers of screens do not hear again and again: the sentence around it has the instant. */
const Countdown = ({ until }: { readonly until: string }) => {
  const left = Date.parse(until) - useNow(1000)
  const text = left < 0 ? say("waiting.any-moment") : left < 60 * minuteMs ? duration(left) : null
  return text === null ? null : (
    <span role="timer" aria-live="off" className="tabular-nums font-semibold">
      {text}
    </span>
  )
}

const looks: Readonly<Record<Reason, readonly [tone: string, icon: IconName]>> = {
  not_running: ["", "pause"],
  account: ["is-bad", "warning"],
  credits: ["is-bad", "warning"],
  provider: ["is-warn", "warning"],
  window: ["", "clock"],
  daily_limit: ["", "clock"],
  approval: ["is-warn", "people"],
  lines: ["is-good", "phone"],
  pace: ["is-good", "clock"],
  nothing_due: ["", "people"]
}

interface Given {
  readonly seen: Seen
  /** The move that sets it going, where one does. */
  readonly mainMove: ReactNode
  /** Adds people to the list, where that may be done. */
  readonly add: ReactNode
  readonly onApprove: (contactId: string) => void
  readonly isApproving: boolean
  readonly onShowCalls: () => void
}

/** One link or button that helps. */
const Help = ({
  add,
  isApproving,
  mainMove,
  onApprove,
  onShowCalls,
  reason,
  seen
}: Given & { readonly reason: Reason }) => {
  const me = useMe()
  const { campaign, live } = seen
  const settings = (text: string) => (
    <Link to="/campaigns/$id/settings" params={{ id: campaign.id }} className="button">
      {text}
    </Link>
  )
  const page = (name: string, text: string) => (
    <Link to={pageOf(isOpen(name, me) ? name : "start")} className="button">
      {text}
    </Link>
  )
  switch (reason) {
    case "not_running":
      return campaign.status === "draft" && campaign.total_contacts === 0
        ? add
        : (mainMove ?? (
            <Link to="/campaigns" className="button">
              {say("waiting.help-others")}
            </Link>
          ))
    case "account":
      return page("start", say("waiting.help-account"))
    case "credits":
      return page("usage", say("waiting.help-credits"))
    case "provider":
      return isOpen("calls", me) ? (
        <Link to="/calls" search={{ campaign_id: campaign.id }} className="button">
          {say("waiting.help-provider")}
        </Link>
      ) : (
        page("start", say("waiting.help-provider"))
      )
    case "window":
      return settings(say("waiting.help-window"))
    case "daily_limit":
      return settings(say("waiting.help-limit"))
    case "pace":
      return settings(say("waiting.help-pace"))
    case "approval": {
      const next = live?.awaiting_approval[0]
      if (isOpen("preview", me))
        return (
          <a href={`#/preview/${campaign.id}`} className="button is-primary">
            {say("waiting.help-preview")}
          </a>
        )
      return next === undefined ? null : (
        <Button
          look="primary"
          writes
          off={me.scopes.includes("campaigns:write") ? null : say("not-available.write")}
          isBusy={isApproving}
          onPress={() => onApprove(next.contact_id)}
        >
          {say("waiting.help-approve", { who: next.name ?? next.phone })}
        </Button>
      )
    }
    case "lines":
      return <Button onPress={onShowCalls}>{say("waiting.help-lines")}</Button>
    case "nothing_due":
      return (
        <Link to="/campaigns/$id" params={{ id: campaign.id }} search={{ status: "pending" }} className="button">
          {say("waiting.help-due")}
        </Link>
      )
  }
}

/** The page of the import is a place of its own. */
export const ImportLink = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <Link to="/campaigns/$id/import" params={{ id }} className="button is-quiet">
    {text}
  </Link>
)

export const Waiting = (given: Given) => {
  const { live } = given.seen
  return (
    <section aria-label={say("waiting.heading")} className="mb-6">
      {live === undefined ? (
        <span className="skeleton block h-18 rounded-lg" />
      ) : live.waiting_for === null ? (
        <div className="banner min-h-18 is-good">
          <Icon name="phone" className="size-5 flex-none text-good" />
          <p className="min-w-0 flex-1 basis-44">{say("waiting.nothing")}</p>
        </div>
      ) : (
        <Because {...given} waiting={live.waiting_for} />
      )}
    </section>
  )
}

const Because = ({
  waiting: { reason, until },
  ...given
}: Given & { readonly waiting: NonNullable<CampaignLive["waiting_for"]> }) => {
  const { campaign } = given.seen
  const sentence = waitingSentence(given.seen, reason)
  const [tone, icon] = looks[reason] ?? ["", "clock"]
  return (
    <div className={`banner min-h-18 ${tone}`} data-reason={reason}>
      <Icon name={icon} className="size-5 flex-none" />
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-medium">{sentence}</p>
        {until === null ? null : (
          <p className="text-sm text-soft" title={exactMoment(until)}>
            {say("waiting.until", { time: momentIn(until, campaign.timezone) })} <Countdown until={until} />
          </p>
        )}
      </div>
      <Help {...given} reason={reason} />
    </div>
  )
}
