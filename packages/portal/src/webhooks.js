// @ts-check
/**
 * The portal of an account's webhooks. Its token comes in the URL's fragment, which no server and no log sees, is taken out
 * of it at once and kept in memory alone. Whatever is shown is put there as text, never as HTML.
 *
 * @typedef {{ id: string, url: string, secret: string, events: string[], is_active: boolean, bot_id: string | null,
 *   retry_schedule: "standard" | "long", pause_after_days: number | null, failing_since: string | null,
 *   previous_secret_until: string | null, created_at: string }} Webhook
 * @typedef {{ id: string, event: string, status: string, status_code: number | null, attempts: number, success: boolean,
 *   error: string | null, created_at: string, delivered_at: string | null, next_attempt_at: string | null,
 *   payload?: unknown }} Delivery
 * @typedef {{ event: string, category: string, fires: string, fired_by: "product" | "host" }} EventKind
 * @typedef {string | Node | null | false} Child
 * @typedef {import("./Words.ts").Word} Word
 */
import { english } from "./Words.ts"

/** Beside the portal, wherever both are mounted. */
const api = new URL("../api/v1/webhooks", location.href).pathname

/** The most that one list tells. */
const mostListed = 200
const fewDeliveries = 50

/** How often and how long a delivery that was asked for is looked at until it has ended. */
const lookEveryMs = 1500
const looks = 40

/** How often what is shown is asked for again: while an attempt is near, and while none is. */
const busyEveryMs = 3000
const calmEveryMs = 15_000

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether http:// is accepted too, in networks that the operator names: the page itself says so. */
const allowsHttp = document.documentElement.hasAttribute("data-plain-http")

// Words -------------------------------------------------------------------------------------------------------------

const { dataset, lang } = document.documentElement

/**
 * Texts of the installation's own, which stand in place of the English ones.
 *
 * @type {Record<string, string | undefined>}
 */
const ownWords = JSON.parse(dataset.words ?? "{}")

/** Dates of English are as in Britain: the day comes first. */
const locale = lang === "en" ? "en-GB" : lang
const plurals = new Intl.PluralRules(locale)

/** The text of a key, the installation's own first. */
const wordOf = (/** @type {Word} */ key) => ownWords[key] ?? english[key]

/**
 * What a text consists of, with values where its placeholders are.
 *
 * @template {Child | number} Value
 * @param {string} text
 * @param {Readonly<Record<string, Value>>} [values]
 */
const filled = (text, values = {}) =>
  text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : /** @type {Value} */ (values[part])))

/** @type {<Key extends Word>(key: Key, ...values: import("./Words.ts").Values<Key, string | number>) => string} */
const words = (key, ...[values]) => filled(wordOf(key), values).join("")

/**
 * A text that has elements in it.
 *
 * @type {<Key extends Word>(key: Key, ...values: import("./Words.ts").Values<Key, Node>) => Child[]}
 */
const marked = (key, ...[values]) => filled(wordOf(key), values)

/**
 * A text about a number. The page's language chooses the form of the installation's texts, English that of its own.
 *
 * @type {<Name extends import("./Words.ts").Counted>(name: Name, count: number,
 *   ...values: import("./Words.ts").CountedValues<Name>) => string}
 */
const counted = (name, count, ...[values]) => {
  const own = ownWords[`${name}.${plurals.select(count)}`] ?? ownWords[`${name}.other`]
  return filled(own ?? english[`${name}.${count === 1 ? "one" : "other"}`], { ...values, count }).join("")
}

// The token ---------------------------------------------------------------------------------------------------------

let token = ""
/** Whether there was one, and it is over. */
let wasOpen = false

const takeToken = () => {
  const given = new URLSearchParams(location.hash.slice(1)).get("token")
  if (given === null || given === "") return false
  token = given
  wasOpen = true
  // Neither the history nor somebody who looks at the address has it.
  history.replaceState(null, "", location.pathname + location.search)
  return true
}

/** Tells the page around this one; nothing in it is secret, so that it does not matter who hears. */
const tellHost = (/** @type {object} */ news) => {
  if (window.parent !== window) window.parent.postMessage({ source: "webhooks-portal", ...news }, "*")
}

// Requests ----------------------------------------------------------------------------------------------------------

class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {Record<string, string>} [fields]
   */
  constructor(status, message, fields = {}) {
    super(message)
    this.status = status
    this.fields = fields
  }
}

/** What a refusal says: a sentence, or a list of fields with what is wrong with each. */
const refusedBy = (/** @type {number} */ status, /** @type {any} */ detail) => {
  if (status === 401) return new Refused(status, words("refused.expired"))
  if (status === 429) return new Refused(status, words("refused.limit"))
  if (Array.isArray(detail)) {
    const fields = Object.fromEntries(detail.map(({ loc, msg }) => [String(loc[1] ?? ""), String(msg)]))
    return new Refused(status, words("refused.fields"), fields)
  }
  return new Refused(status, typeof detail === "string" && status < 500 ? detail : words("refused.server"))
}

/**
 * @param {string} method
 * @param {string} [path]
 * @param {object} [body]
 */
