/** A link that signs in: of the first owner, of somebody invited, of somebody whose password is lost. */
import { useQuery } from "@tanstack/react-query"
import type { SignInLink } from "@trunkline/client"
import { entered } from "../frame/Entering.ts"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { exactMoment, moment, say, wordOf } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { FormBox, missing, useForm } from "../parts/FormBox.tsx"
import { TextField } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"

const minLength = 12

export const LinkForm = ({ link, onUseless }: { readonly link: string; readonly onUseless: () => void }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["link", link],
    queryFn: ({ signal }) => api.session.openLink({ token: link }, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
  if (isStatus(error, 404))
    return (
      <>
        <Heading title={say("link.used")} lead={say("link.used-lead")} />
        <Button look="primary" onPress={onUseless} className="w-full">
          {say("link.to-sign-in")}
        </Button>
      </>
    )
  if (error !== null && data === undefined)
    return (
      <>
        <Heading title={say("link.set-password")} />
        <div role="alert" className="banner is-bad">
          <p className="min-w-0 flex-1 basis-60">{faultOfRead(error)}</p>
          <Button isSmall onPress={() => void refetch()}>
            {say("action.try-again")}
          </Button>
        </div>
      </>
    )
  if (data === undefined)
    return (
      <div aria-busy="true" className="grid gap-4">
        <span className="skeleton h-6 w-3/4" />
        <span className="skeleton h-9" />
        <span className="skeleton h-9" />
      </div>
    )
  return <Accept link={link} about={data} />
}

const Accept = ({ about, link }: { readonly link: string; readonly about: SignInLink }) => {
  const isSetup = about.purpose === "setup"
  const form = useForm({
    initial: { email: about.email ?? "", name: about.name ?? "", password: "" },
    check: (values) => ({
      ...(isSetup ? missing(values, "email") : {}),
      ...([...values.password].length < minLength ? { password: say("link.too-short", { n: minLength }) } : {})
    }),
    submit: async ({ email, name, password }) =>
      entered(
        await api.session.acceptLink({
          token: link,
          password,
          ...(name.trim() === "" ? {} : { name: name.trim() }),
          ...(isSetup ? { email: email.trim() } : {})
        })
      ),
    explain: ({ status }) => (status === 404 ? say("link.used-lead") : null)
  })
  return (
    <>
      <Heading
        title={say(isSetup ? "link.create-owner" : "link.set-password")}
        lead={
          isSetup
            ? say("link.setup-lead", { account: about.account_name })
            : say("link.lead", { account: about.account_name, role: wordOf("role", about.role ?? "member") })
        }
      />
      <FormBox form={form}>
        <TextField
          label={say("field.email")}
          type="email"
          autoComplete="username"
          readOnly={!isSetup}
          field={form.field("email")}
        />
        <TextField label={say("field.name")} autoComplete="name" maxLength={255} field={form.field("name")} />
        <TextField
          label={say("field.password")}
          type="password"
          autoComplete="new-password"
          hint={say("link.password-hint", { n: minLength })}
          field={form.field("password")}
        />
        <Button type="submit" look="primary" isBusy={form.isBusy} writes>
          {say("link.submit")}
        </Button>
        <p className="text-sm text-soft" title={exactMoment(about.expires_at)}>
          {say("link.until", { time: moment(about.expires_at) })}
        </p>
      </FormBox>
    </>
  )
}
