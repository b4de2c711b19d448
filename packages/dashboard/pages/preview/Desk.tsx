/** The work area of the preview desk: the person, the call, and what it came to. By mouse, or by single keys. */
import type { Campaign, CampaignLive } from "@trunkline/client"
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { callSentence, isOver } from "../calls/CallState.ts"
import { HangUp } from "../calls/HangUp.tsx"
import { Key, OutcomeForm } from "../calls/OutcomeForm.tsx"
import { hasEnded } from "../campaigns/CampaignMoves.ts"
import { waitingSentence } from "../campaigns/WaitingSentence.ts"
import { sayResult } from "../frame/Notices.ts"
import { useObserved } from "../frame/Observed.ts"
import { clockTime, duration, moment, momentIn, say, sayCount, wordOf } from "../frame/Say.ts"
import { settings } from "../frame/Settings.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button, useWritesOff } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { SwitchField } from "../parts/FormFields.tsx"
import { Icon, type IconName } from "../parts/Icons.tsx"
import { useNow } from "../parts/PageClock.ts"
import { ContactCard } from "./ContactCard.tsx"
import { type DeskOrder, keyOf, orderOf } from "./DeskKeys.ts"
import { type DeskOrders, useDesk } from "./DeskOrders.ts"
import { DoNotCallDialog } from "./DoNotCallDialog.tsx"
import { EarlierCalls } from "./EarlierCalls.tsx"
import { hotKeys, isField, switchHotKeys } from "./HotKeys.ts"

/** Reasons that keep an approved call from starting until somebody does something, or a time has come. */
const obstacles: ReadonlyArray<string> = ["not_running", "account", "credits", "provider", "window", "daily_limit"]

/** Why no contact can be taken; null where one can. */
const closedFor = (name: string, live: CampaignLive | undefined): string | null => {
  if (live === undefined) return null
  if (hasEnded(live.status)) return say("preview.ended", { name, status: wordOf("status", live.status) })
  return live.dial_mode === "preview" ? null : say("preview.other-mode", { name })
}

const Obstacle = ({ campaign, live }: { readonly campaign: Campaign; readonly live: CampaignLive }) => {
  const waiting = live.waiting_for
  if (waiting === null || !obstacles.includes(waiting.reason)) return null
  const sentence =
    waiting.reason === "not_running"
      ? say("preview.idle", { name: campaign.name, status: wordOf("status", live.status) })
      : waitingSentence({ campaign, live, counts: undefined }, waiting.reason)
  return (
    <div className="banner is-warn mb-4">
      <Icon name="warning" className="size-5 flex-none" />
      <p className="min-w-0 flex-1 basis-44">
        {sentence}
        {waiting.until === null
          ? null
          : ` ${say("waiting.until", { time: momentIn(waiting.until, campaign.timezone) })}`}
      </p>
      <a href={`#/campaigns/${campaign.id}`} className="button is-small">
        {say("preview.see-campaign")}
      </a>
    </div>
  )
}

/** What is said about the hold, or why the person is out of reach. */
const HoldLine = ({ desk }: { readonly desk: DeskOrders }) => {
  const now = useNow(1000)
  const { heldUntil, lost, renew } = desk
  if (lost !== null)
    return (
      <p role="alert" className="banner is-warn">
        {lost}
      </p>
    )
  if (desk.desk.step !== "waiting") return null
  if (desk.desk.shown?.suppressed === true)
    return (
      <p role="alert" className="banner is-bad">
        {say("preview.suppressed")}
      </p>
    )
  if (heldUntil === null) return null
  return heldUntil > now ? (
    <p className="text-sm text-soft">{say("preview.held-until", { time: clockTime(heldUntil) })}</p>
  ) : (
    <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
      {say("preview.hold-over")}
      <Button isSmall writes onPress={renew}>
        {say("preview.hold-again")}
      </Button>
    </p>
  )
}

const looks: Readonly<Record<string, readonly [tone: string, icon: IconName]>> = {
  none: ["text-soft", "circle"],
  approved: ["text-live", "clock"],
  queued: ["text-live", "clock"],
  dialing: ["text-live", "phone"],
  ringing: ["text-live", "phone"],
  in_progress: ["text-good", "phone"],
  completed: ["text-good", "check"]
}

const Since = ({ iso }: { readonly iso: string }) => {
  const now = useNow(1000)
  return (
    <span role="timer" aria-live="off" className="tabular-nums text-soft">
      {duration(now - Date.parse(iso))}
    </span>
  )
}

const CallStatus = ({ desk }: { readonly desk: DeskOrders }) => {
  const { call, mayReadCalls } = desk
  const isApproved = desk.desk.step === "approved"
  const text = !isApproved
    ? say("preview.not-called")
    : call !== undefined
      ? callSentence(call)
      : say(mayReadCalls ? "preview.approved" : "preview.calls-forbidden")
  const [tone, icon] = looks[call?.status ?? (isApproved ? "approved" : "none")] ?? ["text-soft", "cross" as IconName]
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
      <Icon name={icon} className={`size-5 flex-none ${tone}`} />
      <p className="min-w-0 flex-1 basis-32 text-lg font-semibold">
        <span role="status" aria-label={say("preview.call")}>
          {text}
        </span>
      </p>
      {call !== undefined && call.status === "in_progress" && call.answered_at !== null ? (
        <Since iso={call.answered_at} />
      ) : null}
      {call !== undefined && !isOver(call) ? <HangUp callId={call.id} isSmall /> : null}
    </div>
  )
}

const orders: ReadonlyArray<readonly [order: Exclude<DeskOrder, "next">, icon: IconName]> = [
  ["call", "phone"],
  ["skip", "next"],
  ["do-not-call", "ban"]
]

