/** What is around every page: the navigation, the account, the connection, results and faults. */
import { Link, Outlet, useLocation } from "@tanstack/react-router"
import { useEffect, useId, useRef, useState } from "react"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useIsNarrow } from "../parts/Narrow.ts"
import { SignInDialog } from "../sign-in/SignInDialog.tsx"
import { startChanges } from "./ChangeStream.ts"
import { connection } from "./ConnectionStatus.ts"
import { leave } from "./Entering.ts"
import { faultOfWrite } from "./FaultSentences.ts"
import { LogoImage } from "./LogoImage.tsx"
import { NotAvailable } from "./NotAvailable.tsx"
import { fault, result } from "./Notices.ts"
import { useObserved } from "./Observed.ts"
import { isAskedToSignIn } from "./PageSession.ts"
import { accessTo, isOpen, pageOf, places } from "./Places.ts"
import { clockTime, exactMoment, say, wordOf } from "./Say.ts"
import { chooseScheme, isScheme, maySchemeBeChosen, scheme } from "./SchemeChoice.ts"
import { SessionEnding } from "./SessionEnding.tsx"
import { settings } from "./Settings.ts"
import { useMe } from "./SignedInPerson.ts"

const Logo = () => {
  const { logo, name } = settings
  return (
    <Link to="/" className="flex min-w-0 items-center gap-2.5 rounded-md font-semibold">
      {logo === null ? (
        <span
          aria-hidden="true"
          className="grid size-7 flex-none place-items-center rounded-md bg-fill text-sm font-bold text-on-fill"
        >
          {[...name][0]?.toUpperCase()}
        </span>
      ) : (
        <LogoImage className="h-7 max-w-36" />
      )}
      <span className="truncate">{name}</span>
    </Link>
  )
}

const Connection = () => {
  const status = useObserved(connection)
  const [look, text] =
    status.state === "live"
      ? ["", say("connection.live")]
      : status.state === "reconnecting"
        ? ["is-warn", say("connection.reconnecting")]
        : ["is-bad", say("connection.offline", { time: clockTime(status.since) })]
  return (
    <span
      className="flex items-center gap-2 px-2.5 text-sm text-soft"
      title={status.state === "live" ? undefined : exactMoment(new Date(status.since).toISOString())}
    >
      <span aria-hidden="true" className={`dot ${look}`} />
      <span role="status" aria-label={say("connection.name")}>
        {text}
      </span>
    </span>
  )
}

const initials = (name: string): string =>
  name
    .split(/[\s.@_-]+/)
    .filter((part) => part !== "")
    .slice(0, 2)
    .map((part) => [...part][0]?.toUpperCase())
    .join("")

