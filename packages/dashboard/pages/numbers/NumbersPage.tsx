/** Caller numbers, chat numbers and voicemail texts: each of them where the installation has it, and the person may see it. */
import type { ReactNode } from "react"
import { say } from "../frame/Say.ts"
import { settings } from "../frame/Settings.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Heading } from "../parts/Heading.tsx"
import { CallerNumbers } from "./CallerNumbers.tsx"
import { ChatNumbers } from "./ChatNumbers.tsx"
import { VoicemailTexts } from "./VoicemailTexts.tsx"

const parts: ReadonlyArray<readonly [area: string, scope: string, part: ReactNode]> = [
  ["calling", "calls:read", <CallerNumbers key="caller" />],
  ["messaging", "messaging:read", <ChatNumbers key="chat" />],
  ["calling", "campaigns:read", <VoicemailTexts key="voicemail" />]
]

export const NumbersPage = () => {
  const { scopes } = useMe()
  return (
    <>
      <Heading title={say("numbers.heading")} lead={say("numbers.lead")} />
      <div className="grid gap-10">
        {parts
          .filter(([area, scope]) => settings.areas.includes(area) && scopes.includes(scope))
          .map(([, , part]) => part)}
      </div>
    </>
  )
}
