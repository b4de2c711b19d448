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
 */

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

const expired =
  "Your access to this page has ended. Go back to the page that brought you here and open your webhooks from there again."
const missing =
  "This page was opened without access. Go to the page of your provider that leads here and open your webhooks from there."
const unreachable = "The server could not be reached. Check your connection, then try again."
const failedInside = "Something went wrong on the server. Try again in a moment."
const tooMany = "Too many requests came from here. Wait a minute, then try again."

/** What a refusal says: a sentence, or a list of fields with what is wrong with each. */
const refusedBy = (/** @type {number} */ status, /** @type {any} */ detail) => {
  if (status === 401) return new Refused(status, expired)
  if (status === 429) return new Refused(status, tooMany)
  if (Array.isArray(detail)) {
    const fields = Object.fromEntries(detail.map(({ loc, msg }) => [String(loc[1] ?? ""), String(msg)]))
    return new Refused(status, "Some fields need another value.", fields)
  }
  return new Refused(status, typeof detail === "string" && status < 500 ? detail : failedInside)
}

/**
 * @param {string} method
 * @param {string} [path]
 * @param {object} [body]
 */
const ask = async (method, path = "", body) => {
  if (token === "") throw new Refused(401, wasOpen ? expired : missing)
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
    throw new Refused(0, unreachable)
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

const clock = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" })
const time = (/** @type {string} */ at) => h("time", { datetime: at }, clock.format(new Date(at)))
const count = (/** @type {number} */ n, /** @type {string} */ word, many = `${word}s`) =>
  `${n} ${n === 1 ? word : many}`
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
  !is_active ? badge("calm", "Paused") : failing_since === null ? badge("good", "Active") : badge("bad", "Failing")

const eventsOf = (/** @type {Webhook} */ { events }) =>
  events.length === 0 ? "Every event" : events.length === 1 ? String(events[0]) : `${events.length} events`

/** @returns {[kind: string, text: string]} */
const endOf = (/** @type {Delivery} */ { attempts, error, status, success }) => {
  if (success) return ["good", "Delivered"]
  if (error === null) return ["calm", attempts === 0 ? "Waiting" : "Sending"]
  return status === "pending" ? ["warn", "Retrying"] : ["bad", "Failed"]
}
const hasEnded = (/** @type {Delivery} */ { status }) => status !== "pending"

const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "always" })
const untilText = (/** @type {string} */ at) => {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000)
  if (seconds <= 0) return "is due"
  if (seconds < 90) return relative.format(seconds, "second")
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? relative.format(minutes, "minute") : relative.format(Math.round(minutes / 60), "hour")
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
    const retry = button("Try again", () => again())
    view.replaceChildren(h("div", { class: "bar" }, retry, make !== list && button("All endpoints", () => show(list))))
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
  const add = button("Add endpoint", () => show(() => edit(null), { form: true }), "main")
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
      h(
        "div",
        { class: "stack close" },
        heading("Webhooks"),
        h("p", { class: "quiet" }, "Your endpoints get a signed POST request when something happens.")
      ),
      webhooks.length > 0 && add
    ),
    webhooks.length > 0
      ? h("ul", { class: "rows", "aria-label": "Endpoints" }, webhooks.map(row))
      : h(
          "div",
          { class: "box empty" },
          h("h2", {}, "No endpoints yet"),
          h("p", { class: "quiet" }, "Add the URL of your server, and choose the events that it should hear of."),
          add
        ),
    total > webhooks.length && h("p", { class: "quiet" }, `The newest ${webhooks.length} of ${total} are shown.`)
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
      say("Copied.")
      copied.textContent = "Copied"
    } catch {
      // A page around this one that does not allow it, or a browser that does not.
      field.focus()
      say("The secret is selected. Copy it with your keyboard.")
    }
  }
  const copied = button("Copy", copy)
  return h(
    "div",
    { class: "stack" },
    heading(title),
    h(
      "div",
      { class: "box" },
      h("label", { for: "secret" }, "Signing secret"),
      h("div", { class: "secret" }, field, copied),
      h(
        "p",
        { id: "secret-hint", class: "hint" },
        "Save it now: it is shown this once. With it your server checks that a request comes from us."
      ),
      more.length > 0 && h("p", {}, ...more)
    ),
    h(
      "div",
      {},
      button("I have saved it", () => show(() => detail(id)), "main")
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
  const every = which("every", "Every event, also those that are added later", all)
  const some = which("some", "Only the events that I choose", !all)
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
      isHosts && h("p", { class: "hint" }, "Your provider sends these itself, where it offers them."),
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
      "Select all",
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
      amount.textContent = `${own.filter(({ input }) => input.checked).length} of ${own.length}`
      toggle.textContent = found.every(({ input }) => input.checked) ? "Select none" : "Select all"
      toggle.setAttribute("aria-label", `${toggle.textContent}: ${category}`)
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
  const nothing = h("p", { class: "quiet" }, "No event matches.")
  nothing.hidden = true
  const search = h("input", {
    id: "find",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "call, credits, message…",
    input: () => {
      const found = groups.reduce((sum, { find }) => sum + find(search.value.trim().toLowerCase()), 0)
      nothing.hidden = found > 0
      say(found === 0 ? "No event matches." : `${count(found, "event")} found.`)
    },
    // It would send the form.
    keydown: (event) => event.key === "Enter" && event.preventDefault()
  })
  const chosen = h(
    "div",
    { class: "stack close" },
    h("div", { class: "field" }, h("label", { for: "find" }, "Find an event"), search),
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
    option("standard", "5 attempts, within a minute"),
    option("long", "13 attempts, over three days")
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
    h("summary", {}, "More settings"),
    h(
      "div",
      { class: "stack box" },
      h("div", { class: "field" }, h("label", { for: "schedule" }, "When a delivery fails"), schedule),
      h(
        "div",
        { class: "field" },
        h("label", { for: "days" }, "Pause after days of failures"),
        days,
        h("p", { id: "days-hint", class: "hint" }, "1 to 30. Left empty, it is never paused by itself."),
        daysFault
      )
    )
  )

  const save = async () => {
    const events = boxes.filter(({ input }) => input.checked).map(({ input }) => input.value)
    const days_ = days.value === "" ? null : Number(days.value)
    const wrong = {
      ...(url.value.trim() === "" ? { url: "Enter the URL that requests are sent to." } : {}),
      ...(some.input.checked && events.length === 0 ? { events: "Choose at least one event." } : {}),
      ...(days.validity.valid ? {} : { pause_after_days: "Enter a whole number from 1 to 30, or nothing." })
    }
    if (faulty(wrong)) return
    const settings = { url: url.value.trim(), retry_schedule: schedule.value, pause_after_days: days_ }
    try {
      if (webhook === null) await create({ ...settings, events })
      else {
        await ask("PUT", `/${webhook.id}`, { ...settings, events: every.input.checked ? [] : events })
        await show(() => detail(webhook.id))
        say("Saved.")
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
    await show(() => secretOf(answer, "Endpoint added"))
  }

  const submit = h("button", { type: "submit", class: "main" }, webhook === null ? "Add endpoint" : "Save")
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
    back(webhook === null ? "All endpoints" : "Back to the endpoint", leave),
    heading(webhook === null ? "Add endpoint" : "Edit endpoint"),
    h(
      "div",
      { class: "field" },
      h("label", { for: "url" }, "Endpoint URL"),
      url,
      h(
        "p",
        { id: "url-hint", class: "hint" },
        allowsHttp
          ? "It must begin with https:// and be reachable from the internet, or be in a network that your provider allows, where http:// will do."
          : "It must begin with https:// and be reachable from the internet."
      ),
      urlFault
    ),
    h(
      "fieldset",
      { class: "stack", "aria-describedby": "events-fault" },
      h("legend", {}, "Events"),
      h("div", { class: "field" }, every.line, some.line, eventsFault),
      chosen
    ),
    more,
    h("div", { class: "bar footer" }, submit, button("Cancel", leave))
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
    const rotating = previous_secret_until !== null && Date.parse(previous_secret_until) > Date.now()
    /** @type {Array<[string, Child | Child[]]>} */
    const pairs = [
      ["Events", events.length === 0 ? "Every event" : h("span", { class: "mono" }, events.join(", "))],
      ...(bot_id === null ? [] : /** @type {Array<[string, Child]>} */ ([["Limited to agent", h("code", {}, bot_id)]])),
      ["Signing secret", h("code", {}, webhook.secret)],
      ...(rotating
        ? /** @type {Array<[string, Child[]]>} */ ([
            ["Secret before it", ["signs too, until ", time(/** @type {string} */ (previous_secret_until))]]
          ])
        : []),
      [
        "Retries",
        (retry_schedule === "long" ? "13 attempts, over three days" : "5 attempts, within a minute") +
          (pause_after_days === null ? "" : `; paused after ${count(pause_after_days, "day")} of failures`)
      ],
      ...(failing_since === null
        ? []
        : /** @type {Array<[string, Child]>} */ ([["Failing since", time(failing_since)]])),
      ["Added", time(created_at)]
    ]
    settings.replaceChildren(facts(pairs))
    toggle.textContent = webhook.is_active ? "Pause" : "Resume"
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
        h("div", { class: "bar" }, yes, button("Cancel", leave))
      )
    )
    title_.focus()
  }

  const test = button("Send test", async () => {
    panel.replaceChildren(noteOf("calm", "Sending a test…"))
    say("Sending a test.")
    try {
      const { answer } = await ask("POST", `/${id}/test`)
      if (answer.success) note("good", `The test arrived: status ${answer.status_code}, after ${answer.latency_ms} ms.`)
      else note("bad", `The test failed after ${answer.latency_ms} ms. ${stopped(answer.error)}`)
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 400) {
        panel.replaceChildren()
        throw error
      }
      note("bad", error.message)
    }
  })
  const toggle = button("Pause", async () => {
    changes += 1
    webhook = (await ask("PUT", `/${id}`, { is_active: !webhook.is_active })).answer
    changes += 1
    update()
    for (const row of rows.values()) row.tick()
    note(
      webhook.is_active ? "good" : "calm",
      webhook.is_active
        ? "The endpoint is active again. What was due meanwhile is sent now."
        : "The endpoint is paused. It hears of no events until you resume it."
    )
  })
  const rotate = button("Rotate secret", (from) => {
    const overlap = h(
      "select",
      { id: "overlap" },
      h("option", { value: 86_400 }, "for a day"),
      h("option", { value: 3600 }, "for an hour"),
      h("option", { value: 604_800 }, "for 7 days"),
      h("option", { value: 0 }, "not at all: it stops now")
    )
    const yes = button(
      "Make a new secret",
      async () => {
        const { answer } = await ask("POST", `/${id}/rotate-secret`, { overlap_seconds: Number(overlap.value) })
        const until = answer.previous_secret_until
        await show(() =>
          until === null
            ? secretOf(answer, "New signing secret", "The old secret has stopped signing.")
            : secretOf(answer, "New signing secret", "The old secret signs beside it until ", time(until), ".")
        )
      },
      "main"
    )
    const field = h(
      "div",
      { class: "field" },
      h("label", { for: "overlap" }, "The old secret goes on signing"),
      overlap
    )
    confirm(from, "Make a new signing secret?", [field], yes)
  })
  const remove = button(
    "Delete",
    (from) => {
      const yes = button(
        "Delete endpoint",
        async () => {
          await ask("DELETE", `/${id}`)
          await show(list)
          say("The endpoint was deleted.")
        },
        "harm"
      )
      const text = "It gets nothing more, and its deliveries can no longer be seen. This cannot be undone."
      confirm(from, "Delete this endpoint?", [h("p", {}, text)], yes)
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
          h("h3", { id: name }, "Payload"),
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
    const replay = button("Replay", async () => {
      if (!webhook.is_active) return replayed("warn", "The endpoint is paused. Resume it, then replay.")
      const { answer } = await ask("POST", `/${id}/deliveries/${delivery.id}/replay`)
      replayed("calm", "Queued: it is sent again as a new delivery, which is the first in the list.")
      watch(answer.delivery_id, replayed)
    })
    replay.setAttribute("aria-label", `Replay ${delivery.event}`)
    /** What changes with the time alone. */
    const tick = () => {
      const { error, next_attempt_at } = delivery
      // The first part says what happened, the rest what to do about it.
      const why = error === null ? "" : stopped(error.split(/[;:]/, 1)[0] ?? "")
      const when =
        error === null || next_attempt_at === null
          ? ""
          : webhook.is_active
            ? `Next attempt ${untilText(next_attempt_at)}.`
            : "Next attempt once the endpoint is resumed."
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
          ["HTTP status", status_code === null ? "No answer" : String(status_code)],
          ["Attempts", String(attempts)],
          ...(next_attempt_at === null
            ? []
            : /** @type {Array<[string, Child]>} */ ([["Next attempt", time(next_attempt_at)]])),
          ["Last error", error ?? "None"],
          ["Created", time(created_at)],
          ["Delivered", delivered_at === null ? (hasEnded(delivery) ? "Never" : "Not yet") : time(delivered_at)],
          ["Delivery id", h("code", {}, delivery.id)]
        ])
      )
    }
    update(delivery)
    const item = h("li", {}, head, body)
    return { item, update, tick, isInUse: () => !body.hidden || item.contains(document.activeElement) }
  }

  const listed = h("ul", { class: "rows", "aria-label": "Deliveries" })
  const none = h("p", { class: "box quiet" })
  const rest = h("div", { class: "line" })
  const older = button("Show older", async () => {
    limit = mostListed
    await refresh()
    say(`${listed.children.length} deliveries are shown.`)
  })

  const choices = /** @type {const} */ ([
    ["", "All", "Nothing has been sent yet. Deliveries show up here when events happen; tests do not."],
    ["pending", "Waiting", "Nothing is waiting to be sent."],
    ["failed", "Failed", "Nothing has failed."]
  ])
  const filters = choices.map(([value, text]) => {
    const one = button(text, async () => {
      status_ = value
      limit = fewDeliveries
      rows.clear()
      listed.replaceChildren()
      marked()
      await refreshing?.catch(() => {})
      await refresh()
      say(`${count(listed.children.length, "delivery", "deliveries")} shown.`)
    })
    return { one, value }
  })
  const marked = () => {
    for (const { one, value } of filters) one.setAttribute("aria-pressed", String(value === status_))
    none.textContent = choices.find(([value]) => value === status_)?.[2] ?? ""
  }
  marked()

  const replayAll = button("Replay all failed", (from) => {
    const hours = h(
      "select",
      { id: "since" },
      h("option", { value: 1 }, "in the last hour"),
      h("option", { value: 24, selected: true }, "in the last 24 hours"),
      h("option", { value: 168 }, "in the last 7 days"),
      h("option", { value: "" }, "at any time")
    )
    const yes = button(
      "Replay",
      async () => {
        const since = hours.value === "" ? 0 : Date.now() - Number(hours.value) * 3_600_000
        const { answer } = await ask("POST", `/${id}/recover`, { since: new Date(since).toISOString() })
        const text =
          answer.queued === 0
            ? "Nothing has failed in that time."
            : `${count(answer.queued, "delivery is", "deliveries are")} sent again, each as a new one.`
        logPanel.replaceChildren(noteOf("calm", text))
        say(text)
        from.focus()
        await refresh()
      },
      "main"
    )
    const field = h("div", { class: "field" }, h("label", { for: "since" }, "What has failed"), hours)
    const text = "Each is sent again as a new delivery, also one that was replayed before."
    confirm(from, "Replay all that has failed?", [field, h("p", { class: "hint" }, text)], yes, logPanel)
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
    if (!rest.hidden) rest.replaceChildren(`The newest ${shown} of ${total} are shown.`, older)
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
          const [kind, text] = endOf(found)
          tell(
            kind,
            kind === "good"
              ? "The replay was delivered."
              : `The replay: ${text.toLowerCase()}. ${stopped(found.error ?? "")}`
          )
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
    back("All endpoints", () => show(list)),
    h("div", { class: "stack close" }, heading(webhook.url, "mono"), status),
    h(
      "div",
      { class: "bar", role: "group", "aria-label": "Endpoint" },
      test,
      button("Edit", () => show(() => edit(webhook), { form: true })),
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
        h("h2", {}, "Deliveries"),
        button(
          "Refresh",
          async () => {
            await refresh()
            say("The deliveries are up to date.")
          },
          "plain"
        )
      ),
      h(
        "div",
        { class: "top middle" },
        h(
          "div",
          { class: "segments", role: "group", "aria-label": "Deliveries shown" },
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
