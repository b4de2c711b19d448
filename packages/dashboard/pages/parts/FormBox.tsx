/** A form: its values, its faults at their fields, and one order however often it is sent. */
import { ApiError } from "@trunkline/client"
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import type { Fault } from "../frame/Notices.ts"
import { say, sayCount } from "../frame/Say.ts"
import { isUnknown, newKey } from "../frame/ServerRequests.ts"
import { useWritesOff } from "./Button.tsx"
import { dropDraft, keepDraft, readDraft } from "./Drafts.ts"
import { FaultAlert } from "./FaultAlert.tsx"
import type { FieldState } from "./FormFields.tsx"

type Values = Readonly<Record<string, string>>

const namesOf = <Names extends string>(record: Readonly<Record<Names, unknown>>): ReadonlyArray<Names> =>
  Object.keys(record) as Array<Names>

/** An answer that is no error says what is wrong with fields. */
export class FieldFaults extends Error {
  readonly faults: Readonly<Record<string, string>>
  constructor(faults: Readonly<Record<string, string>>) {
    super("The answer says what is wrong with fields.")
    this.faults = faults
  }
}

interface Given<Names extends string> {
  readonly initial: Readonly<Record<Names, string>>
  /** Under this name it is kept over a reload. Passwords have none. */
  readonly draft?: string
  /** What the server calls a field, where that differs. */
  readonly fields?: Readonly<Record<string, Names>>
  /** What the page itself sees to be wrong, so that the server need not be asked. */
  readonly check?: (values: Readonly<Record<Names, string>>) => Partial<Record<Names, string>>
  readonly submit: (values: Readonly<Record<Names, string>>, idempotencyKey: string) => Promise<void>
  /** A sentence for an error that means something of its own here. */
  readonly explain?: (error: ApiError) => string | null
}

export interface Form<Names extends string> {
  readonly values: Readonly<Record<Names, string>>
  readonly field: (name: Names) => FieldState
  readonly set: (name: Names, value: string) => void
  readonly isBusy: boolean
  readonly send: () => Promise<void>
  readonly faults: ReadonlyArray<readonly [id: string, sentence: string]>
  readonly fault: Fault | null
}

export const useForm = <Names extends string>(given: Given<Names>): Form<Names> => {
  const base = useId()
  const [values, setValues] = useState<Readonly<Record<Names, string>>>(() => ({
    ...given.initial,
    ...(given.draft === undefined ? {} : readDraft<Values>(given.draft))
  }))
  const [wrong, setWrong] = useState<Partial<Record<Names, string>>>({})
  const [fault, setFault] = useState<Fault | null>(null)
  const [isBusy, setBusy] = useState(false)
  /** Made when the text is first sent, and kept until there is an answer. */
  const key = useRef<string | null>(null)
  const sending = useRef(false)
  const labels = useRef<Partial<Record<string, string>>>({})
  const idOf = (name: string) => `${base}${name}`

  const show = (found: Partial<Record<Names, string>>): void => {
    setWrong(found)
    const first = namesOf(given.initial).find((name) => found[name] !== undefined)
    // After the faults have been drawn, so that the reader hears them with the field.
    if (first !== undefined) requestAnimationFrame(() => document.getElementById(idOf(first))?.focus())
  }

  const faultsOf = ({ fields }: ApiError): Partial<Record<Names, string>> => {
    const found: Partial<Record<Names, string>> = {}
    for (const { message, path } of fields) {
      const name = path.map(String).find((part) => part in given.initial || part in (given.fields ?? {}))
      if (name === undefined) continue
      found[(given.fields?.[name] ?? name) as Names] = message
    }
    return found
  }

  const send = async (): Promise<void> => {
    if (sending.current) return
    const found = given.check?.(values) ?? {}
    setFault(null)
    show(found)
    if (Object.keys(found).length > 0) return
    sending.current = true
    setBusy(true)
    key.current ??= newKey()
    try {
      await given.submit(values, key.current)
      key.current = null
      if (given.draft !== undefined) dropDraft(given.draft)
    } catch (error) {
      // Nobody knows what has become of it: sent again, it must be the same order.
      if (!isUnknown(error)) key.current = null
      const atFields =
        error instanceof FieldFaults
          ? (error.faults as Partial<Record<Names, string>>)
          : error instanceof ApiError && error.status === 422
            ? faultsOf(error)
            : {}
      if (Object.keys(atFields).length > 0) show(atFields)
      else {
        const own = error instanceof ApiError ? given.explain?.(error) : null
        setFault(own === null || own === undefined ? faultOfWrite(error, () => void send()) : { sentence: own })
      }
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  const set = (name: Names, value: string): void => {
    setValues((present) => {
      const next = { ...present, [name]: value }
      if (given.draft !== undefined) keepDraft(given.draft, next)
      return next
    })
    // Another text is another order.
    key.current = null
    if (wrong[name] !== undefined) setWrong(({ [name]: _, ...rest }) => rest as Partial<Record<Names, string>>)
  }

  return {
    values,
    set,
    isBusy,
    send,
    fault,
    field: (name) => ({
      value: values[name],
      onChange: (value) => set(name, value),
      id: idOf(name),
      named: (label) => {
        labels.current[name] = label
      },
      fault: wrong[name] ?? null
    }),
    faults: namesOf(given.initial).flatMap((name) => {
      const sentence = wrong[name]
      return sentence === undefined ? [] : [[idOf(name), `${labels.current[name] ?? name}: ${sentence}`] as const]
    })
  }
}

/** The form around its fields: a summary of what is wrong, whose links lead to the fields. */
export const FormBox = <Names extends string>({
  children,
  form,
  className = "grid gap-4",
  isFaultApart = false
}: {
  readonly form: Form<Names>
  /** The form is long: what went wrong with the whole of it is shown beside the button instead. */
  readonly isFaultApart?: boolean
  readonly children: ReactNode
  readonly className?: string
}) => {
  const away = useWritesOff()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (away === null) void form.send()
  }
  return (
    <form noValidate onSubmit={submit} className={className}>
      {form.fault === null || isFaultApart ? null : <FaultAlert fault={form.fault} />}
      {form.faults.length === 0 ? null : (
        <div role="alert" className="banner is-bad">
          <div className="grid gap-1">
            <p className="font-semibold">{sayCount("form.faults", form.faults.length)}</p>
            <ul className="grid gap-0.5">
              {form.faults.map(([id, sentence]) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="text-link"
                    onClick={(event) => {
                      // What follows the sign is a place of the page otherwise.
                      event.preventDefault()
                      document.getElementById(id)?.focus()
                    }}
                  >
                    {sentence}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {children}
    </form>
  )
}

/** A fault for each of these fields that is empty. */
export const missing = <Names extends string>(
  values: Readonly<Record<Names, string>>,
  ...names: ReadonlyArray<NoInfer<Names>>
): Partial<Record<Names, string>> =>
  Object.fromEntries(
    names.filter((name) => values[name].trim() === "").map((name) => [name, say("form.required")])
  ) as Partial<Record<Names, string>>
