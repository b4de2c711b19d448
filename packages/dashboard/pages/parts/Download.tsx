/** A link to a file. With a cookie the browser loads it by itself; with a token the page does, for a link sends none. */
import type { ReactNode } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import { fault } from "../frame/Notices.ts"
import { say } from "../frame/Say.ts"
import { send, signsInByCookie } from "../frame/ServerRequests.ts"
import { mount } from "../frame/Settings.ts"

const forgottenMs = 60_000

const load = async (url: string, name: string): Promise<void> => {
  const answer = await send(url)
  if (!answer.ok) return fault.set({ sentence: say("fault.download"), again: () => void load(url, name) })
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), forgottenMs)
}

export const Downloaded = ({
  children,
  className,
  name,
  path
}: {
  /** Below the mount point. */
  readonly path: string
  readonly name: string
  readonly className: string
  readonly children: ReactNode
}) => {
  const url = `${mount}${path}`
  return (
    <a
      href={url}
      download={name}
      className={className}
      onClick={(event) => {
        if (signsInByCookie()) return
        event.preventDefault()
        load(url, name).catch((error: unknown) => fault.set(faultOfWrite(error, () => void load(url, name))))
      }}
    >
      {children}
    </a>
  )
}