const AccountMenu = ({ isNarrow }: { readonly isNarrow: boolean }) => {
  const me = useMe()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const chosen = useObserved(scheme)
  const shown = me.name ?? me.email ?? me.subject
  const close = () => menu.current?.hidePopover()
  const off = me.sign_in === "host" ? say("menu.sign-out-at-host") : null
  return (
    <>
      <button type="button" popoverTarget={id} className={isNarrow ? "button is-quiet px-1.5" : "nav-link w-full"}>
        <span
          aria-hidden="true"
          className="grid size-6.5 flex-none place-items-center rounded-full bg-calm-sheet text-xs font-bold text-calm"
        >
          {initials(shown)}
        </span>
        <span className={isNarrow ? "sr-only" : ""}>{say("account.heading")}</span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className={`menu w-72 ${isNarrow ? "top-14 right-3" : "bottom-14 left-3"}`}
        // What it was opened for may stand below: the keyboard goes there first.
        onToggle={({ newState }) =>
          newState === "open" && menu.current?.querySelector<HTMLElement>("select, a, button")?.focus()
        }
      >
        <div className="grid gap-0.5 px-2.5 py-2">
          <p className="font-semibold">{shown}</p>
          {me.email === null || me.email === shown ? null : <p className="text-sm text-soft">{me.email}</p>}
          <p className="text-sm text-soft">
            {say("menu.role", {
              role: me.role === null ? say("menu.own-scopes") : wordOf("role", me.role),
              account: me.account.name
            })}
          </p>
        </div>
        {maySchemeBeChosen ? (
          <label className="flex items-center justify-between gap-3 border-t border-line px-2.5 py-2">
            <span className="text-sm font-semibold">{say("menu.theme")}</span>
            <select
              className="input w-auto"
              value={chosen}
              onChange={({ target }) => isScheme(target.value) && chooseScheme(target.value)}
            >
              {(["system", "light", "dark"] as const).map((one) => (
                <option key={one} value={one}>
                  {wordOf("theme", one)}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <div className="grid gap-0.5 border-t border-line pt-1.5">
          {isOpen("me", me) ? (
            <Link to="/me" className="nav-link" onClick={close}>
              <Icon name="account" />
              {say("account.heading")}
            </Link>
          ) : null}
          <Button
            look="quiet"
            className="w-full !justify-start !px-2.5"
            off={off}
            onPress={() => {
              close()
              leave().catch((error: unknown) => fault.set(faultOfWrite(error, () => void leave())))
            }}
          >
            <Icon name="back" />
            {say("menu.sign-out")}
          </Button>
        </div>
      </div>
    </>
  )
}

const Navigation = ({ onGo }: { readonly onGo?: () => void }) => {
  const me = useMe()
  return (
    <nav aria-label={say("navigation.name")} className="grid gap-0.5">
      {places
        .filter(({ isApart, name }) => isApart !== true && isOpen(name, me))
        .map(({ icon, name, title }) => (
          <Link
            key={name}
            to={pageOf(name)}
            className="nav-link"
            activeOptions={{ includeSearch: false }}
            onClick={() => onGo?.()}
          >
            <Icon name={icon} />
            {title}
          </Link>
        ))}
      {settings.help_url === null ? null : (
        <a className="nav-link" href={settings.help_url} target="_blank" rel="noopener noreferrer">
          <Icon name="help" />
          {say("navigation.help")}
        </a>
      )}
    </nav>
  )
}

const TopBar = () => {
  const [isShown, setShown] = useState(false)
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <header className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-paper px-3 py-1.5">
      <button type="button" popoverTarget={id} aria-expanded={isShown} className="button is-quiet px-2">
        <Icon name="menu" />
        <span className="sr-only">{say("navigation.menu")}</span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu top-13 left-3 w-64"
        onToggle={({ newState }) => setShown(newState === "open")}
      >
        <Navigation onGo={() => menu.current?.hidePopover()} />
      </div>
      <div className="min-w-0 flex-1">
        <Logo />
      </div>
      <Connection />
      <AccountMenu isNarrow />
    </header>
  )
}

const SideBar = () => (
  <div className="sticky top-0 flex h-dvh w-(--spacing-nav) flex-none flex-col gap-4 overflow-y-auto border-e border-line bg-sheet p-3">
    <div className="px-1.5 pt-1.5">
      <Logo />
    </div>
    <Navigation />
    <div className="mt-auto grid gap-2">
      <Connection />
      <AccountMenu isNarrow={false} />
    </div>
  </div>
)

const shownMs = 8000

/** Results are said once and go by themselves; faults stay until they are dismissed. */
const Result = () => {
  const now = useObserved(result)
  const [nth, setGone] = useState(0)
  useEffect(() => {
    if (now === null) return
    const timer = setTimeout(() => setGone(now.nth), shownMs)
    return () => clearTimeout(timer)
  }, [now])
  const isShown = now !== null && now.nth !== nth
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-20 grid justify-items-center px-4">
      <div role="status" aria-label={say("result.name")} className={isShown ? "notice" : "sr-only"}>
        {now?.sentence ?? ""}
      </div>
    </div>
  )
}

const Faults = () => {
  const now = useObserved(fault)
  if (now === null) return null
  const again = now.again
  return (
    <div className="mb-4">
      <FaultAlert
        fault={{
          ...now,
          again:
            again === undefined
              ? undefined
              : () => {
                  fault.set(null)
                  again()
                }
        }}
        onClose={() => fault.set(null)}
      />
    </div>
  )
}

const Content = () => {
  const me = useMe()
  const { pathname } = useLocation()
  const name = pathname.split("/")[1] ?? ""
  const access = name === "" ? "open" : accessTo(name, me)
  return access === "open" ? <Outlet /> : <NotAvailable access={access} />
}

export const Frame = () => {
  const me = useMe()
  const isNarrow = useIsNarrow()
  const isAsked = useObserved(isAskedToSignIn)
  const person = `${me.account.id} ${me.subject} ${me.role}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person, or another role, has another stream.
  useEffect(() => startChanges(me), [person])
  // What a fault is about is gone with its page.
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about the place.
  useEffect(() => fault.set(null), [pathname])
  return (
    <div className={isNarrow ? "" : "flex items-start"}>
      <button
        type="button"
        className="button absolute start-2 -top-20 z-30 focus:top-2"
        onClick={() => document.querySelector<HTMLElement>("h1")?.focus()}
      >
        {say("navigation.skip")}
      </button>
      {isNarrow ? <TopBar /> : <SideBar />}
      <main className="min-w-0 flex-1 px-4 py-6 md:px-8 md:py-7">
        <div className="mx-auto max-w-6xl">
          <Faults />
          <Content />
        </div>
      </main>
      <Result />
      {isAsked ? null : <SessionEnding />}
      {isAsked ? <SignInDialog /> : null}
    </div>
  )
}
