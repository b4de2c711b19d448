/** A page that cannot be shown: its file is gone with an older version, or the page itself is at fault. */
import type { ErrorComponentProps } from "@tanstack/react-router"
import { Button } from "../parts/Button.tsx"
import { Heading } from "../parts/Heading.tsx"
import { isOldPage } from "./OldPage.ts"
import { say } from "./Say.ts"

export const ErrorPage = ({ error }: ErrorComponentProps) => (
  <div className="p-6">
    <Heading title={say("error.heading")} />
    <div role="alert" className="banner is-bad">
      <p className="min-w-0 flex-1 basis-60">{isOldPage(error) ? say("error.old-page") : say("fault.page")}</p>
      <Button onPress={() => location.reload()}>{say("action.reload")}</Button>
    </div>
  </div>
)
