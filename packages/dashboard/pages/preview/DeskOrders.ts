/** The desk of one person and one campaign: its orders, each done once however often it is sent, and what a reload must not lose. */
import type { ApiError, CampaignLive, Me } from "@trunkline/client"
import { useEffect, useRef, useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import { type Fault, sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say, wordOf } from "../frame/Say.ts"
import { api, isStatus, isUnknown, newKey } from "../frame/ServerRequests.ts"
import { settings } from "../frame/Settings.ts"
import { useMay, useMe } from "../frame/SignedInPerson.ts"
import { keepDraft, readDraft } from "../parts/Drafts.ts"
import {
  awaitsCall,
  type Desk,
  emptyDesk,
  isUnsaved,
  type Noted,
  nameOf,
  nextToStore,
  type Standing,
  standingOf,
  withCalls,
  withNext,
  withoutShown,
  withStored
} from "./DeskState.ts"
import { contactNow, readCampaignAgain, useNewestCalls, useOwnCall } from "./PreviewReads.ts"

type Order = "call" | "next" | "note" | "skip"

const holdMs = settings.preview_hold_seconds * 1000
/** A hold is renewed once this part of it has passed, where somebody has moved since. */
const renewAfterMs = holdMs * 0.6
const lookEveryMs = Math.min(5000, holdMs / 8)

const sentenceOf = (standing: Standing): string | null => {
  switch (standing.tag) {
    case "held":
      return say("preview.held-by", { who: standing.who })
    case "gone":
      return say("preview.gone", { status: wordOf("contact", standing.status) })
    case "removed":
      return say("preview.removed")
    default:
      return null
  }
}

const signs = ["keydown", "pointerdown", "pointermove", "wheel"] as const

/** When somebody at the page has moved last. */
const useActivity = () => {
  const at = useRef(0)
  useEffect(() => {
    const note = () => {
      at.current = Date.now()
    }
    for (const sign of signs) window.addEventListener(sign, note, { passive: true })
    return () => {
      for (const sign of signs) window.removeEventListener(sign, note)
    }
  }, [])
  return at
}

/** The desk's name among what is kept: each person has one for each campaign. */
const draftOf = (me: Me, campaignId: string): string => `preview ${me.account.id} ${me.subject} ${campaignId}`

/** The person goes to another campaign: nobody has to wait for the contact of this one. */
export const leaveDesk = (me: Me, campaignId: string): void => {
  const { shown, step } = readDraft<Desk>(draftOf(me, campaignId))
  if (step === "waiting" && shown != null) api.preview.release(campaignId, shown.contact.id).catch(() => {})
}

/** What is on the desk, which outlives a reload in this tab. */
const useKeptDesk = (name: string) => {
  const [desk, setDesk] = useState<Desk>(() => ({ ...emptyDesk, ...readDraft<Desk>(name) }))
  const present = useRef(desk)
  const change = (next: Desk): void => {
    if (next === present.current) return
    present.current = next
    setDesk(next)
    keepDraft(name, next)
  }
  return { desk, present, change }
}

export const useDesk = (campaignId: string, live: CampaignLive | undefined, liveAt: number) => {
  const me = useMe()
  const mayReadCalls = useMay("calls:read")
  const { change, desk, present } = useKeptDesk(draftOf(me, campaignId))
  const [busy, setBusy] = useState<Order | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const [outcomeFault, setOutcomeFault] = useState<string | null>(null)
  /** Why the contact cannot be worked with any more; null where it can. */
  const [lost, setLost] = useState<string | null>(null)
  /** Counts what puts the focus into the work area. */
  const [shownTimes, setShownTimes] = useState(0)
  const [heldFrom, setHeldFrom] = useState<number | null>(null)
  const running = useRef(false)
  const renewing = useRef(false)
  /** Made when an order is first sent, and kept until there is an answer. */
  const keys = useRef(new Map<string, string>())
  const activeAt = useActivity()

  const newest = useNewestCalls(campaignId, mayReadCalls && awaitsCall(desk))
  const ownId = mayReadCalls && desk.step === "approved" ? desk.callId : null
  const call = useOwnCall(ownId, newest.data, newest.dataUpdatedAt)

  /** How the contact stands now, after the server has refused something or has shown that it has changed. */
  const lookUp = async (): Promise<Standing> => {
    const { shown } = present.current
    if (shown === null) return { tag: "free" }
    const standing = standingOf(await contactNow(campaignId, shown.contact), me.subject)
    if (present.current.shown !== shown || present.current.step !== "waiting") return { tag: "free" }
    if (standing.tag === "own") change({ ...present.current, step: "approved" })
    setLost(sentenceOf(standing))
    return standing
  }

  /** Something has changed meanwhile: the contact, or else the campaign. */
  const refused = async (order: Order, error: ApiError): Promise<void> => {
    if (order !== "next" && (await lookUp()).tag !== "free") return
    readCampaignAgain(campaignId)
    setFault(faultOfWrite(error, () => {}))
  }

  /** Runs one order at a time, and then what follows it: also where it was done at the second attempt. */
  const run = async (order: Order, work: (key: string) => Promise<void>, follow?: () => void): Promise<void> => {
    if (running.current) return
    running.current = true
    setBusy(order)
    setFault(null)
    const name = `${order} ${present.current.shown?.contact.id}`
    const key = keys.current.get(name) ?? newKey()
    keys.current.set(name, key)
    const again = () => void run(order, work, follow)
    let isDone = false
    try {
      await work(key)
      keys.current.delete(name)
      isDone = true
    } catch (error) {
      if (!isUnknown(error)) keys.current.delete(name)
      const shown = (cause: unknown) => setFault(faultOfWrite(cause, again))
      if (isStatus(error, 409)) await refused(order, error).catch(shown)
      else shown(error)
    } finally {
      running.current = false
      setBusy(null)
    }
    if (isDone) follow?.()
  }

  const take = async (key: string): Promise<void> => {
    const shown = (await api.preview.next(campaignId, { idempotencyKey: key })) ?? null
    setOutcomeFault(null)
    setLost(null)
    setHeldFrom(shown === null ? null : Date.now())
    change(withNext(present.current, shown))
    setShownTimes((times) => times + 1)
  }

  const store = async (callId: string, { note, outcome }: Pick<Noted, "note" | "outcome">): Promise<void> => {
    const text = note.trim()
    await api.calls.note(callId, { outcome, note: text === "" ? null : text })
    change(withStored(present.current, callId, { note, outcome }))
    sayResult(say("outcome.saved", { outcome }))
    void readAgain(`call:${callId}`)
  }

  /** Says what is missing; true where nothing is. */
  const isComplete = (): boolean => {
    if (present.current.outcome !== "") return true
    setOutcomeFault(say(present.current.note.trim() === "" ? "outcome.choose" : "outcome.choose-for-note"))
    return false
  }

  const storePresent = async (): Promise<void> => {
    const { callId } = present.current
    if (callId !== null) await store(callId, present.current)
  }

  const save = (): void => {
    if (isComplete()) void run("note", storePresent)
  }

  /** What was noted of the call is stored first, or once there is one. */
  const next = (): void => {
    const isLeft = present.current.step === "approved" && isUnsaved(present.current)
    if (isLeft && !isComplete()) return
    void run("next", async (key) => {
      if (isLeft && isUnsaved(present.current)) await storePresent()
      await take(key)
    })
  }

  const approve = (): void =>
    void run("call", async (key) => {
      const { shown } = present.current
      if (shown === null) return
      await api.campaigns.approve(campaignId, shown.contact.id, { idempotencyKey: key })
      setHeldFrom(null)
      change({ ...present.current, step: "approved" })
      void readAgain(`campaign:${campaignId}`)
    })

  const skip = (): void => {
    const work = async (key: string): Promise<void> => {
      const { shown } = present.current
      if (shown === null) return
      await api.preview.skip(campaignId, shown.contact.id, {}, { idempotencyKey: key })
      sayResult(say("preview.skipped", { who: nameOf(shown) ?? shown.contact.phone }))
      change(withoutShown(present.current))
    }
    void run("skip", work, () => void run("next", take))
  }

  /** Holds the contact anew. Where the server is away, the page says so elsewhere. */
  const renew = (): void => {
    const { shown, step } = present.current
    if (renewing.current || shown === null || step !== "waiting") return
    renewing.current = true
    api.preview
      .hold(campaignId, shown.contact.id)
      .then(
        (held) => {
          if (present.current.step !== "waiting" || present.current.shown?.contact.id !== held.contact.id) return
          setLost(null)
          setHeldFrom(Date.now())
          change({ ...present.current, shown: held })
        },
        async (error: unknown) => {
          if (isStatus(error, 409) && (await lookUp()).tag === "free") readCampaignAgain(campaignId)
        }
      )
      .catch(() => {})
      .finally(() => {
        renewing.current = false
      })
  }

  /** Nobody calls this number any more; before its call the contact is over, too. */
  const suppress = async (reason: string, idempotencyKey: string): Promise<void> => {
    const { shown, step } = present.current
    if (shown === null) return
    const { id, phone } = shown.contact
    const text = reason.trim() === "" ? null : reason.trim()
    if (step === "waiting") {
      await api.preview
        .skip(campaignId, id, { do_not_call: true, reason: text }, { idempotencyKey })
        .catch(async (error: unknown) => {
          if (isStatus(error, 409)) await lookUp()
          throw error
        })
      change(withoutShown(present.current))
      void run("next", take)
    } else {
      await api.suppression.add({ entries: [{ phone, reason: text }] }, { idempotencyKey })
      change({ ...present.current, shown: { ...shown, suppressed: true } })
    }
    sayResult(say("preview.dnc-done", { phone }))
  }

  // A hold is renewed for who is there: a desk that was left is free for others after its time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the orders are those of the present.
  useEffect(() => {
    if (desk.step !== "waiting" || lost !== null) return
    const timer = setInterval(() => {
      const isDue = heldFrom === null || Date.now() - heldFrom > renewAfterMs
      if (isDue && activeAt.current > (heldFrom ?? 0) && !document.hidden) renew()
    }, lookEveryMs)
    return () => clearInterval(timer)
  }, [desk.step, heldFrom, lost])

  // After a reload the contact is held anew: its time may have passed meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => {
    renew()
  }, [])

  const entry = live?.awaiting_approval.find(({ contact_id }) => contact_id === desk.shown?.contact.id)
  const isWhole = live !== undefined && live.awaiting_approval_total <= live.awaiting_approval.length
  const isElsewhere = entry === undefined ? isWhole : entry.held_by !== null && entry.held_by.subject !== me.subject
  // The campaign was read before the contact was taken, or without it: its row says how it stands.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reading of the campaign is looked at once.
  useEffect(() => {
    const isNewer = heldFrom !== null && liveAt > heldFrom
    if (desk.step === "waiting" && isElsewhere && isNewer && !running.current) lookUp().catch(() => {})
  }, [liveAt])

  // A call may have been read before its approval was known here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reading, and each approval, is looked at once.
  useEffect(() => {
    if (newest.data !== undefined) change(withCalls(present.current, newest.data))
  }, [newest.dataUpdatedAt, desk.step])

  const waiting = nextToStore(desk)
  const waitingId = waiting?.callId ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each is stored once; what fails is tried again by the person.
  useEffect(() => {
    if (waiting === null) return
    const keep = (): void =>
      void store(waiting.callId, waiting).catch((error: unknown) => setFault(faultOfWrite(error, keep)))
    keep()
  }, [waitingId])

  return {
    desk,
    call: call.data,
    mayReadCalls,
    busy,
    fault,
    lost,
    outcomeFault,
    shownTimes,
    heldUntil: heldFrom === null ? null : heldFrom + holdMs,
    setOutcome: (outcome: string) => {
      setOutcomeFault(null)
      change({ ...present.current, outcome, isStored: false })
    },
    setNote: (note: string) => change({ ...present.current, note, isStored: false }),
    next,
    approve,
    skip,
    renew,
    save,
    suppress
  }
}

export type DeskOrders = ReturnType<typeof useDesk>
