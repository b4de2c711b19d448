/** The people of the account who sign in here: who they are, what they may do, and how they come in. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { Member } from "@trunkline/client"
import { useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import { fault, sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay, useMe } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button, useWritesOff } from "../parts/Button.tsx"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { Empty } from "../parts/Empty.tsx"
import { SearchBox } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useIsNarrow } from "../parts/Narrow.ts"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"
import { nothing } from "../parts/Who.tsx"
import { InvitationLink, InviteDialog, type NewLink } from "./InviteDialog.tsx"
import { mayChange, rolesFor } from "./MemberChoices.ts"

type Asked = { readonly what: "invite" } | { readonly what: "remove"; readonly member: Member }

const changeRole = (member: Member, role: Member["role"]): void => {
  api.members
    .change(member.id, { role })
    .then(
      () => sayResult(say("members.role-saved", { who: member.email, role: wordOf("role", role) })),
      (error: unknown) => fault.set(faultOfWrite(error, () => changeRole(member, role)))
    )
    .finally(() => void readAgain("members"))
}

const RoleOf = ({ member }: { readonly member: Member }) => {
  const me = useMe()
  const away = useWritesOff()
  const mayManage = useMay("members:manage")
  if (!mayManage || !mayChange(me.role, member)) return <>{wordOf("role", member.role)}</>
  return (
    <select
      className="input w-full"
      aria-label={say("members.role-of", { who: member.email })}
      value={member.role}
      disabled={away !== null}
      onChange={({ target }) => changeRole(member, target.value as Member["role"])}
    >
      {rolesFor(me.role).map((role) => (
        <option key={role} value={role}>
          {wordOf("role", role)}
        </option>
      ))}
    </select>
  )
}

export const MembersPage = () => {
  const me = useMe()
  const { q = "" } = useSearch({ from: "/members" })
  const navigate = useNavigate()
  const isNarrow = useIsNarrow()
  const mayManage = useMay("members:manage")
  const [typed, setTyped] = useTyped(
    q,
    (text) => void navigate({ to: "/members", search: text === "" ? {} : { q: text }, replace: true })
  )
  const [asked, setAsked] = useState<Asked | null>(null)
  const [shown, setShown] = useState<NewLink | null>(null)
  // Whom the person invites stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)

  const link = (member: Member): void => {
    api.members.link(member.id).then(
      ({ expires_at, purpose, url }) => setShown({ email: member.email, url, expiresAt: expires_at, purpose }),
      (error: unknown) => fault.set(faultOfWrite(error, () => link(member)))
    )
  }

  const columns: ReadonlyArray<Column<Member>> = [
    {
      title: say("members.person"),
      width: "minmax(0, 2fr)",
      cell: ({ email, id, name }) => (
        <span className="grid leading-5">
          <span dir="auto" className="truncate font-semibold" title={name ?? email}>
            {name ?? email}
            {id === me.subject ? <span className="badge ms-2">{say("members.you")}</span> : null}
          </span>
          {name === null ? null : (
            <span className="truncate text-xs text-soft" title={email}>
              {email}
            </span>
          )}
        </span>
      )
    },
    { title: say("members.role"), width: isNarrow ? "7rem" : "8.5rem", cell: (member) => <RoleOf member={member} /> },
    {
      title: say("members.status"),
      width: "7rem",
      room: 1,
      cell: ({ status }) => <Badge kind="member" status={status} />
    },
    {
      title: say("members.last-seen"),
      width: "11rem",
      room: 2,
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? nothing : <span title={exactMoment(last_seen_at)}>{moment(last_seen_at)}</span>
    },
    ...(mayManage
      ? [
          {
            title: say("members.moves"),
            width: isNarrow ? "4.5rem" : "11.5rem",
            cell: (member: Member) =>
              mayChange(me.role, member) ? (
                <span className="flex justify-end gap-1.5">
                  <Button
                    isSmall
                    writes
                    aria-label={say("members.new-link-for", { who: member.email })}
                    onPress={() => link(member)}
                  >
                    {isNarrow ? <Icon name="link" className="size-4" /> : say("members.new-link")}
                  </Button>
                  <Button
                    isSmall
                    writes
                    aria-label={say("members.remove-who", { who: member.email })}
                    onPress={() => setAsked({ what: "remove", member })}
                  >
                    {isNarrow ? <Icon name="cross" className="size-4" /> : say("members.remove")}
                  </Button>
                </span>
              ) : null
          }
        ]
      : [])
  ]

  return (
    <>
      <Heading
        title={say("members.heading")}
        actions={
          mayManage ? (
            <Button look="primary" writes onPress={() => setAsked({ what: "invite" })}>
              <Icon name="plus" className="size-4 flex-none" />
              {say("members.invite")}
            </Button>
          ) : undefined
        }
      />
      <Rows
        label={say("members.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["members", q, begun]}
        topics={["members"]}
        pageSize={50}
        isNewestFirst
        read={(page, signal) =>
          api.members.list({ ...page, q: q === "" ? undefined : q }, { signal }).then((found) => found)
        }
        tools={<SearchBox label={say("members.search")} value={typed} onChange={setTyped} />}
        empty={
          <Empty
            icon="people"
            title={say("list.nothing-found")}
            sentence={say(q === "" ? "members.empty" : "members.nothing-found")}
          >
            {q === "" ? null : <Button onPress={() => setTyped("")}>{say("list.clear")}</Button>}
          </Empty>
        }
      />
      {asked?.what === "invite" ? (
        <InviteDialog
          onClose={() => setAsked(null)}
          onInvited={(made) => {
            setAsked(null)
            setShown(made)
            setBegun((nth) => nth + 1)
          }}
        />
      ) : asked?.what === "remove" ? (
        <ConfirmDialog
          title={say("members.remove-who", { who: asked.member.email })}
          isDanger
          onClose={() => setAsked(null)}
          run={async () => {
            await api.members.remove(asked.member.id)
            sayResult(say("members.removed", { who: asked.member.email }))
            await readAgain("members")
          }}
        >
          <Facts
            facts={[
              say("members.remove-access"),
              asked.member.status === "active" ? say("members.remove-sessions") : say("members.remove-link"),
              say("members.remove-traces")
            ]}
          />
        </ConfirmDialog>
      ) : null}
      {shown === null ? null : <InvitationLink made={shown} onClose={() => setShown(null)} />}
    </>
  )
}
