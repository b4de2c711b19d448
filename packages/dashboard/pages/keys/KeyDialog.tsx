/** Makes a key, or changes what one may do. */
import { useQuery } from "@tanstack/react-query"
import type { ApiKey, ApiKeyChange, ApiKeyWithText, NewApiKey } from "@trunkline/client"
import type { ReactNode } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api, isStatus, isUnknown } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { type Form, FormBox, useForm } from "../parts/FormBox.tsx"
import { CheckField, type FieldState, SelectField, TextField } from "../parts/FormFields.tsx"
import { everything, nameOf, permissions, scopes, scopesAfter, wordsIn } from "./KeyWords.ts"

/** The fields that stand behind "More limits". */
const further = ["models", "rpm", "concurrency", "domains", "search_providers"] as const

type Name = "name" | "budget" | "budget_period" | "expires_at" | "permissions" | "scopes" | (typeof further)[number]
type Values = Readonly<Record<Name, string>>

/** `2026-11-30T09:00` of the browser's zone, as the field for an instant writes it. */
const localOf = (iso: string | null): string => {
  if (iso === null) return ""
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const textOf = (value: number | string | null | undefined): string => (value == null ? "" : String(value))
const listOf = (words: ReadonlyArray<string> | null | undefined): string => words?.join(", ") ?? ""

const initialOf = (key: ApiKey | null): Values => ({
  name: key?.name ?? "",
  budget: textOf(key?.budget),
  budget_period: key?.budget_period ?? "total",
  expires_at: localOf(key?.expires_at ?? null),
  permissions: (key?.permissions ?? permissions).join(),
  scopes: key?.scopes.join() ?? everything,
  models: listOf(key?.models),
  rpm: textOf(key?.rpm),
  concurrency: textOf(key?.concurrency),
  domains: listOf(key?.domains),
  search_providers: listOf(key?.search_providers)
})

const amountOf = (text: string): number | null => (text.trim() === "" ? null : Number(text))
const namesOf = (text: string): ReadonlyArray<string> | null => (text.trim() === "" ? null : wordsIn(text))

const bodyOf = (values: Values): NewApiKey =>
  ({
    name: values.name.trim() === "" ? null : values.name.trim(),
    budget: amountOf(values.budget),
    budget_period: values.budget_period,
    expires_at: values.expires_at === "" ? null : new Date(values.expires_at).toISOString(),
    permissions: wordsIn(values.permissions),
    scopes: wordsIn(values.scopes),
    models: namesOf(values.models),
    rpm: amountOf(values.rpm),
    concurrency: amountOf(values.concurrency),
    domains: namesOf(values.domains),
    search_providers: namesOf(values.search_providers)
  }) as NewApiKey // in the words of the brand, which the client's types do not know

/** Only what the person has changed, so that two people who change different things keep both changes. */
const changeOf = (before: Values, values: Values): ApiKeyChange => {
  const body = bodyOf(values)
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => before[name as Name] !== values[name as Name])
  ) as ApiKeyChange
}

const checked = (values: Values): Partial<Record<Name, string>> => {
  const wrong = (text: string, isRight: (value: number) => boolean) => text.trim() !== "" && !isRight(Number(text))
  const isCount = (value: number) => Number.isInteger(value) && value >= 1
  return {
    ...(wrong(values.budget, (value) => value >= 0 && value < 1e9) ? { budget: say("keys.budget-wrong") } : {}),
    ...(wrong(values.rpm, isCount) ? { rpm: say("keys.count-wrong") } : {}),
    ...(wrong(values.concurrency, isCount) ? { concurrency: say("keys.count-wrong") } : {})
  }
}

const Choices = ({
  change,
  field,
  label,
  words
}: {
  readonly label: string
  readonly field: FieldState
  readonly words: ReadonlyArray<readonly [word: string, hint: string | null]>
  readonly change: (chosen: ReadonlyArray<string>, word: string, isOn: boolean) => ReadonlyArray<string>
}) => {
  field.named(label)
  const chosen = wordsIn(field.value)
  return (
    <fieldset
      id={field.id}
      tabIndex={-1}
      className="min-w-0"
      aria-describedby={field.fault === null ? undefined : `${field.id}f`}
    >
      <legend className="mb-1 text-sm font-semibold">{label}</legend>
      {field.fault === null ? null : (
        <p id={`${field.id}f`} className="text-sm font-medium text-bad">
          {field.fault}
        </p>
      )}
      <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
        {words.map(([word, hint]) => (
          <div key={word} className={word === everything ? "sm:col-span-2" : ""}>
            <CheckField
              value={word}
              label={word === everything ? say("keys.all-scopes") : word}
              {...(hint === null ? {} : { hint })}
              isOn={chosen.includes(word)}
              onChange={(isOn) => field.onChange(change(chosen, word, isOn).join())}
            />
          </div>
        ))}
      </div>
    </fieldset>
  )
}

const setOf = (chosen: ReadonlyArray<string>, word: string, isOn: boolean): ReadonlyArray<string> =>
  isOn ? [...chosen, word] : chosen.filter((one) => one !== word)

