/** A place that this installation, or this person, does not have. */
import { Heading } from "../parts/Heading.tsx"
import { say, wordOf } from "./Say.ts"
import { useMe } from "./SignedInPerson.ts"

export const NotAvailable = ({ access }: { readonly access: "absent" | "forbidden" }) => {
  const { role } = useMe()
  return (
    <Heading
      title={say("not-available.heading")}
      lead={
        access === "absent"
          ? say("not-available.absent")
          : say("not-available.forbidden", { role: role === null ? say("menu.own-scopes") : wordOf("role", role) })
      }
    />
  )
}
