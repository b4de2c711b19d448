/** A fault in a sentence, and a button where trying again may help. */
import type { Fault } from "../frame/Notices.ts"
import { say, sayCount } from "../frame/Say.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icons.tsx"
import { useNow } from "./PageClock.ts"

export const FaultAlert = ({ fault, onClose }: { readonly fault: Fault; readonly onClose?: () => void }) => {
  const now = useNow(fault.notBefore === undefined ? null : 1000)
  const seconds = fault.notBefore === undefined ? 0 : Math.ceil((fault.notBefore - now) / 1000)
  return (
    <div role="alert" className="banner is-bad">
      <Icon name="warning" className="size-4.5 flex-none text-bad" />
      <p className="min-w-0 flex-1 basis-44">{fault.sentence}</p>
      {fault.again === undefined ? null : (
        <Button isSmall writes off={seconds > 0 ? sayCount("fault.wait", seconds) : null} onPress={fault.again}>
          {say("action.try-again")}
        </Button>
      )}
      {onClose === undefined ? null : (
        <Button isSmall look="quiet" onPress={onClose} aria-label={say("action.dismiss")}>
          <Icon name="close" />
        </Button>
      )}
    </div>
  )
}