/** Scopes with which a key spends credits on real calls. */
const callers: ReadonlyArray<string> = ["campaigns:write", "calls:write"]

const scopeChoices = (chosen: ReadonlyArray<string>) => [
  [everything, null] as const,
  // One that is newer than this page stays where it was given.
  ...[...new Set([...scopes, ...chosen])]
    .filter((scope) => scope !== everything)
    .map((scope) => [scope, callers.includes(scope) ? say("keys.places-calls") : null] as const)
]

const Fields = ({ form }: { readonly form: Form<Name> }) => (
  <>
    <TextField label={say("field.name")} autoComplete="off" maxLength={255} field={form.field("name")} />
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <TextField label={say("keys.budget")} hint={say("keys.budget-hint")} field={form.field("budget")} />
      <SelectField
        label={say("keys.period")}
        field={form.field("budget_period")}
        options={[
          { value: "total", text: say("key-period.total") },
          { value: "month", text: say("key-period.month") }
        ]}
      />
    </div>
    <TextField
      label={say("keys.expires")}
      hint={say("keys.expires-hint")}
      type="datetime-local"
      field={form.field("expires_at")}
    />
    <Choices
      label={say("keys.permissions")}
      field={form.field("permissions")}
      words={permissions.map((word) => [word, say(`service.${word}`)] as const)}
      change={setOf}
    />
    <Choices
      label={say("keys.scopes")}
      field={form.field("scopes")}
      words={scopeChoices(wordsIn(form.values.scopes))}
      change={scopesAfter}
    />
  </>
)

const Further = ({ form }: { readonly form: Form<Name> }) => {
  const isOpen = further.some((name) => form.values[name] !== "" || form.field(name).fault !== null)
  return (
    <details open={isOpen ? true : undefined} className="border-t border-line pt-3">
      <summary className="text-sm font-semibold text-soft hover:text-ink">{say("keys.more")}</summary>
      <div className="mt-3 grid grid-cols-1 gap-4 sm:grid-cols-2">
        {further.map((name) => (
          <TextField
            key={name}
            label={say(`keys.${name}`)}
            autoComplete="off"
            {...(name === "models" ? { hint: say("keys.models-hint") } : {})}
            {...(name === "domains" ? { hint: say("keys.domains-hint") } : {})}
            field={form.field(name)}
          />
        ))}
      </div>
    </details>
  )
}

const KeyForm = ({
  children,
  form,
  onClose,
  submit
}: {
  readonly form: Form<Name>
  readonly submit: string
  readonly onClose: () => void
  readonly children?: ReactNode
}) => (
  <FormBox form={form} className="mt-4 grid grid-cols-1 gap-4">
    {children}
    <Fields form={form} />
    <Further form={form} />
    <div className="mt-2 flex flex-wrap justify-end gap-2">
      <Button onPress={onClose}>{say("action.back")}</Button>
      <Button type="submit" look="primary" writes isBusy={form.isBusy}>
        {submit}
      </Button>
    </div>
  </FormBox>
)

export const NewKeyDialog = ({
  onClose,
  onLost,
  onMade
}: {
  readonly onClose: () => void
  readonly onMade: (made: ApiKeyWithText) => void
  /** Nobody knows whether the key was made. */
  readonly onLost: () => void
}) => {
  const form = useForm<Name>({
    initial: initialOf(null),
    draft: "key",
    check: checked,
    submit: async (values, idempotencyKey) => {
      try {
        onMade(await api.keys.create(bodyOf(values), { idempotencyKey }))
        void readAgain("keys")
      } catch (error) {
        if (isUnknown(error)) onLost()
        throw error
      }
    }
  })
  return (
    <Dialog title={say("keys.new")} onClose={onClose}>
      <KeyForm form={form} submit={say("keys.create")} onClose={onClose} />
    </Dialog>
  )
}

const ChangeForm = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const before = initialOf(apiKey)
  const form = useForm<Name>({
    initial: before,
    check: checked,
    submit: async (values) => {
      const saved = await api.keys.change(apiKey.id, changeOf(before, values))
      sayResult(say("keys.saved", { name: nameOf(saved) }))
      onClose()
      await readAgain("keys")
    }
  })
  return <KeyForm form={form} submit={say("keys.save")} onClose={onClose} />
}

/** The key that the address names. */
export const ChangeKeyDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["key", id],
    queryFn: ({ signal }) => api.keys.get(id, { signal }),
    meta: { topics: ["keys"] }
  })
  return (
    <Dialog
      title={data === undefined ? say("keys.change") : say("keys.change-which", { name: nameOf(data) })}
      onClose={onClose}
    >
      {data !== undefined ? (
        <ChangeForm apiKey={data} onClose={onClose} />
      ) : (
        <div className="mt-4 grid gap-4">
          {error !== null && !isStatus(error, 401) ? (
            <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
          ) : (
            <span className="skeleton block h-40 rounded-lg" />
          )}
          <div className="flex justify-end">
            <Button onPress={onClose}>{say("action.back")}</Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