const ask = async (method, path = "", body) => {
  if (token === "") throw new Refused(401, words(wasOpen ? "refused.expired" : "refused.missing"))
  const response = await fetch(api + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    // The token alone says who is asking: a session of the host's own says something else.
    credentials: "omit",
    cache: "no-store",
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch(() => {
    throw new Refused(0, words("refused.unreachable"))
  })
  const answer = response.status === 204 ? null : await response.json().catch(() => null)
  if (!response.ok) throw refusedBy(response.status, answer?.detail)
  return { answer, total: Number(response.headers.get("x-total-count") ?? 0) }
}

/** @type {EventKind[] | undefined} */
let catalogue
const eventKinds = async () => {
  catalogue ??= /** @type {EventKind[]} */ ((await ask("GET", "/events")).answer)
  return catalogue
}

// What is shown -----------------------------------------------------------------------------------------------------

const region = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id))
const view = region("view")
const problemRegion = region("problem")
const saidRegion = region("said")

/** Read aloud where there is nothing to see, or what is seen is elsewhere. */
const say = (/** @type {string} */ text) => {
  // The same words twice are a change only when they were gone in between.
  saidRegion.textContent = ""
  setTimeout(() => {
    saidRegion.textContent = text
  }, 50)
}

const problem = (/** @type {string} */ text) => {
  problemRegion.textContent = text
}

/**
 * Notes of what came of an action: the next action takes them away.
 *
 * @type {Set<HTMLElement>}
 */
const notes = new Set()
const noteOf = (/** @type {string} */ kind, /** @type {string} */ text) => {
  const note = h("p", { class: `note ${kind}` }, text)
  notes.add(note)
  return note
}
const clearNotes = () => {
  for (const note of notes) note.remove()
  notes.clear()
}

/** @param {unknown} error */
const failed = (error) => {
  if (!(error instanceof Refused)) throw error
  if (error.status === 401) {
    token = ""
    tellHost({ event: "expired" })
  }
  problem(error.message)
  problemRegion.scrollIntoView({ block: "nearest" })
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [settings]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
const h = (tag, settings = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value))
  }
  for (const child of children.flat()) if (child !== null && child !== false) element.append(child)
  return element
}

/**
 * A button that does one thing at a time. It is never disabled, for it would lose the focus.
 *
 * @param {string} label
 * @param {(button: HTMLButtonElement) => unknown} act
 * @param {string} [kind]
 */
const button = (label, act, kind = "") => {
  const element = h("button", { type: "button", class: kind, click: () => alone(element, () => act(element)) }, label)
  return element
}

/**
 * @param {HTMLElement} element
 * @param {() => unknown} act
 */
const alone = async (element, act) => {
  if (element.getAttribute("aria-busy") === "true") return
  element.setAttribute("aria-busy", "true")
  problem("")
  clearNotes()
  try {
    await act()
  } catch (error) {
    failed(error)
  } finally {
    element.removeAttribute("aria-busy")
  }
}

const heading = (/** @type {string} */ text, className = "") => h("h1", { tabindex: -1, class: className }, text)

const clock = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" })
const time = (/** @type {string} */ at) => h("time", { datetime: at }, clock.format(new Date(at)))
const badge = (/** @type {string} */ kind, /** @type {string} */ text) => h("span", { class: `badge ${kind}` }, text)

/** @param {Array<[string, Child | Child[]]>} pairs */
const facts = (pairs) =>
  h(
    "dl",
    {},
    pairs.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])
  )

/** As a sentence among others. */
const stopped = (/** @type {string} */ text) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** A text of the catalogue's, which begins small and has words of the code between backquotes. */
const sentence = (/** @type {string} */ text) =>
  (text.charAt(0).toUpperCase() + text.slice(1))
    .split("`")
    .map((part, at) => (at % 2 === 0 ? part : h("code", {}, part)))

const stateOf = (/** @type {Webhook} */ { failing_since, is_active }) =>
  !is_active
    ? badge("calm", words("state.paused"))
    : failing_since === null
      ? badge("good", words("state.active"))
      : badge("bad", words("state.failing"))

const eventsOf = (/** @type {Webhook} */ { events }) =>
  events.length === 0
    ? words("events.every")
    : events.length === 1
      ? String(events[0])
      : counted("events.count", events.length)

/** @returns {[kind: string, text: string]} */
const endOf = (/** @type {Delivery} */ { attempts, error, status, success }) => {
  if (success) return ["good", words("state.delivered")]
  if (error === null) return ["calm", words(attempts === 0 ? "state.waiting" : "state.sending")]
  return status === "pending" ? ["warn", words("state.retrying")] : ["bad", words("state.failed")]
}
const hasEnded = (/** @type {Delivery} */ { status }) => status !== "pending"

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "always" })
const untilText = (/** @type {number} */ seconds) => {
  if (seconds < 90) return relative.format(seconds, "second")
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? relative.format(minutes, "minute") : relative.format(Math.round(minutes / 60), "hour")
}
const nextText = (/** @type {string} */ at) => {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000)
  return seconds <= 0 ? words("attempt.due") : words("attempt.next", { when: untilText(seconds) })
}

