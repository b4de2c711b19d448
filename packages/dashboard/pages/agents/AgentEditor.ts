/** The form of one agent: what is typed outlives a reload, and somebody else's change of the same agent. */
import { ApiError, type Bot, type BotChange } from "@trunkline/client"
import { useEffect, useRef, useState } from "react"
import { queryClient } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { dropDraft, keepDraft, readDraft } from "../parts/Drafts.ts"
import { FieldFaults, type Form, missing, useForm } from "../parts/FormBox.tsx"
import {
  type AgentField,
  type AgentValues,
  agentChange,
  agentFields,
  agentValues,
  fieldOfFault,
  misplaced,
  moreSettings,
  rebased
} from "./AgentFields.ts"

type Some = Readonly<Partial<Record<AgentField, string>>>

/** What the typed text is a change of. */
interface Ground {
  readonly base: AgentValues
  /** When the base was saved. */
  readonly at: string
  /** What somebody else has saved in fields that have been changed here, too. */
  readonly theirs: Some
}

/** A person who presses the button in the moment in which something appears has not seen it. */
const readMs = 1000

const groundOf = (agent: Bot | null): Ground => ({ base: agentValues(agent), at: agent?.updated_at ?? "", theirs: {} })

/** What the page itself sees to be wrong. */
const checked = (values: AgentValues): Some => {
  const others = moreSettings(values.more)
  const names = others === null ? [] : misplaced(others)
  return {
    ...missing(values, "name"),
    ...(others === null
      ? { more: say("agents.more-wrong") }
      : names.length > 0
        ? { more: say("agents.more-misplaced", { names: names.join(", ") }) }
        : {})
  }
}

/** The faults of an answer at their fields. */
const faultsAt = (error: unknown): FieldFaults | null => {
  if (!(error instanceof ApiError) || error.status !== 422) return null
  const faults: Partial<Record<AgentField, string>> = {}
  for (const { message, path } of error.fields) {
    const found = fieldOfFault(path)
    if (found !== null) faults[found.field] ??= found.at === "" ? message : `${found.at}: ${message}`
  }
  return Object.keys(faults).length === 0 ? null : new FieldFaults(faults)
}

export interface Editor {
  readonly form: Form<AgentField>
  readonly isDirty: boolean
  /** What would be sent: only what differs. */
  readonly change: BotChange
  /** Whether the change can be sent: its JSON can be read. */
  readonly isReadable: boolean
  /** Fields that somebody else has changed meanwhile, and that show it. */
  readonly adopted: ReadonlyArray<AgentField>
  readonly theirs: Some
  readonly take: (name: AgentField) => void
  readonly discard: () => void
}

export const useEditor = (
  agent: Bot | null,
  save: (change: BotChange, values: AgentValues, idempotencyKey: string) => Promise<Bot>
): Editor => {
  const draft = agent === null ? "agent" : `agent ${agent.id}`
  const groundDraft = `${draft} ground`
  const [ground, setGround] = useState<Ground>(() => ({ ...groundOf(agent), ...readDraft<Ground>(groundDraft) }))
  const [adopted, setAdopted] = useState<ReadonlyArray<AgentField>>([])
  /** Since when people can have read what somebody else has saved. */
  const shownAt = useRef(0)

  /** Puts what is typed onto what has been saved since. */
  const standOn = (present: Bot, mine: AgentValues, set: (name: AgentField, value: string) => void): void => {
    if (present.updated_at <= ground.at) return
    const base = agentValues(present)
    const found = rebased(ground.base, mine, base)
    for (const name of found.adopted) set(name, base[name])
    const contested = Object.fromEntries(found.contested.map((name) => [name, base[name]]))
    setGround({ base, at: present.updated_at, theirs: { ...ground.theirs, ...contested } })
    if (found.adopted.length > 0) setAdopted((before) => [...new Set([...before, ...found.adopted])])
    if (found.contested.length > 0) shownAt.current = Date.now()
  }

  const form: Form<AgentField> = useForm<AgentField>({
    initial: agentValues(agent),
    draft,
    check: checked,
    submit: async (values, idempotencyKey) => {
      let stored = agent
      if (agent !== null) {
        // Somebody may have saved it in this very moment: what they wrote is seen before it is replaced.
        stored = await api.bots.get(agent.id)
        standOn(stored, values, form.set)
        queryClient.setQueryData(["agent", agent.id], stored)
        if (Date.now() - shownAt.current < readMs) {
          const { contested } = rebased(ground.base, values, agentValues(stored))
          shownAt.current = 0
          const unread = [...Object.keys(ground.theirs), ...contested]
          throw new FieldFaults(Object.fromEntries(unread.map((name) => [name, say("agents.look-first")])))
        }
      }
      try {
        const base = stored === null ? ground.base : agentValues(stored)
        const { adopted: others } = rebased(ground.base, values, base)
        const mine = { ...values, ...Object.fromEntries(others.map((name) => [name, base[name]])) } as AgentValues
        const saved = await save(agentChange(stored?.config ?? {}, base, mine), values, idempotencyKey)
        setGround(groundOf(saved))
        setAdopted([])
        const shown = agentValues(saved)
        for (const name of agentFields) if (shown[name] !== values[name]) form.set(name, shown[name])
        dropDraft(groundDraft)
      } catch (error) {
        throw faultsAt(error) ?? error
      }
    }
  })
  const { isBusy, set, values } = form

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another agent on the server, and the end of saving, matter.
  useEffect(() => {
    if (agent !== null && !isBusy) standOn(agent, values, set)
  }, [agent, isBusy])

  const isDirty = agentFields.some((name) => values[name] !== ground.base[name])
  useEffect(() => {
    if (isDirty) keepDraft(groundDraft, ground)
    else {
      dropDraft(groundDraft)
      dropDraft(draft)
    }
  }, [isDirty, ground, groundDraft, draft])

  const without = (theirs: Some, name: AgentField): Some => {
    const { [name]: _, ...others } = theirs
    return others
  }

  return {
    form,
    isDirty,
    adopted,
    theirs: ground.theirs,
    change: agentChange(agent?.config ?? {}, ground.base, values),
    isReadable: moreSettings(values.more) !== null,
    take: (name) => {
      set(name, ground.theirs[name] ?? "")
      setGround({ ...ground, theirs: without(ground.theirs, name) })
    },
    discard: () => {
      for (const name of agentFields) set(name, ground.base[name])
      setGround({ ...ground, theirs: {} })
      setAdopted([])
    }
  }
}
