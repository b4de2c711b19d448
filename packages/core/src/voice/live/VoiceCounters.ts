/** What this process counts about conversations, for monitoring. Source: docs/reference/operations.md#metrics. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ReplyTimes } from "../turns/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { ConversationView } from "./LiveConversation.ts"

export const voiceStages = ["eou", "stt", "llm", "tts", "own", "total"] as const
type VoiceStage = (typeof voiceStages)[number]

export interface VoiceCounts {
  readonly active: number
  readonly endedBy: ReadonlyMap<string, number>
  readonly interruptions: number
  /** Sums of the replies to turns. */
  readonly stages: ReadonlyMap<VoiceStage, { readonly count: number; readonly seconds: number }>
}

/** One session in the counts. The first of its ends counts. */
export interface CountedSession {
  /** It is the account's from now on. False, and nothing has changed, where that has as many sessions here as it may; null for any number. */
  readonly claim: (tenantId: Ids.AccountId, max: number | null) => boolean
  readonly ended: (reason: string) => void
  /** Another process runs it from now on. */
  readonly released: () => void
}

/** The time of a reply without the silence and the models. */
const ownMs = ({ eouMs, llmMs, sttMs, totalMs, ttsMs }: ReplyTimes): number | null =>
  totalMs === null ? null : Math.max(0, totalMs - (eouMs ?? 0) - (sttMs ?? 0) - (llmMs ?? 0) - (ttsMs ?? 0))

export class VoiceCounters extends Context.Service<
  VoiceCounters,
  {
    /** Counts a session that this process carries from now on. */
    readonly begin: () => CountedSession
    /** A view that counts what it shows. */
    readonly counted: (view: ConversationView) => ConversationView
    readonly read: () => VoiceCounts
  }
>()("@trunkline/core/voice/live/VoiceCounters") {
  static readonly layer = Layer.sync(VoiceCounters, () => {
    let [active, interruptions] = [0, 0]
    const endedBy = new Map<string, number>()
    /** Active sessions of each account. */
    const ofAccounts = new Map<Ids.AccountId, number>()
    const stages = new Map<VoiceStage, { count: number; seconds: number }>()

    const add = (stage: VoiceStage, ms: number | null) => {
      if (ms === null) return
      const known = stages.get(stage) ?? { count: 0, seconds: 0 }
      stages.set(stage, { count: known.count + 1, seconds: known.seconds + ms / 1000 })
    }

    const latency = (times: ReplyTimes) => {
      add("eou", times.eouMs)
      add("stt", times.sttMs)
      add("llm", times.llmMs)
      add("tts", times.ttsMs)
      add("own", ownMs(times))
      add("total", times.totalMs)
    }

    const begin = (): CountedSession => {
      active += 1
      let isCarried = true
      let owner: Ids.AccountId | null = null
      const leave = () => {
        const wasCarried = isCarried
        isCarried = false
        if (wasCarried) active -= 1
        if (wasCarried && owner !== null) addTo(ofAccounts, owner, -1)
        return wasCarried
      }
      return {
        claim: (tenantId, max) => {
          if (max !== null && (ofAccounts.get(tenantId) ?? 0) >= max) return false
          owner = tenantId
          addTo(ofAccounts, tenantId, 1)
          return true
        },
        ended: (reason) => {
          if (leave()) endedBy.set(reason, (endedBy.get(reason) ?? 0) + 1)
        },
        released: leave
      }
    }

    return VoiceCounters.of({
      begin,
      counted: (view) => ({
        ...view,
        latency: (times) => {
          latency(times)
          view.latency(times)
        },
        interrupted: () => {
          interruptions += 1
          view.interrupted()
        }
      }),
      read: () => ({ active, endedBy, interruptions, stages })
    })
  })
}

/** A count of 0 is not kept. */
const addTo = <K>(counts: Map<K, number>, key: K, by: number): void => {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
