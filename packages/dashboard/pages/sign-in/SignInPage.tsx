/** The page of somebody who is not signed in: email and password, or a link that sets them. */
import { useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { LogoImage } from "../frame/LogoImage.tsx"
import { useObserved } from "../frame/Observed.ts"
import { session } from "../frame/PageSession.ts"
import { say } from "../frame/Say.ts"
import { settings } from "../frame/Settings.ts"
import { Heading } from "../parts/Heading.tsx"
import { LinkForm } from "./LinkForm.tsx"
import { PasswordForm } from "./PasswordForm.tsx"

/** A page around one form. */
export const Card = ({ children }: { readonly children: React.ReactNode }) => (
  <main className="grid min-h-dvh place-items-center bg-sheet px-4 py-10">
    <div className="grid w-full max-w-sm gap-6">
      <p className="flex items-center justify-center gap-2.5 text-lg font-semibold">
        <LogoImage className="h-8 max-w-40" />
        {settings.name}
      </p>
      <div className="panel p-6">{children}</div>
    </div>
  </main>
)

const oidcFaults = { oidc: "sign-in.oidc", not_allowed: "sign-in.not-allowed", team_full: "sign-in.team-full" } as const

const Faults = ({ error }: { readonly error: string | undefined }) =>
  error !== undefined && error in oidcFaults ? (
    <div role="alert" className="banner is-bad mb-4">
      {say(oidcFaults[error as keyof typeof oidcFaults])}
    </div>
  ) : null

/** Where a host signs people in, this page cannot: it says where to go, and goes there where the host has named a place. */
const AtHost = ({ place }: { readonly place: string }) => {
  const { sign_in_url } = settings
  const address = sign_in_url === null ? null : hostAddress(sign_in_url, place)
  useEffect(() => {
    if (address !== null && window.parent === window) location.assign(address)
  }, [address])
  return (
    <div className="grid gap-4">
      <p className="text-soft">{say("sign-in.at-host")}</p>
      {address === null ? null : (
        <a className="button is-primary" href={address} target="_top">
          {say("sign-in.go-to-host")}
        </a>
      )}
    </div>
  )
}

/** The address of the host's own page with the place to come back to. */
export const hostAddress = (address: string, place: string): string => {
  const url = new URL(address, location.href)
  url.searchParams.set("return", `${location.pathname}#${place}`)
  return url.href
}

export const SignInPage = () => {
  const now = useObserved(session)
  const { error, return: back = "/" } = useSearch({ strict: false })
  const [isDone, setDone] = useState(false)
  if (now.phase === "out" && now.link !== null && !isDone)
    return (
      <Card>
        <LinkForm link={now.link} onUseless={() => setDone(true)} />
      </Card>
    )
  return (
    <Card>
      <Heading title={say("sign-in.heading")} />
      <Faults error={error} />
      {settings.sign_in ? (
        <>
          <PasswordForm place={back} />
          <p className="mt-5 border-t border-line pt-4 text-sm text-soft">{say("sign-in.lost")}</p>
        </>
      ) : (
        <AtHost place={back} />
      )}
    </Card>
  )
}
