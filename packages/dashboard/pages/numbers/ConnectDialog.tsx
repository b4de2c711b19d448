/** The dialog "Connect number": each channel has fields of its own. */
import { useQuery } from "@tanstack/react-query"
import type { Channel } from "@trunkline/client"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { say, wordOf } from "../frame/Say.ts"
import { api, isUnknown } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { type Form, FormBox, missing, useForm } from "../parts/FormBox.tsx"
import { AreaField, SelectField, TextField } from "../parts/FormFields.tsx"

type Name =
  | "channel"
  | "phone_number_id"
  | "business_account_id"
  | "access_token"
  | "display_phone_number"
  | "id"
  | "title"
  | "origins"
  | "settings"

type Values = Readonly<Record<Name, string>>

const text = (value: string): string | undefined => (value.trim() === "" ? undefined : value.trim())

const lines = (value: string): ReadonlyArray<string> =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The object of a JSON text; null where it is none. */
const objectOf = (value: string): Readonly<Record<string, unknown>> | null => {
  try {
    const read: unknown = JSON.parse(value.trim() === "" ? "{}" : value)
    return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : null
  } catch {
    return null
  }
}

/** What a channel needs to be connected, and how that is sent. A channel that is newer than the page takes a token and settings. */
interface Kind {
  readonly fields: ReadonlyArray<Name>
  readonly needed: ReadonlyArray<Name>
  readonly connect: (values: Values, idempotencyKey: string) => Promise<{ readonly id: string }>
}

const byConnection =
  (bodyOf: (values: Values) => Parameters<typeof api.channels.connect>[1]) =>
  (values: Values, idempotencyKey: string) =>
    api.channels.connect(values.channel, bodyOf(values), { idempotencyKey })

const kinds: Readonly<Record<string, Kind>> = {
  "cloud-api": {
    fields: ["phone_number_id", "business_account_id", "access_token", "display_phone_number"],
    needed: ["phone_number_id", "business_account_id", "access_token"],
    connect: (values, idempotencyKey) =>
      api.connectedNumbers.connect(
        {
          phone_number_id: values.phone_number_id.trim(),
          business_account_id: values.business_account_id.trim(),
          access_token: values.access_token.trim(),
          display_phone_number: text(values.display_phone_number) ?? null
        },
        { idempotencyKey }
      )
  },
  telegram: {
    fields: ["access_token"],
    needed: ["access_token"],
    connect: byConnection(({ access_token }) => ({ access_token: access_token.trim() }))
  },
  "web-chat": {
    fields: ["title", "id", "origins"],
    needed: ["origins"],
    connect: byConnection(({ id, origins, title }) => ({
      settings: Object.fromEntries(
        Object.entries({ id: text(id), title: text(title), origins: lines(origins) }).filter(
          ([, value]) => value !== undefined
        )
      )
    }))
  }
}

const other: Kind = {
  fields: ["access_token", "settings"],
  needed: [],
  connect: byConnection(({ access_token, settings }) => ({
    access_token: text(access_token) ?? null,
    settings: objectOf(settings) ?? {}
  }))
}

const kindOf = (channel: string): Kind => kinds[channel] ?? other

const Fields = ({ form }: { readonly form: Form<Name> }) => {
  const fields: Readonly<Record<Name, React.ReactNode>> = {
    channel: null,
    phone_number_id: (
      <TextField label={say("chat-numbers.number-id")} maxLength={255} field={form.field("phone_number_id")} />
    ),
    business_account_id: (
      <TextField label={say("chat-numbers.account-id")} maxLength={255} field={form.field("business_account_id")} />
    ),
    access_token: (
      <TextField
        label={say("chat-numbers.token")}
        hint={say("chat-numbers.token-hint")}
        type="password"
        autoComplete="off"
        field={form.field("access_token")}
      />
    ),
    display_phone_number: (
      <TextField
        label={say("chat-numbers.display")}
        hint={say("chat-numbers.display-hint")}
        maxLength={255}
        field={form.field("display_phone_number")}
      />
    ),
    id: (
      <TextField
        label={say("chat-numbers.chat-id")}
        hint={say("chat-numbers.chat-id-hint")}
        maxLength={63}
        field={form.field("id")}
      />
    ),
    title: <TextField label={say("chat-numbers.title")} maxLength={255} field={form.field("title")} />,
    origins: (
      <AreaField
        label={say("chat-numbers.origins")}
        hint={say("chat-numbers.origins-hint")}
        rows={3}
        field={form.field("origins")}
      />
    ),
    settings: (
      <AreaField
        label={say("chat-numbers.settings")}
        hint={say("chat-numbers.settings-hint")}
        rows={5}
        field={form.field("settings")}
      />
    )
  }
  return kindOf(form.values.channel).fields.map((name) => <div key={name}>{fields[name]}</div>)
}

const ConnectForm = ({
  channels,
  onClose,
  title
}: {
  readonly channels: ReadonlyArray<Channel>
  readonly onClose: () => void
  readonly title: string
}) => {
  const first = channels.find(({ is_standard }) => is_standard) ?? channels[0]
  const form = useForm<Name>({
    initial: {
      channel: first?.channel ?? "",
      phone_number_id: "",
      business_account_id: "",
      access_token: "",
      display_phone_number: "",
      id: "",
      title: "",
      origins: "",
      settings: ""
    },
    check: (values) => {
      const faults = missing(values, ...kindOf(values.channel).needed)
      return objectOf(values.settings) === null ? { ...faults, settings: say("chat-numbers.settings-wrong") } : faults
    },
    // The network behind the channel has refused or does not answer: the server says which, in a sentence.
    explain: (error) =>
      isUnknown(error) && !error.code.startsWith("status_") && error.status > 0 ? error.message : null,
    submit: async (values, key) => {
      await kindOf(values.channel).connect(values, key)
      const name = text(values.display_phone_number) ?? text(values.title) ?? wordOf("channel", values.channel)
      sayResult(say("chat-numbers.connected", { name }))
      onClose()
      await queryClient.resetQueries({ queryKey: ["numbers", "chats"] })
      void readAgain("numbers")
    }
  })
  return (
    <FormBox form={form} className="mt-3 grid gap-4">
      <SelectField
        label={say("chat-numbers.channel")}
        field={form.field("channel")}
        options={channels.map(({ channel }) => ({ value: channel, text: wordOf("channel", channel) }))}
      />
      <Fields form={form} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>{say("action.back")}</Button>
        <Button type="submit" look="primary" writes isBusy={form.isBusy}>
          {title}
        </Button>
      </div>
    </FormBox>
  )
}

export const ConnectDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["channels"],
    queryFn: ({ signal }) => api.channels.list({ signal }),
    staleTime: 60_000
  })
  const title = say("chat-numbers.connect")
  return (
    <Dialog title={title} onClose={onClose}>
      {data !== undefined && data.length > 0 ? (
        <ConnectForm channels={data} onClose={onClose} title={title} />
      ) : (
        <div className="mt-3 grid gap-4">
          {error !== null && data === undefined ? (
            <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
          ) : data === undefined ? (
            <span aria-busy="true" className="skeleton block h-24 rounded-lg" />
          ) : (
            <p>{say("chat-numbers.no-channels")}</p>
          )}
          <div className="flex justify-end">
            <Button onPress={onClose}>{say("action.back")}</Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
