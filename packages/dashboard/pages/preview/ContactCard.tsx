/** The region "Contact": who the person is, before anybody calls. */
import { Link } from "@tanstack/react-router"
import type { Call, Campaign, PreviewContact } from "@trunkline/client"
import type { ReactNode, RefObject } from "react"
import { callSentence } from "../calls/CallState.ts"
import { isOpen } from "../frame/Places.ts"
import { exactMoment, moment, placeOf, say, timeIn, wordOf } from "../frame/Say.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Icon } from "../parts/Icons.tsx"
import { useNow } from "../parts/PageClock.ts"
import { nameOf } from "./DeskState.ts"

const clockEveryMs = 10_000

const LocalTime = ({ timeZone }: { readonly timeZone: string }) => {
  const now = useNow(clockEveryMs)
  return say("preview.in-zone", { time: timeIn(now, timeZone), place: placeOf(timeZone) })
}

const Fact = ({
  children,
  isWide = false,
  label
}: {
  readonly label: string
  readonly isWide?: boolean
  readonly children: ReactNode
}) => (
  <div className={isWide ? "col-span-2 min-w-0" : "min-w-0"}>
    <dt className="text-sm text-soft">{label}</dt>
    <dd dir="auto" className="font-medium wrap-anywhere">
      {children}
    </dd>
  </div>
)

const LastCalls = ({ calls, mayOpen }: { readonly calls: ReadonlyArray<Call>; readonly mayOpen: boolean }) =>
  calls.length === 0 ? (
    <p className="text-soft">{say("preview.no-calls")}</p>
  ) : (
    <ul className="grid divide-y divide-line">
      {calls.map((call) => (
        <li key={call.id} className="grid gap-x-3 py-1.5 sm:grid-cols-[11rem_1fr]">
          {mayOpen ? (
            <Link
              to="/calls/$id"
              params={{ id: call.id }}
              className="text-link inline-block min-h-6 justify-self-start"
              title={exactMoment(call.created_at)}
            >
              {moment(call.created_at)}
            </Link>
          ) : (
            <span title={exactMoment(call.created_at)}>{moment(call.created_at)}</span>
          )}
          <span className="min-w-0 wrap-anywhere">
            {callSentence(call)}
            {call.outcome === null ? null : (
              <span className="text-soft">
                {" · "}
                {call.outcome.outcome}
                {call.outcome.note === null ? "" : `: ${call.outcome.note}`}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )

/** Fields that the import has brought along, by the names of its columns. */
const Custom = ({ custom }: { readonly custom: Readonly<Record<string, string>> }) =>
  Object.entries(custom).map(([name, value]) => (
    <Fact key={name} label={name}>
      {value}
    </Fact>
  ))

const Person = ({
  campaign,
  isCalled,
  shown
}: {
  readonly campaign: Campaign | undefined
  readonly isCalled: boolean
  readonly shown: PreviewContact
}) => {
  const me = useMe()
  const { calls, contact, conversation_id, crm } = shown
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 px-5 py-4 sm:grid-cols-3">
        {campaign === undefined ? null : (
          <>
            <Fact label={say("preview.local-time")}>
              <LocalTime timeZone={campaign.timezone} />
            </Fact>
            <Fact label={say("preview.attempts")}>
              {say("preview.attempts-of", { n: contact.attempts + (isCalled ? 1 : 0), m: campaign.max_attempts })}
            </Fact>
          </>
        )}
        {contact.last_error === null ? null : (
          <Fact label={say("preview.last-error")}>{wordOf("error", contact.last_error)}</Fact>
        )}
        {crm?.email == null ? null : (
          <Fact isWide label={say("preview.email")}>
            {crm.email}
          </Fact>
        )}
        {crm === null || crm.tags.length === 0 ? null : <Fact label={say("preview.tags")}>{crm.tags.join(", ")}</Fact>}
        {crm === null ? null : <Custom custom={crm.custom} />}
        {conversation_id === null || !isOpen("inbox", me) ? null : (
          <Fact label={say("preview.chat")}>
            <a href={`#/inbox/${conversation_id}`} className="text-link inline-flex min-h-6 items-center gap-1">
              <Icon name="chat" className="size-4 flex-none" />
              {say("preview.open-chat")}
            </a>
          </Fact>
        )}
      </dl>
      <div className="grid gap-1 border-t border-line px-5 py-4">
        <h3 className="text-sm font-semibold text-soft">{say("preview.notes")}</h3>
        <p dir="auto" className="max-h-48 overflow-y-auto whitespace-pre-line wrap-anywhere">
          {crm?.notes ?? <span className="text-soft">{say("preview.no-notes")}</span>}
        </p>
      </div>
      <div className="grid gap-1 border-t border-line px-5 py-4">
        <h3 className="text-sm font-semibold text-soft">{say("preview.last-calls")}</h3>
        <LastCalls calls={calls} mayOpen={isOpen("calls", me)} />
      </div>
    </>
  )
}

interface Given {
  readonly shown: PreviewContact | null
  readonly campaign: Campaign | undefined
  /** The call that this person has approved has begun: it is an attempt, and the row was read before it. */
  readonly isCalled: boolean
  /** Nobody is left on the list. */
  readonly isOver: boolean
  readonly headingRef: RefObject<HTMLHeadingElement | null>
  /** What is said about the hold and the list, and the buttons. */
  readonly children: ReactNode
}

export const ContactCard = ({ campaign, children, headingRef, isCalled, isOver, shown }: Given) => {
  return (
    <section aria-label={say("preview.contact")} className="panel min-w-0 overflow-hidden">
      <div className="grid gap-3 px-5 py-4">
        <h2 ref={headingRef} tabIndex={-1} dir="auto" className="text-xl font-semibold wrap-anywhere">
          {shown === null
            ? say(isOver ? "preview.nobody" : "preview.none")
            : (nameOf(shown) ?? <span className="text-soft">{say("preview.unnamed")}</span>)}
        </h2>
        {shown === null ? (
          <p className="max-w-xl text-soft">{say(isOver ? "preview.nobody-lead" : "preview.none-lead")}</p>
        ) : (
          <dl className="-mt-2 flex flex-wrap gap-x-5 text-lg">
            <dt className="sr-only">{say("preview.number")}</dt>
            <dd className="tabular-nums wrap-anywhere">{shown.contact.phone}</dd>
            <dt className="sr-only">{say("preview.company")}</dt>
            <dd dir="auto" className="text-soft wrap-anywhere">
              {shown.crm?.company ?? ""}
            </dd>
          </dl>
        )}
        {children}
      </div>
      {shown === null ? null : (
        <div className="border-t border-line">
          <Person key={shown.contact.id} campaign={campaign} shown={shown} isCalled={isCalled} />
        </div>
      )}
    </section>
  )
}