interface Given {
  readonly campaign: Campaign | undefined
  readonly campaignSelect: ReactNode
  readonly campaignId: string
  readonly live: CampaignLive | undefined
  readonly liveAt: number
}

/** Why each order cannot be given now; null where it can. */
const useOffs = (desk: DeskOrders, closed: string | null): Readonly<Record<DeskOrder, string | null>> => {
  const away = useWritesOff()
  const { call, lost } = desk
  const { shown, step } = desk.desk
  const nobody = shown === null ? say("preview.nobody-here") : null
  const called =
    step === "approved" ? say(call !== undefined && isOver(call) ? "preview.called" : "preview.under-way") : null
  const suppressed = shown?.suppressed === true ? say("preview.suppressed") : null
  return {
    next: closed ?? away,
    call: nobody ?? lost ?? called ?? suppressed ?? closed ?? away,
    skip: nobody ?? lost ?? called ?? closed ?? away,
    "do-not-call": nobody ?? lost ?? (step === "approved" ? suppressed : closed) ?? away
  }
}

export const Desk = ({ campaign, campaignId, campaignSelect, live, liveAt }: Given) => {
  const desk = useDesk(campaignId, live, liveAt)
  const { busy, call } = desk
  const { callId, note, outcome, shown, step } = desk.desk
  const isOn = useObserved(hotKeys)
  const [isSuppressing, setSuppressing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const mayNote = useMay("calls:write")
  const closed = closedFor(campaign?.name ?? "", live)
  const offs = useOffs(desk, closed)
  // The same contact takes it, too, when it is asked for again.
  useEffect(() => {
    if (desk.shownTimes > 0) heading.current?.focus()
  }, [desk.shownTimes])

  const give = (order: DeskOrder): void => {
    const off = offs[order]
    if (off !== null) sayResult(off)
    else if (busy !== null) return
    else if (order === "do-not-call") setSuppressing(true)
    else ({ call: desk.approve, skip: desk.skip, next: desk.next })[order]()
  }
  const pressed = (event: KeyboardEvent): void => {
    if (!isOn || event.defaultPrevented || isField(event.target)) return
    const order = orderOf(event.nativeEvent, settings.outcomes.length)
    if (order === null) return
    event.preventDefault()
    if (typeof order === "number") desk.setOutcome(settings.outcomes[order] ?? "")
    else give(order)
  }
  const shortcut = (order: DeskOrder) => (isOn ? { "aria-keyshortcuts": keyOf(order) } : {})
  const key = (order: DeskOrder) => (isOn ? <Key text={keyOf(order).toUpperCase()} /> : null)
  const noted = call?.outcome ?? null

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
        {campaignSelect}
        <Button
          look={step === "waiting" && desk.lost === null ? "plain" : "primary"}
          writes
          off={closed}
          isBusy={busy !== null}
          onPress={() => give("next")}
          {...shortcut("next")}
        >
          {say("preview.next")}
          {key("next")}
        </Button>
        {live === undefined ? null : (
          <span className="text-soft tabular-nums">{sayCount("preview.waiting", live.awaiting_approval_total)}</span>
        )}
        <span className="ms-auto flex">
          <SwitchField
            label={say("preview.hot-keys")}
            hint={say("preview.hot-keys-hint")}
            isOn={isOn}
            onChange={switchHotKeys}
          />
        </span>
      </div>
      {closed === null ? (
        campaign === undefined || live === undefined ? null : (
          <Obstacle campaign={campaign} live={live} />
        )
      ) : (
        <p className="banner is-warn mb-4">{closed}</p>
      )}
      {desk.fault === null ? null : (
        <div className="mb-4">
          <FaultAlert fault={desk.fault} />
        </div>
      )}
      {/* Keys are heard from whatever has the focus within: the area itself is no control. */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form. */}
      <div
        role="group"
        aria-label={say("preview.work-area")}
        aria-busy={busy !== null}
        onKeyDown={pressed}
        className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]"
      >
        <ContactCard
          campaign={campaign}
          shown={shown}
          isCalled={callId !== null}
          isOver={step === "nobody"}
          headingRef={heading}
        >
          <HoldLine desk={desk} />
          <div className="flex flex-wrap gap-2">
            {orders.map(([order, icon]) => (
              <Button
                key={order}
                look={order === "call" && offs.call === null ? "primary" : "plain"}
                off={offs[order]}
                isBusy={busy !== null}
                onPress={() => give(order)}
                {...shortcut(order)}
              >
                <Icon name={icon} className="size-4 flex-none" />
                {say(`preview.${order}`)}
                {key(order)}
              </Button>
            ))}
          </div>
        </ContactCard>
        <div className="panel grid gap-4 p-5 lg:sticky lg:top-4">
          <CallStatus desk={desk} />
          <OutcomeForm
            outcome={outcome}
            note={note}
            onOutcome={desk.setOutcome}
            onNote={desk.setNote}
            onSave={desk.save}
            fault={desk.outcomeFault}
            hasKeys={isOn}
            isBusy={busy !== null}
            off={!mayNote ? say("not-available.write") : callId === null ? say("outcome.no-call") : null}
            noted={
              noted === null
                ? null
                : say("outcome.by", { who: noted.by.name ?? noted.by.subject, time: moment(noted.at) })
            }
          />
        </div>
      </div>
      <EarlierCalls calls={desk.desk.earlier} mayRead={desk.mayReadCalls} />
      {isSuppressing && shown !== null ? (
        <DoNotCallDialog
          phone={shown.contact.phone}
          isWaiting={step === "waiting"}
          suppress={desk.suppress}
          onClose={() => setSuppressing(false)}
        />
      ) : null}
    </>
  )
}
