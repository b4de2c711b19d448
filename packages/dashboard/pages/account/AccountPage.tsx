/** One's own name, password and sessions. */
import { useQuery } from "@tanstack/react-query"
import type { SignInSession } from "@trunkline/client"
import { useState } from "react"
import { entered } from "../frame/Entering.ts"
import { faultOfRead, faultOfWrite } from "../frame/FaultSentences.ts"
import { fault, sayResult } from "../frame/Notices.ts"
import { exactMoment, moment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FormBox, missing, useForm } from "../parts/FormBox.tsx"
import { TextField } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"

const minLength = 12

const Section = ({ children, title }: { readonly title: string; readonly children: React.ReactNode }) => (
  <section className="panel mb-5 max-w-3xl p-5">
    <h2 className="mb-3 text-lg font-semibold">{title}</h2>
    {children}
  </section>
)

const Name = () => {
  const me = useMe()
  const form = useForm({
    initial: { name: me.name ?? "" },
    check: (values) => missing(values, "name"),
    submit: async ({ name }) => {
      entered(await api.me.change({ name: name.trim() }))
      sayResult(say("account.name-saved"))
    }
  })
  return (
    <Section title={say("account.name")}>
      <FormBox form={form} className="grid max-w-sm gap-4">
        <TextField label={say("field.name")} autoComplete="name" maxLength={255} field={form.field("name")} />
        <div>
          <Button type="submit" writes isBusy={form.isBusy}>
            {say("account.save-name")}
          </Button>
        </div>
      </FormBox>
    </Section>
  )
}

const Password = () => {
  const form = useForm({
    initial: { current_password: "", password: "" },
    check: (values) => ({
      ...missing(values, "current_password"),
      ...([...values.password].length < minLength ? { password: say("link.too-short", { n: minLength }) } : {})
    }),
    submit: async (values) => {
      await api.me.changePassword(values)
      form.set("current_password", "")
      form.set("password", "")
      sayResult(say("account.password-saved"))
    }
  })
  return (
    <Section title={say("account.password")}>
      <FormBox form={form} className="grid max-w-sm gap-4">
        <TextField
          label={say("account.current-password")}
          type="password"
          autoComplete="current-password"
          field={form.field("current_password")}
        />
        <TextField
          label={say("account.new-password")}
          type="password"
          autoComplete="new-password"
          hint={say("link.password-hint", { n: minLength })}
          field={form.field("password")}
        />
        <div>
          <Button type="submit" writes isBusy={form.isBusy}>
            {say("account.save-password")}
          </Button>
        </div>
      </FormBox>
    </Section>
  )
}

/** `Firefox on Linux` of what the browser says of itself; the whole of it stands in the title. */
const deviceOf = (agent: string | null): string => {
  if (agent === null) return say("account.unknown-device")
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1] ?? null
  const names: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera" }
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(agent)?.[1] ?? null
  if (browser === null || system === null) return agent.slice(0, 60)
  return say("account.device", { browser: names[browser] ?? browser, system: system.replace("Mac OS X", "macOS") })
}

const Sessions = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions"],
    queryFn: async ({ signal }) => (await api.sessions.list({ limit: 100 }, { signal })).items
  })
  const [ending, setEnding] = useState<string | null>(null)
  const end = (id: string): void => {
    if (ending !== null) return
    setEnding(id)
    api.sessions
      .end(id)
      .then(
        () => sayResult(say("account.session-ended")),
        (failed: unknown) => fault.set(faultOfWrite(failed, () => end(id)))
      )
      .finally(() => {
        setEnding(null)
        void refetch()
      })
  }
  return (
    <Section title={say("account.sessions")}>
      {error !== null && data === undefined ? (
        <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
      ) : data === undefined ? (
        <span className="skeleton h-20" />
      ) : (
        <ul className="divide-y divide-line">
          {data.map((one: SignInSession) => (
            <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-medium" title={one.user_agent ?? undefined}>
                  {deviceOf(one.user_agent)}
                  {one.current ? <span className="badge ms-2">{say("account.this-session")}</span> : null}
                </p>
                <p className="text-sm text-soft" title={exactMoment(one.last_used_at)}>
                  {say("account.last-used", { time: moment(one.last_used_at), address: one.address ?? "–" })}
                </p>
              </div>
              {one.current ? null : (
                <Button isSmall writes isBusy={ending === one.id} onPress={() => end(one.id)}>
                  {say("account.end-session")}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

export const AccountPage = () => {
  const me = useMe()
  const isSession = me.sign_in === "session"
  return (
    <>
      <Heading
        title={say("account.heading")}
        lead={say("account.lead", {
          who: me.email ?? me.name ?? me.subject,
          role: me.role === null ? say("menu.own-scopes") : wordOf("role", me.role),
          account: me.account.name
        })}
      />
      {isSession ? (
        <>
          <Name />
          <Password />
          <Sessions />
        </>
      ) : (
        <p className="banner">{say("account.at-host")}</p>
      )}
    </>
  )
}
