/** One agent: its settings, what it knows, and a chat that tries it. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import type { Bot } from "@trunkline/client"
import { useState } from "react"
import { asLeft, returning } from "../frame/Arrival.ts"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { say, sayCount } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { settings } from "../frame/Settings.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button, useWritesOff } from "../parts/Button.tsx"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { Fact } from "../parts/Fact.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { SwitchField } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { changeAtOnce } from "../parts/RowSwitch.tsx"
import { useEditor } from "./AgentEditor.ts"
import { type AgentField, agentFields, agentStatus, agentValues } from "./AgentFields.ts"
import { AgentForm, fieldLabels } from "./AgentForm.tsx"
import { KnowledgeSection } from "./KnowledgeSection.tsx"
import { useModels } from "./ModelReads.ts"
import { messageId, TestChat } from "./TestChat.tsx"

/** For those who may look, and not change. */
const Shown = ({ agent }: { readonly agent: Bot }) => {
  const values = agentValues(agent)
  const flags: ReadonlyArray<AgentField> = ["barge_in", "record_calls"]
  const short = agentFields.filter(
    (name) => !["name", "system_prompt", "more", "first_speaker", ...flags].includes(name) && values[name] !== ""
  )
  return (
    <div className="panel overflow-hidden">
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 px-5 py-4 sm:grid-cols-2 lg:grid-cols-3">
        {short.map((name) => (
          <Fact key={name} label={fieldLabels[name]}>
            {values[name]}
          </Fact>
        ))}
      </dl>
      <div className="grid gap-1 border-t border-line px-5 py-4">
        <h2 className="text-sm font-semibold text-soft">{fieldLabels.system_prompt}</h2>
        <p className="whitespace-pre-line wrap-anywhere">{values.system_prompt || "–"}</p>
      </div>
    </div>
  )
}

const OnSwitch = ({ agent: { id, is_active } }: { readonly agent: Bot }) => {
  const off = useWritesOff()
  const [chosen, setChosen] = useState<boolean | null>(null)
  return (
    <SwitchField
      label={say("agents.on")}
      hint={say("agents.on-hint")}
      off={off}
      isOn={chosen ?? is_active}
      onChange={(isOn) => {
        setChosen(isOn)
        void changeAtOnce("agents", async () => {
          const { name } = await api.bots.change(id, { is_active: isOn })
          sayResult(say(isOn ? "agents.switched-on" : "agents.switched-off", { name }))
        }).finally(() => setChosen(null))
      }}
    />
  )
}

const DeleteDialog = ({ agent: { id, name }, onClose }: { readonly agent: Bot; readonly onClose: () => void }) => {
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: ["knowledge", id, "count"],
    queryFn: async ({ signal }) => (await api.bots.listKnowledge(id, { limit: 1 }, { signal })).total ?? 0
  })
  return (
    <ConfirmDialog
      title={say("agents.delete")}
      isDanger
      onClose={onClose}
      run={async () => {
        await api.bots.remove(id)
        sayResult(say("agents.deleted", { name }))
        returning()
        await navigate({ to: "/agents" })
        queryClient.removeQueries({ queryKey: ["agent", id] })
        void readAgain("agents")
      }}
    >
      <p className="wrap-anywhere">{say("agents.delete-lead", { n: 1, name })}</p>
      <Facts
        facts={[
          data === undefined || data === 0 ? null : sayCount("agents.delete-knowledge", data),
          say("agents.delete-numbers")
        ]}
      />
    </ConfirmDialog>
  )
}

