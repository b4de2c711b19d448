/** One campaign: what it does now, what may be done with it, and everybody on its list. */
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { asLeft, keepFocus, returning } from "../frame/Arrival.ts"
import { faultOfRead, faultOfWrite } from "../frame/FaultSentences.ts"
import { fault, sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { hourOfDay, placeOf, say, sayCount, wordOf } from "../frame/Say.ts"
import { api, isStatus, newKey } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { Downloaded } from "../parts/Download.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { AddContactsDialog } from "./AddContactsDialog.tsx"
import { type CampaignStatus, moves, takesContacts } from "./CampaignMoves.ts"
import { type Seen, useCampaign, useCounts, useLive } from "./CampaignReads.ts"
import { ContactsTable } from "./ContactsTable.tsx"
import { Counts } from "./Counts.tsx"
import { LiveCalls } from "./LiveCalls.tsx"
import { CancelDialog, CompleteDialog, move, RetryDialog, RunDialog } from "./MoveDialogs.tsx"
import { ImportLink, Waiting } from "./Waiting.tsx"

type Shown = "run" | "complete" | "cancel" | "retry" | "add" | null

const Trail = () => (
  <a
    href={`#${asLeft("/campaigns")}`}
    onClick={returning}
    className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-soft hover:text-ink"
  >
    <Icon name="back" className="size-4 flex-none" />
    {say("campaigns.back")}
  </a>
)

/** A move without a dialog: it can be taken back. */
const useDirectMove = (seen: Seen) => {
  const [isBusy, setBusy] = useState(false)
  const run = (to: CampaignStatus, key = newKey()): void => {
    if (isBusy) return
    setBusy(true)
    fault.set(null)
    move(seen, to, key)
      .catch((error: unknown) => fault.set(faultOfWrite(error, () => run(to, key))))
      .finally(() => {
        setBusy(false)
        keepFocus()
      })
  }
  return { isBusy, run }
}

const useDuplicate = (id: string) => {
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const run = (key = newKey()): void => {
    if (isBusy) return
    setBusy(true)
    api.campaigns
      .duplicate(id, { contacts: "none" }, { idempotencyKey: key })
      .then(async (made) => {
        queryClient.removeQueries({ queryKey: ["campaigns"] })
        sayResult(say("campaign.duplicated", { name: made.name }))
        await navigate({ to: "/campaigns/$id", params: { id: made.id } })
      })
      .catch((error: unknown) => fault.set(faultOfWrite(error, () => run(key))))
      .finally(() => setBusy(false))
  }
  return { isBusy, run }
}

const runName = (status: CampaignStatus): string => say(status === "scheduled" ? "campaign.start" : "campaign.resume")

const Whole = ({ seen }: { readonly seen: Seen }) => {
  const { campaign, counts, live } = seen
  const { id } = campaign
  // The live view is read before all else: what it says of the status is newer.
  const status = live?.status ?? campaign.status
  const [shown, setShown] = useState<Shown>(null)
  const close = () => setShown(null)
  const mayWrite = useMay("campaigns:write")
  const direct = useDirectMove(seen)
  const duplicate = useDuplicate(id)
  const [isApproving, setApproving] = useState(false)
  const allowed = mayWrite ? moves[status] : []

  const open = (to: CampaignStatus, name: string, which: Exclude<Shown, null>, look: "plain" | "primary" = "plain") =>
    allowed.includes(to) ? (
      <Button key={to} look={look} writes onPress={() => setShown(which)}>
        {name}
      </Button>
    ) : null
  const go = (to: CampaignStatus, name: string, look: "plain" | "primary" = "plain") =>
    allowed.includes(to) ? (
      <Button key={to} look={look} writes isBusy={direct.isBusy} onPress={() => direct.run(to)}>
        {name}
      </Button>
    ) : null

  const run = open("running", runName(status), "run", "primary")
  const schedule = go(
    "scheduled",
    say("campaign.schedule"),
    status === "draft" && campaign.total_contacts > 0 ? "primary" : "plain"
  )
  // The one that sets it going stands beside the reason why it does not go.
  const isIdle = live?.waiting_for?.reason === "not_running"
  const main: ReactNode =
    isIdle && !(status === "draft" && campaign.total_contacts === 0)
      ? (run ?? (status === "draft" ? schedule : null))
      : null
  const failed = counts?.by_status.failed ?? campaign.failed_contacts
  const mayRetry = mayWrite && failed > 0 && status !== "completed" && status !== "cancelled"

  const approve = (contactId: string): void => {
    setApproving(true)
    api.campaigns
      .approve(id, contactId)
      .then(
        () => sayResult(say("campaign.approved")),
        (error: unknown) => fault.set(faultOfWrite(error, () => approve(contactId)))
      )
      .finally(() => {
        setApproving(false)
        keepFocus()
        void readAgain(`campaign:${id}`)
      })
  }
  const add =
    mayWrite && takesContacts.includes(status) ? (
      <Button look={campaign.total_contacts > 0 ? "quiet" : "primary"} writes onPress={() => setShown("add")}>
        {say("add-contacts.heading")}
      </Button>
    ) : null

  return (
    <>
      <Trail />
      <Heading title={campaign.name} beside={<Badge kind="status" status={status} />} />
      <p className="-mt-4 mb-4 text-soft">
        {say("campaign.summary", {
          mode: wordOf("mode", campaign.dial_mode),
          from: hourOfDay(campaign.quiet_hours_start),
          until: hourOfDay(campaign.quiet_hours_end),
          place: placeOf(campaign.timezone)
        })}{" "}
        {sayCount("campaign.summary-attempts", campaign.max_attempts)}{" "}
        {mayWrite ? (
          <Link to="/campaigns/$id/settings" params={{ id }} className="text-link">
            {say("campaign.edit")}
          </Link>
        ) : null}
      </p>
      <div className="mb-4 flex flex-wrap gap-2">
        {main === run ? null : run}
        {go("paused", say("campaign.pause"))}
        {main === schedule ? null : schedule}
        {open("completed", say("campaign.complete"), "complete")}
        {open("cancelled", say("campaign.cancel"), "cancel")}
        {go("draft", say("campaign.back-to-draft"))}
        {/* What is not about calling now stands apart, and says so by its look. */}
        <span className="flex flex-wrap gap-x-1 gap-y-2 md:ms-auto">
          {mayWrite ? (
            <Button look="quiet" writes isBusy={duplicate.isBusy} onPress={() => duplicate.run()}>
              {say("campaign.duplicate")}
            </Button>
          ) : null}
          {mayRetry ? (
            <Button look="quiet" writes onPress={() => setShown("retry")}>
              {say("campaign.retry")}
            </Button>
          ) : null}
          {campaign.total_contacts > 0 ? add : null}
          {mayWrite ? <ImportLink id={id} text={say("campaign.import")} /> : null}
          <Downloaded
            path={`api/v1/voice-campaigns/${id}/contacts.csv`}
            name={`${campaign.name}.csv`}
            className="button is-quiet"
          >
            <Icon name="download" className="size-4 flex-none" />
            {say("campaign.download")}
          </Downloaded>
        </span>
      </div>
      <Waiting
        seen={seen}
        mainMove={main}
        add={add}
        onApprove={approve}
        isApproving={isApproving}
        onShowCalls={() => document.getElementById("live-calls")?.focus()}
      />
      <Counts counts={counts} id={id} />
      <LiveCalls seen={seen} />
      <ContactsTable campaign={campaign} />
      {shown === "run" ? <RunDialog seen={seen} onClose={close} title={runName(status)} /> : null}
      {shown === "complete" ? <CompleteDialog seen={seen} onClose={close} /> : null}
      {shown === "cancel" ? <CancelDialog seen={seen} onClose={close} /> : null}
      {shown === "retry" ? <RetryDialog seen={seen} onClose={close} /> : null}
      {shown === "add" ? <AddContactsDialog id={id} onClose={close} /> : null}
    </>
  )
}

export const CampaignPage = () => {
  const { id } = useParams({ from: "/campaigns/$id" })
  const campaign = useCampaign(id)
  const live = useLive(id)
  const counts = useCounts(id)
  const failed = [live, counts].find(({ data, error }) => data === undefined && error !== null && !isStatus(error, 401))
  if (campaign.data !== undefined)
    return (
      <>
        {failed === undefined ? null : (
          <FaultAlert fault={{ sentence: faultOfRead(failed.error), again: () => void failed.refetch() }} />
        )}
        <Whole key={id} seen={{ campaign: campaign.data, live: live.data, counts: counts.data }} />
      </>
    )
  if (campaign.error === null || isStatus(campaign.error, 401))
    return (
      <div aria-busy="true" className="grid gap-4">
        <Trail />
        <span className="skeleton h-7 w-72" />
        <span className="skeleton h-9 w-full max-w-xl" />
        <span className="skeleton h-14 rounded-lg" />
        <span className="skeleton h-24 rounded-lg" />
      </div>
    )
  return (
    <>
      <Trail />
      <Heading title={say(isStatus(campaign.error, 404) ? "campaign.gone" : "campaign.unknown")} />
      <FaultAlert
        fault={{
          sentence: isStatus(campaign.error, 404) ? say("campaign.gone-lead") : faultOfRead(campaign.error),
          again: () => void campaign.refetch()
        }}
      />
    </>
  )
}
