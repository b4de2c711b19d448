/** A new key, which is shown this once: it is in the memory of the page alone, and only until the dialog is closed. */
import type { ApiKeyWithText } from "@trunkline/client"
import { exactMoment, moment, say } from "../frame/Say.ts"
import { mount } from "../frame/Settings.ts"
import { Button } from "../parts/Button.tsx"
import { CopyField } from "../parts/CopyField.tsx"
import { Dialog } from "../parts/Dialog.tsx"

/** An address between the double quotes of a shell: what it would read as its own is written otherwise. */
const quoted = (url: string): string => `"${url.replaceAll("$", "%24").replaceAll("!", "%21")}"`

/** A request that every key may make, whatever its scopes. */
const curlOf = (key: string): string => `curl ${quoted(`${mount}api/v1/me`)} -H "Authorization: Bearer ${key}"`

export const YourNewKey = ({ made, onClose }: { readonly made: ApiKeyWithText; readonly onClose: () => void }) => (
  <Dialog title={say("keys.shown-heading")} onClose={onClose} mustStay>
    <div className="mt-3 grid grid-cols-1 gap-4">
      <p className="text-soft">{say("keys.shown-lead")}</p>
      <CopyField label={say("keys.key")} value={made.key} />
      {made.previous_until === null ? null : (
        <p className="text-sm text-soft" title={exactMoment(made.previous_until)}>
          {say("keys.before-until", { time: moment(made.previous_until) })}
        </p>
      )}
      <div className="grid gap-1">
        <p className="text-sm font-semibold">{say("keys.try")}</p>
        <pre className="rounded-md border border-line bg-sheet p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere select-all">
          <code>{curlOf(made.key)}</code>
        </pre>
      </div>
    </div>
    <div className="mt-6 flex justify-end">
      <Button look="primary" onPress={onClose}>
        {say("action.done")}
      </Button>
    </div>
  </Dialog>
)
