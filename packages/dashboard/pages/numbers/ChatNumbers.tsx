/** The numbers, bots and chats to which customers write: who answers there, and whether. */
import type { Bot, ConnectedNumber } from "@trunkline/client"
import { useMemo, useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button, useWritesOff } from "../parts/Button.tsx"
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { optionOf, useAgents, withChosen } from "../parts/RecordChoices.ts"
import { actionsColumn } from "../parts/RowActions.tsx"
import { changeAtOnce, RowSwitch } from "../parts/RowSwitch.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { ConnectDialog } from "./ConnectDialog.tsx"
import { NumbersSection } from "./NumbersSection.tsx"

/** What people call it: its number, or else the channel's id. */
const nameOf = ({ display_phone_number, phone_number_id }: ConnectedNumber): string =>
  display_phone_number ?? phone_number_id

interface Changed {
  readonly number: ConnectedNumber
  readonly may: boolean
}

const AgentChoice = ({ agents, may, number }: Changed & { readonly agents: ReadonlyArray<Bot> }) => {
  const away = useWritesOff()
  const [chosen, setChosen] = useState<string | null>(null)
  const name = nameOf(number)
  const present = chosen ?? number.bot_id ?? ""
  const choose = (id: string): void => {
    setChosen(id)
    void changeAtOnce("numbers", async () => {
      await api.connectedNumbers.linkBot(number.id, { bot_id: id === "" ? null : id })
      const agent = agents.find((one) => one.id === id)?.name ?? id
      sayResult(id === "" ? say("chat-numbers.unlinked", { name }) : say("chat-numbers.linked", { agent, name }))
    }).finally(() => setChosen(null))
  }
  return (
    <select
      className="input"
      aria-label={say("chat-numbers.agent-of", { name })}
      value={present}
      disabled={!may || away !== null}
      title={may ? (away ?? undefined) : say("not-available.write")}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{say("chat-numbers.no-agent")}</option>
      {withChosen(present, agents.map(optionOf)).map(({ text, value }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

const AnswersSwitch = ({ may, number }: Changed) => {
  const name = nameOf(number)
  return (
    <RowSwitch
      name={say("chat-numbers.answers-on", { name })}
      isOn={number.ai_autoreply_enabled}
      off={may ? null : say("not-available.write")}
      topic="numbers"
      run={async (ai_autoreply_enabled) => {
        await api.connectedNumbers.change(number.id, { ai_autoreply_enabled })
        sayResult(say(ai_autoreply_enabled ? "chat-numbers.on" : "chat-numbers.off", { name }))
      }}
    />
  )
}

const DisconnectDialog = ({ number, onClose }: { readonly number: ConnectedNumber; readonly onClose: () => void }) => {
  const name = nameOf(number)
  return (
    <ConfirmDialog
      title={say("chat-numbers.disconnect-named", { name })}
      isDanger
      onClose={onClose}
      run={async () => {
        await api.connectedNumbers.disconnect(number.id)
        sayResult(say("chat-numbers.disconnected", { name }))
        void readAgain("numbers")
      }}
    >
      <p>{say("chat-numbers.disconnect-lead", { n: 1, name })}</p>
    </ConfirmDialog>
  )
}

type Shown = { readonly kind: "connect" } | { readonly kind: "disconnect"; readonly number: ConnectedNumber }

interface Around {
  readonly agents: ReadonlyArray<Bot>
  readonly may: boolean
  readonly show: (shown: Shown) => void
}

const columnsOf = ({ agents, may, show }: Around): ReadonlyArray<Column<ConnectedNumber>> => [
  {
    title: say("chat-numbers.name"),
    width: "minmax(0, 1.4fr)",
    cell: (number) => (
      <span className="grid leading-5">
        <span className="truncate font-semibold" title={number.phone_number_id}>
          {nameOf(number)}
        </span>
        <span className="truncate text-xs text-soft md:hidden">{wordOf("channel", number.channel)}</span>
      </span>
    )
  },
  {
    title: say("chat-numbers.channel"),
    width: "minmax(0, 1fr)",
    room: 1,
    cell: ({ channel }) => wordOf("channel", channel)
  },
  {
    title: say("chat-numbers.agent"),
    width: "minmax(5.5rem, 1.2fr)",
    cell: (number) => <AgentChoice number={number} agents={agents} may={may} />
  },
  {
    title: say("chat-numbers.answers"),
    width: "min(8rem, 11vw)",
    cell: (number) => <AnswersSwitch number={number} may={may} />
  },
  ...(may
    ? [
        actionsColumn(1, (number: ConnectedNumber) => [
          {
            icon: "trash",
            word: say("chat-numbers.disconnect"),
            name: say("chat-numbers.disconnect-named", { name: nameOf(number) }),
            onPress: () => show({ kind: "disconnect", number })
          }
        ])
      ]
    : [])
]

export const ChatNumbers = () => {
  const may = useMay("messaging:write")
  const agents = useAgents().data
  const [shown, setShown] = useState<Shown | null>(null)
  // What the person connects stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)
  const columns = useMemo(() => columnsOf({ agents: agents ?? [], may, show: setShown }), [agents, may])
  const close = () => {
    if (shown?.kind === "connect") setBegun((nth) => nth + 1)
    setShown(null)
  }
  return (
    <NumbersSection title={say("chat-numbers.heading")} lead={say("chat-numbers.lead")}>
      <Rows
        tools={
          may ? (
            <Button writes onPress={() => setShown({ kind: "connect" })}>
              {say("chat-numbers.connect")}
            </Button>
          ) : null
        }
        label={say("chat-numbers.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["numbers", "chats", begun]}
        topics={["numbers"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) => api.connectedNumbers.list(page, { signal }).then((found) => found)}
        empty={<Empty icon="chat" title={say("chat-numbers.empty")} sentence={say("chat-numbers.empty-lead")} />}
      />
      {shown === null ? null : shown.kind === "connect" ? (
        <ConnectDialog onClose={close} />
      ) : (
        <DisconnectDialog number={shown.number} onClose={close} />
      )}
    </NumbersSection>
  )
}
