/** A status by its word, its shape and its colour. */
import { wordOf } from "../frame/Say.ts"
import { Icon, type IconName } from "./Icons.tsx"

type Tone = "calm" | "good" | "warn" | "bad" | "live"

const looks: Readonly<Record<string, readonly [tone: Tone, icon: IconName]>> = {
  draft: ["calm", "draft"],
  scheduled: ["calm", "clock"],
  running: ["live", "play"],
  paused: ["warn", "pause"],
  insufficient_balance: ["bad", "warning"],
  completed: ["good", "check"],
  cancelled: ["calm", "cross"],
  pending: ["calm", "clock"],
  approved: ["live", "check"],
  calling: ["live", "phone"],
  done: ["good", "check"],
  failed: ["bad", "cross"],
  queued: ["calm", "clock"],
  dialing: ["live", "circle"],
  ringing: ["live", "phone"],
  in_progress: ["good", "phone"],
  invited: ["calm", "clock"],
  active: ["good", "check"],
  expired: ["warn", "clock"],
  revoked: ["calm", "cross"],
  busy: ["warn", "pause"],
  no_answer: ["calm", "clock"],
  canceled: ["calm", "cross"],
  delivered: ["good", "check"],
  blocked: ["bad", "cross"],
  failing: ["bad", "warning"],
  firing: ["bad", "warning"],
  off: ["calm", "pause"],
  watching: ["good", "check"],
  step_done: ["good", "check"],
  step_open: ["calm", "circle"]
}

export const Badge = ({ kind, status }: { kind: string; status: string }) => {
  const [tone, icon] = looks[status] ?? (["calm", "circle"] as const)
  return (
    <span className={`badge is-${tone}`}>
      <Icon name={icon} className="" />
      {wordOf(kind, status)}
    </span>
  )
}
