/** The moves of a campaign that people must be sure of: each dialog says in numbers what will happen. */
import type { RetryOrder } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { hourOfDay, momentIn, placeOf, say, sayCount, wordOf } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { CheckField } from "../parts/FormFields.tsx"
import type { CampaignStatus } from "./CampaignMoves.ts"
import { type Seen, waitingIn } from "./CampaignReads.ts"

/** Somebody else has moved it meanwhile: the sentence of the server, and how it stands now. */
export const move = async (seen: Seen, to: CampaignStatus, idempotencyKey: string): Promise<void> => {
  const { id, name } = seen.campaign
  try {
    const { status } = await api.campaigns.move(id, { status: to }, { idempotencyKey })
    sayResult(say("campaign.moved", { name, status: wordOf("status", status) }))
  } catch (error) {
    if (isStatus(error, 409)) {
      const now = await api.campaigns.get(id).catch(() => null)
      if (now !== null)
        error.message = say("campaign.moved-meanwhile", { detail: error.message, status: wordOf("status", now.status) })
    }
    throw error
  } finally {
    void readAgain("campaigns", `campaign:${id}`)
  }
}

/** `at most 1 at a time, from 09:00 to 21:00 in Paris`. */
const howDialed = ({ campaign }: Seen): string =>
  say("campaign.how", {
    lines: campaign.dial_mode === "parallel" ? campaign.parallel_lines : 1,
    from: hourOfDay(campaign.quiet_hours_start),
    until: hourOfDay(campaign.quiet_hours_end),
    place: placeOf(campaign.timezone)
  })

interface Given {
  readonly seen: Seen
  readonly onClose: () => void
}

export const RunDialog = ({ onClose, seen, title }: Given & { readonly title: string }) => {
  const { campaign, counts, live } = seen
  const waiting = waitingIn(seen)
  const opensAt = live?.waiting_for?.reason === "window" ? live.waiting_for.until : null
  return (
    <ConfirmDialog title={title} onClose={onClose} run={(key) => move(seen, "running", key)}>
      <p>
        {campaign.dial_mode === "preview"
          ? sayCount("campaign.run-preview", waiting)
          : sayCount("campaign.run", waiting, { how: howDialed(seen) })}
      </p>
      <Facts
        facts={[
          campaign.dial_mode === "preview" ? say("campaign.run-how", { how: howDialed(seen) }) : null,
          sayCount("campaign.run-attempts", campaign.max_attempts),
          campaign.max_calls_per_day === null ? null : sayCount("campaign.run-daily", campaign.max_calls_per_day),
          counts === undefined || counts.due === waiting ? null : sayCount("campaign.run-due", counts.due),
          opensAt === null ? null : say("campaign.run-window", { time: momentIn(opensAt, campaign.timezone) }),
          waiting === 0 ? say("campaign.run-nobody") : null
        ]}
      />
    </ConfirmDialog>
  )
}

const EndDialog = ({ onClose, seen, title, to }: Given & { readonly title: string; readonly to: CampaignStatus }) => {
  const { campaign, live } = seen
  const calling = live?.active_calls.length ?? 0
  const waiting = Math.max(0, waitingIn(seen) - calling)
  return (
    <ConfirmDialog title={title} isDanger onClose={onClose} run={(key) => move(seen, to, key)}>
      <p>{sayCount("campaign.end", waiting, { total: campaign.total_contacts })}</p>
      <Facts facts={[calling === 0 ? null : sayCount("campaign.end-calls", calling), say("campaign.end-final")]} />
    </ConfirmDialog>
  )
}

export const CompleteDialog = (given: Given) => <EndDialog {...given} title={say("campaign.complete")} to="completed" />

export const CancelDialog = (given: Given) => <EndDialog {...given} title={say("campaign.cancel")} to="cancelled" />

type Retried = NonNullable<RetryOrder["last_error"]>[number]

/** Whose number is on the do-not-call list is not called again, whatever the order. */
const never: ReadonlyArray<string> = ["do_not_call"]

export const RetryDialog = ({ onClose, seen }: Given) => {
  const { campaign, counts } = seen
  const reasons = Object.entries(counts?.by_last_error ?? {}).filter(([reason, n]) => n > 0 && !never.includes(reason))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(reasons.map(([reason]) => reason)))
  const people = reasons.reduce((sum, [reason, n]) => sum + (chosen.has(reason) ? n : 0), 0)
  const title = say("campaign.retry")
  return (
    <ConfirmDialog
      title={title}
      onClose={onClose}
      off={people === 0 ? say("campaign.retry-nobody") : null}
      run={async (idempotencyKey) => {
        const { retried } = await api.campaigns.retryContacts(
          campaign.id,
          {
            last_error: reasons.map(([reason]) => reason as Retried).filter((reason) => chosen.has(reason))
          },
          { idempotencyKey }
        )
        sayResult(sayCount("campaign.retried", retried))
        await readAgain("campaigns", `campaign:${campaign.id}`)
      }}
    >
      <p>{sayCount("campaign.retry-lead", people, { how: howDialed(seen) })}</p>
      <fieldset className="grid">
        <legend className="text-sm font-semibold text-soft">{say("campaign.retry-reasons")}</legend>
        {reasons.map(([reason, n]) => (
          <CheckField
            key={reason}
            label={say("campaign.retry-reason", { reason: wordOf("error", reason), n })}
            isOn={chosen.has(reason)}
            onChange={(isOn) =>
              setChosen(
                (present) => new Set(isOn ? [...present, reason] : [...present].filter((one) => one !== reason))
              )
            }
          />
        ))}
      </fieldset>
      <p className="text-sm text-soft">{say("campaign.retry-note")}</p>
    </ConfirmDialog>
  )
}