/**
 * Asks again from time to time for what a view shows, as long as it is shown and somebody can see it.
 *
 * @param {number} mine the turn of the view
 * @param {() => number} waitMs
 * @param {() => Promise<unknown>} refresh
 */
const keepFresh = async (mine, waitMs, refresh) => {
  for (;;) {
    await pause(waitMs())
    if (mine !== turn) return
    if (document.hidden) continue
    try {
      await refresh()
    } catch (error) {
      // What is away for a moment is there again at the next look; access does not come back by itself.
      if (mine === turn && error instanceof Refused && error.status === 401) return failed(error)
      if (!(error instanceof Refused)) throw error
    }
  }
}

// Views -------------------------------------------------------------------------------------------------------------

/** Counts the views that were opened: what comes back for an earlier one is dropped. */
let turn = 0
/** Opens the present view again. */
let again = () => {}
/** True while a form is open: a new token must not take away what was typed. */
let typing = false

/**
 * @param {() => Promise<Node> | Node} make
 * @param {{ quietly?: boolean, form?: boolean }} [how]
 */
const show = async (make, { form = false, quietly = false } = {}) => {
  turn += 1
  const mine = turn
  again = () => show(make, { form, quietly: true })
  problem("")
  try {
    const made = await make()
    if (mine !== turn) return
    typing = form
    view.replaceChildren(made)
    // Not when the page opens: the focus is the host's then.
    if (!quietly) view.querySelector("h1")?.focus()
  } catch (error) {
    if (mine !== turn) return
    failed(error)
    // What was there stays until there is access again.
    if (error instanceof Refused && error.status === 401) {
      if (view.querySelector("h1") === null) view.replaceChildren()
      return
    }
    const retry = button(words("action.retry"), () => again())
    view.replaceChildren(
      h("div", { class: "bar" }, retry, make !== list && button(words("action.list"), () => show(list)))
    )
    if (!quietly) retry.focus()
  }
}

const list = async () => {
  const mine = turn
  const look = () => ask("GET", `?limit=${mostListed}`)
  const { answer, total } = await look()
  const webhooks = /** @type {Webhook[]} */ (answer)
  keepFresh(
    mine,
    () => calmEveryMs,
    async () => {
      const { answer: now } = await look()
      if (mine !== turn || JSON.stringify(now) === JSON.stringify(answer)) return
      const focused = document.activeElement?.id ?? ""
      await show(list, { quietly: true })
      if (focused !== "") document.getElementById(focused)?.focus()
    }
  )
  const add = button(words("action.add"), () => show(() => edit(null), { form: true }), "main")
  add.id = "add"
  const row = (/** @type {Webhook} */ webhook) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "row", id: `endpoint-${webhook.id}`, click: () => show(() => detail(webhook.id)) },
        h("span", { class: "name mono" }, webhook.url),
        h("span", { class: "line" }, stateOf(webhook), h("span", {}, eventsOf(webhook)))
      )
    )
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "top" },
      h("div", { class: "stack close" }, heading(words("page.title")), h("p", { class: "quiet" }, words("list.hint"))),
      webhooks.length > 0 && add
    ),
    webhooks.length > 0
      ? h("ul", { class: "rows", "aria-label": words("list.label") }, webhooks.map(row))
      : h(
          "div",
          { class: "box empty" },
          h("h2", {}, words("list.empty.title")),
          h("p", { class: "quiet" }, words("list.empty.hint")),
          add
        ),
    total > webhooks.length && h("p", { class: "quiet" }, words("list.newest", { count: webhooks.length, total }))
  )
}

const back = (/** @type {string} */ text, /** @type {() => unknown} */ act) =>
  h("div", {}, button(`‹ ${text}`, act, "plain"))

/** Shows a secret, this once. */
const secretOf = (
  /** @type {Webhook} */ { id, secret },
  /** @type {string} */ title,
  /** @type {Child[]} */ ...more
) => {
  const field = h("input", {
    id: "secret",
    type: "text",
    readonly: true,
    value: secret,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "secret-hint",
    focus: () => field.select()
  })
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      say(words("secret.said"))
      copied.textContent = words("secret.copied")
    } catch {
      // A page around this one that does not allow it, or a browser that does not.
      field.focus()
      say(words("secret.selected"))
    }
  }
  const copied = button(words("action.copy"), copy)
  return h(
    "div",
    { class: "stack" },
    heading(title),
    h(
      "div",
      { class: "box" },
      h("label", { for: "secret" }, words("secret.label")),
      h("div", { class: "secret" }, field, copied),
      h("p", { id: "secret-hint", class: "hint" }, words("secret.hint")),
      more.length > 0 && h("p", {}, ...more)
    ),
    h(
      "div",
      {},
      button(words("secret.done"), () => show(() => detail(id)), "main")
    )
  )
}

/**
 * The fields of an endpoint that is there, or of a new one.
 *
 * @param {Webhook | null} webhook
 * @returns {Promise<Node>}
 */
