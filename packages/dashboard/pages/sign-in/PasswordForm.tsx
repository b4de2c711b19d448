/** Email and password: on the page "Sign in", and in the dialog over a page whose session has ended. */
import { entered } from "../frame/Entering.ts"
import { say, sayCount } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { mount, settings } from "../frame/Settings.ts"
import { Button } from "../parts/Button.tsx"
import { FormBox, missing, useForm } from "../parts/FormBox.tsx"
import { TextField } from "../parts/FormFields.tsx"

/** Another person's way in: the browser goes to the issuer and comes back to the place. */
export const oidcAddress = (place: string): string =>
  `${mount}api/v1/session/oidc?return=${encodeURIComponent(`#${place}`)}`

export const PasswordForm = ({ email = "", place }: { readonly email?: string; readonly place: string }) => {
  const form = useForm({
    initial: { email, password: "" },
    check: (values) => missing(values, "email", "password"),
    submit: async ({ email, password }) => entered(await api.session.signIn({ email: email.trim(), password })),
    explain: ({ retryAfterSeconds, status }) =>
      status === 401
        ? say("sign-in.wrong")
        : status === 429
          ? sayCount("sign-in.wait", Math.ceil((retryAfterSeconds ?? 900) / 60))
          : null
  })
  return (
    <div className="grid gap-4">
      <FormBox form={form}>
        <TextField label={say("field.email")} type="email" autoComplete="username" field={form.field("email")} />
        <TextField
          label={say("field.password")}
          type="password"
          autoComplete="current-password"
          field={form.field("password")}
        />
        <Button type="submit" look="primary" isBusy={form.isBusy} writes>
          {say("sign-in.submit")}
        </Button>
      </FormBox>
      {settings.oidc === null ? null : (
        <a className="button" href={oidcAddress(place)}>
          {settings.oidc}
        </a>
      )}
    </div>
  )
}
