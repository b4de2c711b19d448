/** The session has ended in the middle of something: the person signs in again over the page, and nothing is lost. */

import { leave } from "../frame/Entering.ts"
import { presentPlaceOf } from "../frame/PresentPlace.ts"
import { say } from "../frame/Say.ts"
import { settings } from "../frame/Settings.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import { hostAddress } from "./SignInPage.tsx"

export const SignInDialog = () => {
  const me = useMe()
  const place = presentPlaceOf()
  return (
    <Dialog title={say("sign-in.heading")} mustStay onClose={() => {}}>
      <p className="mt-1 mb-4 text-soft">{say("sign-in.again")}</p>
      {settings.sign_in && me.sign_in === "session" ? (
        <PasswordForm email={me.email ?? ""} place={place} />
      ) : (
        <div className="grid gap-4">
          <p>{say("sign-in.at-host")}</p>
          {settings.sign_in_url === null ? null : (
            <a className="button is-primary" href={hostAddress(settings.sign_in_url, place)} target="_top">
              {say("sign-in.go-to-host")}
            </a>
          )}
        </div>
      )}
      <div className="mt-4 border-t border-line pt-3">
        <Button look="quiet" isSmall onPress={() => void leave().catch(() => {})}>
          {say("sign-in.somebody-else")}
        </Button>
      </div>
    </Dialog>
  )
}