/** What may be changed of an agent, beside the chat that tries it. */
const Editing = ({ agent, isGone }: { readonly agent: Bot | null; readonly isGone: boolean }) => {
  const navigate = useNavigate()
  const models = useModels()
  const editor = useEditor(agent, async (change, values, idempotencyKey) => {
    const saved =
      agent === null
        ? await api.bots.create({ ...change, name: values.name.trim() }, { idempotencyKey })
        : await api.bots.change(agent.id, change)
    queryClient.setQueryData(["agent", saved.id], saved)
    sayResult(say("agents.saved", { name: saved.name }))
    void readAgain("agents")
    if (agent === null) await navigate({ to: "/agents/$id", params: { id: saved.id }, replace: true })
    return saved
  })
  const mayTry = settings.areas.includes("gateway")
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="grid min-w-0 grid-cols-1 gap-8">
        {isGone ? <FaultAlert fault={{ sentence: say("agents.deleted-meanwhile") }} /> : null}
        <AgentForm
          editor={editor}
          models={models}
          off={isGone ? say("agents.deleted-meanwhile") : null}
          aside={
            mayTry ? (
              <span className="ms-auto xl:hidden">
                <Button onPress={() => document.getElementById(messageId)?.focus()}>{say("trial.heading")}</Button>
              </span>
            ) : null
          }
        />
        {agent === null || isGone ? null : <KnowledgeSection agentId={agent.id} />}
      </div>
      {mayTry ? (
        <div className="min-w-0 xl:sticky xl:top-4">
          <TestChat
            agentId={agent?.id ?? null}
            change={editor.change}
            isReadable={editor.isReadable}
            model={models?.find(({ id }) => id === editor.form.values.model)}
          />
        </div>
      ) : null}
    </div>
  )
}

const Back = () => (
  <a
    href={`#${asLeft("/agents")}`}
    onClick={returning}
    className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-soft hover:text-ink"
  >
    <Icon name="back" className="size-4 flex-none" />
    {say("agents.back")}
  </a>
)

const Whole = ({ agent, isGone }: { readonly agent: Bot; readonly isGone: boolean }) => {
  const may = useMay("messaging:write")
  const [isDeleting, setDeleting] = useState(false)
  const status = agentStatus(agent)
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{agent.name}</h2>
        {may && status !== "draft" ? null : <Badge kind="agent" status={status} />}
        {may && !isGone ? (
          <span className="ms-auto flex flex-wrap items-center gap-3">
            <OnSwitch agent={agent} />
            <Button writes onPress={() => setDeleting(true)}>
              <Icon name="trash" className="size-4 flex-none" />
              {say("agents.delete")}
            </Button>
          </span>
        ) : null}
      </div>
      {may ? (
        <Editing agent={agent} isGone={isGone} />
      ) : (
        <div className="grid grid-cols-1 gap-8">
          <p className="text-soft">{say("not-available.write")}</p>
          <Shown agent={agent} />
          <KnowledgeSection agentId={agent.id} />
        </div>
      )}
      {isDeleting ? <DeleteDialog agent={agent} onClose={() => setDeleting(false)} /> : null}
    </>
  )
}

export const AgentPage = () => {
  const { id } = useParams({ from: "/agents/$id" })
  const { data, error, refetch } = useQuery({
    queryKey: ["agent", id],
    queryFn: ({ signal }) => api.bots.get(id, { signal }),
    meta: { topics: ["agents"] }
  })
  return (
    <>
      <Back />
      <Heading title={say("agents.heading")} />
      {data !== undefined ? (
        <Whole key={id} agent={data} isGone={isStatus(error, 404)} />
      ) : error !== null && !isStatus(error, 401) ? (
        <FaultAlert
          fault={{
            sentence: isStatus(error, 404) ? say("agents.gone") : faultOfRead(error),
            again: () => void refetch()
          }}
        />
      ) : (
        <div aria-busy="true" className="grid gap-4">
          <span className="skeleton block h-9 rounded-lg" />
          <span className="skeleton block h-96 rounded-lg" />
        </div>
      )}
    </>
  )
}

export const NewAgentPage = () => {
  const may = useMay("messaging:write")
  return (
    <>
      <Back />
      <Heading title={say("agents.new")} lead={say(may ? "agents.new-lead" : "not-available.write")} />
      {may ? <Editing agent={null} isGone={false} /> : null}
    </>
  )
}