const edit = async (webhook) => {
  const kinds = await eventKinds()
  const wanted = new Set(webhook?.events ?? [])
  const leave = () => show(webhook === null ? list : () => detail(webhook.id))

  const url = h("input", {
    id: "url",
    name: "url",
    type: "url",
    required: true,
    maxlength: 2048,
    value: webhook?.url ?? "",
    placeholder: "https://example.com/webhooks",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "url-hint url-fault"
  })
  const urlFault = h("p", { id: "url-fault", class: "fault" })

  const which = (/** @type {string} */ value, /** @type {string} */ text, /** @type {boolean} */ checked) => {
    const input = h("input", {
      type: "radio",
      name: "which",
      id: `which-${value}`,
      value,
      checked,
      change: () => shown()
    })
    return { input, line: h("div", { class: "choice" }, input, h("label", { for: input.id }, text)) }
  }
  const all = webhook !== null && wanted.size === 0
  const every = which("every", words("events.every.choice"), all)
  const some = which("some", words("events.some.choice"), !all)
  const eventsFault = h("p", { id: "events-fault", class: "fault" })

  const boxes = kinds.map((kind) => {
    const { event, fires } = kind
    const input = h("input", {
      type: "checkbox",
      name: "event",
      id: `event-${event}`,
      value: event,
      checked: wanted.has(event),
      "aria-describedby": `fires-${event}`
    })
    const hint = h("span", { class: "hint", id: `fires-${event}` }, sentence(fires))
    const label = h("label", { for: input.id, class: "mono" }, event)
    return { kind, input, line: h("div", { class: "choice" }, input, label, hint) }
  })
  const groups = [...new Set(kinds.map(({ category }) => category))].map((category, at) => {
    const own = boxes.filter(({ kind }) => kind.category === category)
    const isHosts = own.every(({ kind }) => kind.fired_by === "host")
    let isOpen = own.some(({ input }) => input.checked)
    const amount = h("span", { class: "quiet" })
    const body = h(
      "div",
      { id: `group-${at}`, class: "choices" },
      isHosts && h("p", { class: "hint" }, words("events.provider")),
      own.map(({ line }) => line)
    )
    const head = h(
      "button",
      {
        type: "button",
        class: "disclose",
        "aria-controls": body.id,
        click: () => {
          isOpen = !isOpen
          update()
        }
      },
      h("span", {}, category, " ", amount)
    )
    // While something is looked for, only what was found is meant.
    const meant = () => own.filter(({ line }) => !line.hidden)
    const toggle = button(
      words("events.all"),
      () => {
        const checked = meant().some(({ input }) => !input.checked)
        for (const { input } of meant()) input.checked = checked
        if (checked) isOpen = true
        update()
      },
      "plain"
    )
    let wanted = ""
    const update = () => {
      for (const { kind, line } of own) {
        line.hidden = !`${kind.event} ${category} ${kind.fires}`.toLowerCase().includes(wanted)
      }
      const found = meant()
      element.hidden = found.length === 0
      body.hidden = !(isOpen || wanted !== "")
      head.setAttribute("aria-expanded", String(!body.hidden))
      amount.textContent = words("events.chosen", {
        count: own.filter(({ input }) => input.checked).length,
        total: own.length
      })
      const action = words(found.every(({ input }) => input.checked) ? "events.nothing" : "events.all")
      toggle.textContent = action
      toggle.setAttribute("aria-label", words("events.toggle", { action, category }))
      return found.length
    }
    const element = h("div", { class: "group", role: "group", "aria-label": category, change: () => update() })
    element.append(h("div", { class: "group-head" }, head, toggle), body)
    update()
    const find = (/** @type {string} */ text) => {
      wanted = text
      return update()
    }
    return { element, find }
  })
  const nothing = h("p", { class: "quiet" }, words("events.none"))
  nothing.hidden = true
  const search = h("input", {
    id: "find",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: words("events.find.example"),
    input: () => {
      const found = groups.reduce((sum, { find }) => sum + find(search.value.trim().toLowerCase()), 0)
      nothing.hidden = found > 0
      say(found === 0 ? words("events.none") : counted("events.found", found))
    },
    // It would send the form.
    keydown: (event) => event.key === "Enter" && event.preventDefault()
  })
  const chosen = h(
    "div",
    { class: "stack close" },
    h("div", { class: "field" }, h("label", { for: "find" }, words("events.find")), search),
    h(
      "div",
      { class: "groups" },
      groups.map(({ element }) => element)
    ),
    nothing
  )
  const shown = () => {
    chosen.hidden = every.input.checked
  }
  shown()

  const option = (/** @type {string} */ value, /** @type {string} */ text) =>
    h("option", { value, selected: webhook?.retry_schedule === value }, text)
  const schedule = h(
    "select",
    { id: "schedule" },
    option("standard", words("retries.standard")),
    option("long", words("retries.long"))
  )
  const days = h("input", {
    id: "days",
    type: "number",
    min: 1,
    max: 30,
    step: 1,
    value: webhook?.pause_after_days ?? "",
    "aria-describedby": "days-hint days-fault"
  })
  const daysFault = h("p", { id: "days-fault", class: "fault" })

  /** @type {Array<[field: string, input: HTMLInputElement, fault: HTMLElement]>} */
  const places = [
    ["url", url, urlFault],
    ["events", some.input, eventsFault],
    ["pause_after_days", days, daysFault]
  ]
  const faulty = (/** @type {Record<string, string>} */ fields) => {
    for (const [field, input, fault] of places) {
      fault.textContent = fields[field] ?? ""
      if (field in fields) input.setAttribute("aria-invalid", "true")
      else input.removeAttribute("aria-invalid")
    }
    const first = places.find(([field]) => field in fields)
    if (first === undefined) return false
    if (first[1] === days) more.open = true
    first[1].focus()
    return true
  }

  const more = h(
    "details",
    {},
    h("summary", {}, words("edit.more")),
    h(
      "div",
      { class: "stack box" },
      h("div", { class: "field" }, h("label", { for: "schedule" }, words("edit.schedule")), schedule),
      h(
        "div",
        { class: "field" },
        h("label", { for: "days" }, words("edit.days")),
        days,
        h("p", { id: "days-hint", class: "hint" }, words("edit.days.hint")),
        daysFault
      )
    )
  )

  const save = async () => {
    const events = boxes.filter(({ input }) => input.checked).map(({ input }) => input.value)
    const days_ = days.value === "" ? null : Number(days.value)
    const wrong = {
      ...(url.value.trim() === "" ? { url: words("edit.url.fault") } : {}),
      ...(some.input.checked && events.length === 0 ? { events: words("events.fault") } : {}),
      ...(days.validity.valid ? {} : { pause_after_days: words("edit.days.fault") })
    }
    if (faulty(wrong)) return
    const settings = { url: url.value.trim(), retry_schedule: schedule.value, pause_after_days: days_ }
    try {
      if (webhook === null) await create({ ...settings, events })
      else {
        await ask("PUT", `/${webhook.id}`, { ...settings, events: every.input.checked ? [] : events })
        await show(() => detail(webhook.id))
        say(words("edit.saved"))
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // What is refused in a sentence is the URL: that it must not be called.
      const fields = error.status === 400 ? { url: error.message } : error.fields
      if (!faulty(fields)) failed(error)
    }
  }

  const create = async (/** @type {{ events: string[] }} */ fields) => {
    const isAll = every.input.checked
    // A new endpoint names its events; that it is to hear of later ones too is said afterwards.
    const events = isAll ? kinds.map(({ event }) => event) : fields.events
    const { answer } = await ask("POST", "", { ...fields, events })
    if (isAll) await ask("PUT", `/${answer.id}`, { events: [] }).catch(() => {})
    await show(() => secretOf(answer, words("edit.added")))
  }

  const submit = h("button", { type: "submit", class: "main" }, words(webhook === null ? "action.add" : "action.save"))
  return h(
    "form",
    {
      class: "stack",
      novalidate: true,
      submit: (event) => {
        event.preventDefault()
        alone(submit, save)
      }
    },
    back(words(webhook === null ? "action.list" : "action.back"), leave),
    heading(words(webhook === null ? "action.add" : "edit.title")),
    h(
      "div",
      { class: "field" },
      h("label", { for: "url" }, words("edit.url")),
      url,
      h("p", { id: "url-hint", class: "hint" }, words(allowsHttp ? "edit.url.hint.plain" : "edit.url.hint")),
      urlFault
    ),
    h(
      "fieldset",
      { class: "stack", "aria-describedby": "events-fault" },
      h("legend", {}, words("events.title")),
      h("div", { class: "field" }, every.line, some.line, eventsFault),
      chosen
    ),
    more,
    h("div", { class: "bar footer" }, submit, button(words("action.cancel"), leave))
  )
}

/**
 * One endpoint with its deliveries.
 *
 * @param {string} id
 * @returns {Promise<Node>}
 */
const detail = async (id) => {
  const mine = turn
  let limit = fewDeliveries
  /** Which deliveries are listed: all, or those of one status. */
  let status_ = ""
  const log = () => ask("GET", `/${id}/deliveries?limit=${limit}${status_ === "" ? "" : `&status=${status_}`}`)
  const [found, first] = await Promise.all([ask("GET", `/${id}`), log()])
  /** @type {Webhook} */
  let webhook = found.answer
  /** Counts what was changed here, so that an answer from before it is not taken for news. */
  let changes = 0

  const status = h("div", { class: "line" })
  const settings = h("div", {})
  const panel = h("div", { class: "place" })
  const logPanel = h("div", { class: "place" })
  let shownWebhook = ""
  const update = () => {
    // What has not changed is left alone: somebody may be selecting it.
    if (shownWebhook === JSON.stringify(webhook)) return
    shownWebhook = JSON.stringify(webhook)
    status.replaceChildren(stateOf(webhook), h("span", {}, eventsOf(webhook)))
    const { bot_id, created_at, events, failing_since, pause_after_days, previous_secret_until, retry_schedule } =
      webhook
    const schedule = words(retry_schedule === "long" ? "retries.long" : "retries.standard")
    const rotating = previous_secret_until !== null && Date.parse(previous_secret_until) > Date.now()
    /** @type {Array<[string, Child | Child[]]>} */
    const pairs = [
      [
        words("events.title"),
        events.length === 0 ? words("events.every") : h("span", { class: "mono" }, events.join(", "))
      ],
      ...(bot_id === null
        ? []
        : /** @type {Array<[string, Child]>} */ ([[words("endpoint.agent"), h("code", {}, bot_id)]])),
      [words("secret.label"), h("code", {}, webhook.secret)],
      ...(rotating
        ? /** @type {Array<[string, Child[]]>} */ ([
            [
              words("endpoint.previous"),
              marked("endpoint.previous.until", { time: time(/** @type {string} */ (previous_secret_until)) })
            ]
          ])
        : []),
      [
        words("retries.title"),
        pause_after_days === null ? schedule : counted("retries.pause", pause_after_days, { schedule })
      ],
      ...(failing_since === null
        ? []
        : /** @type {Array<[string, Child]>} */ ([[words("endpoint.failing"), time(failing_since)]])),
      [words("endpoint.added"), time(created_at)]
    ]
    settings.replaceChildren(facts(pairs))
    toggle.textContent = words(webhook.is_active ? "action.pause" : "action.resume")
  }
  const note = (/** @type {string} */ kind, /** @type {string} */ text) => {
    panel.replaceChildren(noteOf(kind, text))
    say(text)
  }

  /**
   * Asks before something is done that cannot be undone. Escape and the second button lead back to where it began.
   *
   * @param {HTMLElement} from
   * @param {string} title
   * @param {Child[]} text
   * @param {HTMLButtonElement} yes
   * @param {HTMLElement} [place]
   */
  const confirm = (from, title, text, yes, place = panel) => {
    const leave = () => {
      place.replaceChildren()
      from.focus()
    }
    const title_ = h("h2", { id: "confirm", tabindex: -1 }, title)
    // One question at a time.
    for (const one of [panel, logPanel]) one.replaceChildren()
    place.replaceChildren(
      h(
        "section",
        {
          class: "box",
          "aria-labelledby": "confirm",
          keydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key !== "Escape") return
            event.stopPropagation()
            leave()
          }
        },
        title_,
        ...text,
        h("div", { class: "bar" }, yes, button(words("action.cancel"), leave))
      )
    )
    title_.focus()
  }

  const test = button(words("action.test"), async () => {
    panel.replaceChildren(noteOf("calm", words("test.sending")))
    say(words("test.said"))
    try {
      const { answer } = await ask("POST", `/${id}/test`)
      const { error, latency_ms: ms, status_code: status } = answer
      if (answer.success) note("good", words("test.arrived", { status, ms }))
      else note("bad", words("test.failed", { ms, error: stopped(error) }))
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400) {
        panel.replaceChildren()
        throw error
      }
      note("bad", error.message)
    }
  })
  const toggle = button(words("action.pause"), async () => {
    changes += 1
    webhook = (await ask("PUT", `/${id}`, { is_active: !webhook.is_active })).answer
    changes += 1
    update()
    for (const row of rows.values()) row.tick()
    note(webhook.is_active ? "good" : "calm", words(webhook.is_active ? "endpoint.resumed" : "endpoint.paused"))
  })
  const rotate = button(words("action.rotate"), (from) => {
    const overlap = h(
      "select",
      { id: "overlap" },
      h("option", { value: 86_400 }, words("rotate.overlap.day")),
      h("option", { value: 3600 }, words("rotate.overlap.hour")),
      h("option", { value: 604_800 }, words("rotate.overlap.week")),
      h("option", { value: 0 }, words("rotate.overlap.none"))
    )
    const yes = button(
      words("rotate.yes"),
      async () => {
        const { answer } = await ask("POST", `/${id}/rotate-secret`, { overlap_seconds: Number(overlap.value) })
        const until = answer.previous_secret_until
        await show(() =>
          until === null
            ? secretOf(answer, words("rotate.done"), words("rotate.done.none"))
            : secretOf(answer, words("rotate.done"), ...marked("rotate.done.until", { time: time(until) }))
        )
      },
      "main"
    )
    const field = h("div", { class: "field" }, h("label", { for: "overlap" }, words("rotate.overlap")), overlap)
    confirm(from, words("rotate.title"), [field], yes)
  })
  const remove = button(
    words("action.delete"),
    (from) => {
      const yes = button(
        words("delete.yes"),
        async () => {
          await ask("DELETE", `/${id}`)
          await show(list)
          say(words("delete.done"))
        },
        "harm"
      )
      confirm(from, words("delete.title"), [h("p", {}, words("delete.hint"))], yes)
    },
    "harm"
  )

  // Deliveries: rows are kept and changed, so that what is open stays open and the focus stays where it is.

  /**
   * @type {Map<string, { item: HTMLLIElement, update: (delivery: Delivery) => void, tick: () => void,
   *   isInUse: () => boolean }>}
   */
  const rows = new Map()
  /** @type {Delivery[]} */
  let deliveries = []

  const rowOf = (/** @type {Delivery} */ initial) => {
    let delivery = initial
    const state = h("span", { class: "state" })
    const when = h("span", { class: "when" }, time(delivery.created_at))
    const more = h("span", { class: "more" })
    const body = h("div", { class: "opened", id: `opened-${delivery.id}`, hidden: true })
    const head = h(
      "button",
      {
        type: "button",
        class: "row sent",
        "aria-expanded": "false",
        "aria-controls": body.id,
        click: () => alone(head, toggleBody)
      },
      state,
      h("span", { class: "name" }, h("span", { class: "mono" }, delivery.event), more),
      when
    )
    const result = h("div", { class: "place" })
    const told = h("div", {})
    const toggleBody = async () => {
      const opens = body.hidden
      if (opens && body.childElementCount === 0) {
        const { answer } = await ask("GET", `/${id}/deliveries/${delivery.id}`)
        const name = `payload-${delivery.id}`
        body.append(
          told,
          h("h3", { id: name }, words("delivery.payload")),
          // It scrolls, so the keyboard must be able to reach it.
          h("pre", { tabindex: 0, role: "region", "aria-labelledby": name }, JSON.stringify(answer.payload, null, 2)),
          result,
          h("div", {}, replay)
        )
      }
      body.hidden = !opens
      head.setAttribute("aria-expanded", String(opens))
    }
    const replayed = (/** @type {string} */ kind, /** @type {string} */ text) => {
      result.replaceChildren(noteOf(kind, text))
      say(text)
    }
    const replay = button(words("action.replay"), async () => {
      if (!webhook.is_active) return replayed("warn", words("replay.paused"))
      const { answer } = await ask("POST", `/${id}/deliveries/${delivery.id}/replay`)
      replayed("calm", words("replay.queued"))
      watch(answer.delivery_id, replayed)
    })
    replay.setAttribute("aria-label", words("action.replayEvent", { event: delivery.event }))
    /** What changes with the time alone. */
    const tick = () => {
      const { error, next_attempt_at } = delivery
      // The first part says what happened, the rest what to do about it.
      const why = error === null ? "" : stopped(error.split(/[;:]/, 1)[0] ?? "")
      const when =
        error === null || next_attempt_at === null
          ? ""
          : webhook.is_active
            ? nextText(next_attempt_at)
            : words("attempt.resumed")
      more.textContent = `${why} ${when}`.trim()
    }
    let shown = ""
    const update = (/** @type {Delivery} */ now) => {
      delivery = now
      tick()
      if (shown === JSON.stringify(now)) return
      shown = JSON.stringify(now)
      state.replaceChildren(badge(...endOf(delivery)))
      const { attempts, created_at, delivered_at, error, next_attempt_at, status_code } = delivery
      told.replaceChildren(
        facts([
          [words("delivery.status"), status_code === null ? words("delivery.status.none") : String(status_code)],
          [words("delivery.attempts"), String(attempts)],
          ...(next_attempt_at === null
            ? []
            : /** @type {Array<[string, Child]>} */ ([[words("delivery.next"), time(next_attempt_at)]])),
          [words("delivery.error"), error ?? words("delivery.error.none")],
          [words("delivery.created"), time(created_at)],
          [
            words("delivery.delivered"),
            delivered_at === null
              ? words(hasEnded(delivery) ? "delivery.delivered.never" : "delivery.delivered.yet")
              : time(delivered_at)
          ],
          [words("delivery.id"), h("code", {}, delivery.id)]
        ])
      )
    }
    update(delivery)
    const item = h("li", {}, head, body)
    return { item, update, tick, isInUse: () => !body.hidden || item.contains(document.activeElement) }
  }

  const listed = h("ul", { class: "rows", "aria-label": words("deliveries.title") })
  const none = h("p", { class: "box quiet" })
  const rest = h("div", { class: "line" })
  const older = button(words("action.older"), async () => {
    limit = mostListed
    await refresh()
    say(counted("deliveries.shown", listed.children.length))
  })

  const choices = /** @type {const} */ ([
    ["", words("deliveries.all"), words("deliveries.empty")],
    ["pending", words("state.waiting"), words("deliveries.empty.waiting")],
    ["failed", words("state.failed"), words("deliveries.empty.failed")]
  ])
  const filters = choices.map(([value, text]) => {
    const one = button(text, async () => {
      status_ = value
      limit = fewDeliveries
      rows.clear()
      listed.replaceChildren()
      mark()
      await refreshing?.catch(() => {})
      await refresh()
      say(counted("deliveries.shown", listed.children.length))
    })
    return { one, value }
  })
  const mark = () => {
    for (const { one, value } of filters) one.setAttribute("aria-pressed", String(value === status_))
    none.textContent = choices.find(([value]) => value === status_)?.[2] ?? ""
  }
  mark()

  const replayAll = button(words("action.replayAll"), (from) => {
    const hours = h(
      "select",
      { id: "since" },
      h("option", { value: 1 }, words("replayAll.since.hour")),
      h("option", { value: 24, selected: true }, words("replayAll.since.day")),
      h("option", { value: 168 }, words("replayAll.since.week")),
      h("option", { value: "" }, words("replayAll.since.ever"))
    )
    const yes = button(
      words("action.replay"),
      async () => {
        const since = hours.value === "" ? 0 : Date.now() - Number(hours.value) * 3_600_000
        const { answer } = await ask("POST", `/${id}/recover`, { since: new Date(since).toISOString() })
        const text = answer.queued === 0 ? words("replayAll.none") : counted("replayAll.done", answer.queued)
        logPanel.replaceChildren(noteOf("calm", text))
        say(text)
        from.focus()
        await refresh()
      },
      "main"
    )
    const field = h("div", { class: "field" }, h("label", { for: "since" }, words("replayAll.since")), hours)
    const hint = h("p", { class: "hint" }, words("replayAll.hint"))
    confirm(from, words("replayAll.title"), [field, hint], yes, logPanel)
  })

  const take = (/** @type {{ answer: Delivery[], total: number }} */ { answer, total }) => {
    deliveries = answer
    const current = new Set(answer.map(({ id }) => id))
    if (status_ !== "") {
      for (const [key, row] of rows) {
        if (current.has(key) || row.isInUse()) continue
        row.item.remove()
        rows.delete(key)
      }
    }
    for (const [at, delivery] of answer.entries()) {
      const known = rows.get(delivery.id)
      if (known !== undefined) {
        known.update(delivery)
        continue
      }
      const row = rowOf(delivery)
      rows.set(delivery.id, row)
      listed.insertBefore(row.item, listed.children[at] ?? null)
    }
    listed.hidden = listed.children.length === 0
    none.hidden = !listed.hidden
    replayAll.hidden = !answer.some(({ status }) => status === "failed")
    older.hidden = limit === mostListed
    // Rows that newer ones have pushed out of the answer are kept: one of them may be open.
    const shown = listed.children.length
    rest.hidden = total <= shown
    if (!rest.hidden) rest.replaceChildren(words("list.newest", { count: shown, total }), older)
  }
  /** @type {Promise<void> | undefined} */
  let refreshing
  const refresh = () => {
    refreshing ??= (async () => {
      const before = changes
      try {
        const [now, page] = await Promise.all([ask("GET", `/${id}`), log()])
        if (before === changes) webhook = now.answer
        update()
        take(/** @type {any} */ (page))
        // Rows that are kept although their status is another one by now: one of them may be open.
        const left = [...rows].filter(([key]) => status_ !== "" && !deliveries.some((one) => one.id === key))
        for (const [key, row] of left) row.update((await ask("GET", `/${id}/deliveries/${key}`)).answer)
      } finally {
        refreshing = undefined
      }
    })()
    return refreshing
  }

  /**
   * Looks at the log until a delivery has ended, and tells how.
   *
   * @param {string} deliveryId
   * @param {(kind: string, text: string) => void} tell
   */
  const watch = async (deliveryId, tell) => {
    try {
      for (let look = 0; look < looks && view.contains(listed); look++) {
        await refresh()
        const found = deliveries.find((one) => one.id === deliveryId)
        if (found !== undefined && hasEnded(found)) {
          if (found.success) tell("good", words("replay.delivered"))
          else tell("bad", words("replay.failed", { error: stopped(found.error ?? "") }))
          return
        }
        await pause(lookEveryMs)
      }
    } catch (error) {
      failed(error)
    }
  }

  update()
  take(/** @type {any} */ (first))
  if (mine !== turn) return document.createDocumentFragment()
  const isBusy = () =>
    webhook.is_active &&
    deliveries.some(
      (delivery) =>
        !hasEnded(delivery) &&
        (delivery.next_attempt_at === null || Date.parse(delivery.next_attempt_at) < Date.now() + calmEveryMs)
    )
  keepFresh(mine, () => (isBusy() ? busyEveryMs : calmEveryMs), refresh)
  return h(
    "div",
    { class: "stack" },
    back(words("action.list"), () => show(list)),
    h("div", { class: "stack close" }, heading(webhook.url, "mono"), status),
    h(
      "div",
      { class: "bar", role: "group", "aria-label": words("endpoint.actions") },
      test,
      button(words("action.edit"), () => show(() => edit(webhook), { form: true })),
      toggle,
      rotate,
      remove
    ),
    panel,
    settings,
    h(
      "div",
      { class: "part" },
      h(
        "div",
        { class: "top middle" },
        h("h2", {}, words("deliveries.title")),
        button(
          words("action.refresh"),
          async () => {
            await refresh()
            say(words("deliveries.fresh"))
          },
          "plain"
        )
      ),
      h(
        "div",
        { class: "top middle" },
        h(
          "div",
          { class: "segments", role: "group", "aria-label": words("deliveries.filter") },
          filters.map(({ one }) => one)
        ),
        replayAll
      )
    ),
    logPanel,
    listed,
    none,
    rest
  )
}

// The start ---------------------------------------------------------------------------------------------------------

/** A host renews the access by giving the frame the same address with another token. */
window.addEventListener("hashchange", () => {
  if (!takeToken()) return
  problem("")
  if (!typing) again()
})

/** A host may make the frame as high as what is in it. */
new ResizeObserver(() => {
  tellHost({ event: "height", height: Math.ceil(document.body.getBoundingClientRect().height) })
}).observe(document.body)

takeToken()
show(list, { quietly: true })
