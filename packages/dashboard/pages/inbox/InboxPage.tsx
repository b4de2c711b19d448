/** The inbox: what customers have written, and who answers. */
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useLayoutEffect, useMemo, useRef } from "react"
import { say } from "../frame/Say.ts"
import { Button } from "../parts/Button.tsx"
import { Empty } from "../parts/Empty.tsx"
import { FilterSelect, SearchBox } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { useIsNarrow } from "../parts/Narrow.ts"
import { useTyped } from "../parts/Typed.ts"
import { ConversationList, type InboxFilter, type Shown } from "./ConversationList.tsx"
import { ConversationPane } from "./ConversationPane.tsx"

const shown = ["needs_person", "unread", "me", "none"] as const satisfies ReadonlyArray<Shown>

/** What was opened takes the focus, and on the way back the link that had opened it. */
const useFocus = (id: string | undefined, isNarrow: boolean) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const isAwaited = useRef(false)
  const before = useRef(id)
  useEffect(() => {
    const from = before.current
    before.current = id
    if (from === id) return
    isAwaited.current = id !== undefined
    if (id !== undefined) heading.current?.focus({ preventScroll: true })
    else if (isNarrow && from !== undefined)
      requestAnimationFrame(() =>
        (document.querySelector<HTMLElement>(`[data-conversation="${from}"]`) ?? document.querySelector("h1"))?.focus()
      )
  }, [id, isNarrow])
  return { heading, isAwaited }
}

export const InboxPage = () => {
  const { id } = useParams({ from: "/inbox/{-$id}" })
  const search = useSearch({ from: "/inbox/{-$id}" })
  const navigate = useNavigate()
  const isNarrow = useIsNarrow()
  const q = search.q ?? ""
  const show = shown.find((one) => one === search.show)
  const filter = useMemo<InboxFilter>(
    () => ({ ...(q === "" ? {} : { q }), ...(show === undefined ? {} : { show }) }),
    [q, show]
  )
  const look = (next: { readonly q?: string; readonly show?: string }): void => {
    const asked = Object.entries({ q, show: show ?? "", ...next }).filter(([, value]) => value !== "")
    void navigate({
      to: "/inbox/{-$id}",
      params: id === undefined ? {} : { id },
      search: Object.fromEntries(asked),
      replace: true
    })
  }
  const [typed, setTyped] = useTyped(q, (text) => look({ q: text }))
  const { heading, isAwaited } = useFocus(id, isNarrow)
  const isFiltered = q !== "" || show !== undefined
  // The page is as high as the window: its list and its log scroll for themselves.
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const fit = () => {
      const one = box.current
      if (one !== null) one.style.setProperty("--top", `${Math.round(one.getBoundingClientRect().top + scrollY)}px`)
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const list = (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="grid p-3">
        <SearchBox label={say("inbox.search")} value={typed} onChange={setTyped} />
      </div>
      <ConversationList
        filter={filter}
        openId={id}
        tools={
          <FilterSelect
            label={say("inbox.show")}
            value={show ?? ""}
            onChange={(next) => look({ show: next })}
            options={[
              { value: "", text: say("filter.all") },
              ...shown.map((value) => ({ value, text: say(`inbox.${value}`) }))
            ]}
          />
        }
        empty={
          isFiltered ? (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("inbox.nothing-found")}>
              <Button onPress={() => look({ q: "", show: "" })}>{say("list.clear")}</Button>
            </Empty>
          ) : (
            <Empty icon="chat" title={say("inbox.empty")} sentence={say("inbox.empty-lead")}>
              <a href="#/numbers" className="button">
                {say("inbox.to-numbers")}
              </a>
            </Empty>
          )
        }
      />
    </div>
  )
  const pane =
    id === undefined ? (
      <div className="grid flex-1 place-items-center">
        <Empty icon="chat" title={say("inbox.choose")} sentence={say("inbox.choose-lead")} />
      </div>
    ) : (
      <ConversationPane key={id} {...{ filter, id, isAwaited, isNarrow }} headingRef={heading} />
    )
  return (
    <>
      <Heading title={say("inbox.heading")} />
      <div ref={box} className="panel inbox">
        {isNarrow ? (
          id === undefined ? (
            list
          ) : (
            pane
          )
        ) : (
          <>
            <div className="flex min-h-0 w-80 flex-none flex-col border-e border-line">{list}</div>
            {pane}
          </>
        )}
      </div>
    </>
  )
}
