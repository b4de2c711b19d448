/** Says that the session is about to end, and lets the person stay. */
import { Button } from "../parts/Button.tsx"
import { keepFocus } from "./Arrival.ts"
import { lookAgain } from "./Entering.ts"
import { useObserved } from "./Observed.ts"
import { clockTime, say } from "./Say.ts"
import { sessionEnd } from "./SessionEnd.ts"

export const SessionEnding = () => {
  const end = useObserved(sessionEnd)
  if (end === null) return null
  return (
    <div className="fixed inset-x-0 bottom-4 z-20 grid justify-items-center px-4">
      <div role="alert" className="banner is-warn max-w-xl shadow-lg">
        <p className="flex-1">{say("session.ends", { time: clockTime(end) })}</p>
        <Button
          isSmall
          onPress={() => {
            lookAgain()
            keepFocus()
          }}
        >
          {say("session.stay")}
        </Button>
      </div>
    </div>
  )
}
