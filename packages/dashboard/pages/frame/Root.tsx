/** Who sees what: nobody signed in sees how to sign in, everybody else the page of the place. */
import { useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { SignInPage } from "../sign-in/SignInPage.tsx"
import { Frame } from "./Frame.tsx"
import { useObserved } from "./Observed.ts"
import { session } from "./PageSession.ts"
import { say } from "./Say.ts"

/** Until the server has answered. A wait that is long has a sentence. */
const Starting = () => (
  <main className="grid min-h-dvh place-items-center p-6">
    <p role="status" className="late text-soft">
      {say("fault.unreachable")}
    </p>
  </main>
)

export const Root = () => {
  const now = useObserved(session)
  const { href, pathname, search } = useLocation()
  const navigate = useNavigate()
  const isAtSignIn = pathname === "/sign-in"
  const back =
    "return" in search && typeof search.return === "string" && search.return.startsWith("/") ? search.return : "/"
  useEffect(() => {
    if (now.phase === "out" && !isAtSignIn)
      void navigate({ to: "/sign-in", search: href === "/" ? {} : { return: href }, replace: true })
    if (now.phase === "in" && isAtSignIn) void navigate({ href: back, replace: true })
  }, [now.phase, isAtSignIn, href, back, navigate])
  if (now.phase === "starting") return <Starting />
  if (now.phase === "in" && !isAtSignIn) return <Frame />
  if (now.phase === "in") return null
  return <SignInPage />
}
