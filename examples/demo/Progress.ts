/** A bar for each campaign, and what it is doing or waiting for at this moment; one for the events that the endpoint has. */
import type { Trunkline } from "@trunkline/core"
import { MultiBar, Presets, type SingleBar } from "cli-progress"

const refreshMs = 150

interface Counts {
  readonly sent: number
  readonly verified: number
}

interface Named {
  readonly id: string
  readonly name: string
}

const clockOf = (at: number): string => new Date(at + 5.5 * 3_600_000).toISOString().slice(11, 16)

type Waiting = NonNullable<Awaited<ReturnType<Trunkline["campaigns"]["live"]>>["waitingFor"]>

/** As the beginning of a sentence that may end with a time. Later releases may have further reasons. */
const waits: Readonly<Partial<Record<Waiting["reason"], string>>> = {
  not_running: "not running",
  account: "waiting for its account",
  credits: "waiting for credits",
  provider: "waiting for the carrier",
  window: "waiting for its calling hours",
  approval: "waiting for approval",
  lines: "waiting for a free line",
  pace: "waiting for its pace",
  nothing_due: "nothing is due"
}

/** What a campaign waits for, as people read it. */
export const waitingText = ({ reason, until }: Waiting): string =>
  `${waits[reason] ?? `waiting (${reason})`}${until === null ? "" : ` until ${clockOf(until)}`}`

/** Deliveries that are not made by then are shown as missing. */
const maxTailMs = 10_000

export class Progress {
  readonly #core: Trunkline
  readonly #accountId: string
  readonly #campaigns: ReadonlyArray<Named>
  readonly #counts: () => Counts
  readonly #bars = new MultiBar(
    {
      format: "  {name} {bar} {value}/{total}  {doing}",
      hideCursor: true,
      linewrap: false,
      noTTYOutput: true,
      notTTYSchedule: 5000,
      barsize: 28
    },
    Presets.shades_classic
  )

  constructor(core: Trunkline, accountId: string, campaigns: ReadonlyArray<Named>, counts: () => Counts) {
    this.#core = core
    this.#accountId = accountId
    this.#campaigns = campaigns
    this.#counts = counts
  }

  /** Shows a line above the bars. */
  log(line: string): void {
    this.#bars.log(`${line}\n`)
  }

  /** Shows the campaigns until each of them has completed and its events have arrived. */
  async untilDone(): Promise<void> {
    const bars = this.#bars
    const shown = new Map<string, SingleBar>()
    let tailMs = 0
    try {
      for (;;) {
        let running = 0
        for (const { id, name } of this.#campaigns) {
          const live = await this.#core.campaigns.live(this.#accountId, id)
          const { completedContacts, failedContacts, status, totalContacts } = await this.#core.campaigns.get(
            this.#accountId,
            id
          )
          const bar = shown.get(id) ?? bars.create(totalContacts, 0, { name: name.padEnd(9), doing: "" })
          shown.set(id, bar)
          bar.update(completedContacts + failedContacts, { name: name.padEnd(9), doing: this.#doing(live) })
          if (status === "running") running += 1
        }
        const { verified, ...counts } = this.#counts()
        // What has been verified has been sent: this process may hear of it a moment later.
        const sent = Math.max(counts.sent, verified)
        const events = shown.get("events") ?? bars.create(sent, 0)
        shown.set("events", events)
        events.setTotal(sent)
        events.update(verified, { name: "Events".padEnd(9), doing: "signed, sent and verified" })
        if (running === 0 && (verified >= sent || tailMs >= maxTailMs)) return
        if (running === 0) tailMs += refreshMs
        await new Promise((resolve) => setTimeout(resolve, refreshMs))
      }
    } finally {
      bars.update()
      bars.stop()
    }
  }

  #doing({ activeCalls, status, waitingFor }: Awaited<ReturnType<Trunkline["campaigns"]["live"]>>): string {
    if (status !== "running") return status
    if (activeCalls.length > 0) {
      return activeCalls
        .map(
          ({ isWinner, name, phone, status }) =>
            `${name ?? phone.trim()}: ${status.replace("_", " ")}${isWinner ? " *" : ""}`
        )
        .join(", ")
    }
    if (waitingFor === null) return "dialing"
    return waitingText(waitingFor)
  }
}
