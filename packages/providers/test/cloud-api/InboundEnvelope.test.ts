/** What the platform delivers: docs/reference/messaging.md#inbound. */
import {
  type Delivered,
  inboundBody,
  inboundChange,
  inboundMessages,
  inboundStatuses,
  sampleBodies,
  sampleCustomer,
  sampleNumber,
  sampleSecond,
  storedInbound
} from "@trunkline/testing/messaging"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeInbound } from "../../src/cloud-api/InboundEnvelope.ts"

const { inbound, inboundEcho, inboundMessage, inboundOfEveryKind, inboundStatus } = sampleBodies

/** As it comes: through JSON. Contents are as they are stored. */
const decode = (body: unknown) =>
  decodeInbound(JSON.parse(JSON.stringify(body))).map((change) => ({
    ...change,
    messages: change.messages.map(storedInbound)
  }))

const only = (message: Delivered, more: Parameters<typeof inboundChange>[0] = {}) => {
  const [change] = decode(inboundBody([inboundChange({ messages: [message], ...more })]))
  expect(change?.messages).toHaveLength(1)
  return change!.messages[0]!
}

const reported = (status: unknown) => decode(inboundStatuses(status))[0]!.statuses

describe("a message", () => {
  it("is read as a whole", () => {
    expect(only(inbound.text("Hi 👋", { id: "wamid.1", context: { from: "1", id: "wamid.0" } }))).toEqual({
      id: "wamid.1",
      from: sampleCustomer.phone,
      userRef: sampleCustomer.userRef,
      name: sampleCustomer.name,
      to: null,
      toRef: null,
      at: Date.UTC(2026, 10, 21, 9, 30),
      type: "text",
      text: "Hi 👋",
      content: { body: "Hi 👋" },
      contextId: "wamid.0",
      isEcho: false,
      newPhone: null,
      newUserRef: null,
      otherPhone: null,
      group: null,
      change: null
    })
  })

  it("has the name of the only contact that is nobody else's, also where its id is another", () => {
    const [dialed, known] = ["5531988880101", "553188880101"]
    const text = inbound.text("Hi", { from: dialed, from_user_id: undefined })
    const quim = { profile: { name: "Quim" }, wa_id: known, user_id: "BR.1" }
    expect(only(text, { contacts: [quim] })).toMatchObject({
      from: dialed,
      otherPhone: known,
      userRef: "BR.1",
      name: "Quim"
    })
    // What is no form of the same number says nothing of who wrote but the name.
    const stranger = { ...quim, wa_id: "491701234567" }
    expect(only(text, { contacts: [stranger] })).toMatchObject({ otherPhone: null, userRef: null, name: "Quim" })
    const ada = { profile: { name: "Ada" }, wa_id: sampleCustomer.phone }
    const others = [inbound.text("1", { from: sampleCustomer.phone }), inbound.text("2", { from: "4930901820" })]
    const namesOf = (messages: ReadonlyArray<unknown>, contacts: ReadonlyArray<unknown>) =>
      decode(inboundBody([inboundChange({ messages, contacts })]))[0]!.messages.map(({ name }) => name)
    expect(namesOf([others[0], text], [quim, ada])).toEqual(["Ada", "Quim"])
    expect(namesOf([text, text], [quim])).toEqual(["Quim", "Quim"])
    expect(namesOf([...others, text], [quim, ada])).toEqual(["Ada", null, null])
    expect(namesOf([others[0], others[1]], [ada])).toEqual(["Ada", null])
  })

  it("of a group names the group", () => {
    expect(only(inbound.text("Hi", { group_id: "Y2FwaV9ncm91cDox" })).group).toBe("Y2FwaV9ncm91cDox")
    expect(only(inbound.text("Hi", { group_id: { id: 1 } })).group).toBeNull()
  })

  it("that edits or deletes another one names it, and what it says from then on", () => {
    const of = (type: string, content?: unknown) => only(inboundMessage(type, content)).change
    const edit = (message: unknown) => of("edit", { original_message_id: "wamid.0", message })
    expect(edit({ type: "text", text: { body: "three" } })).toEqual({
      msgid: "wamid.0",
      edited: { type: "text", text: "three", content: { body: "three" } }
    })
    expect(edit({ type: "image", image: { caption: "three" } })).toEqual({
      msgid: "wamid.0",
      edited: { type: "image", text: "three", content: { caption: "three" } }
    })
    expect(of("revoke", { original_message_id: "wamid.0" })).toEqual({ msgid: "wamid.0", edited: null })
    for (const type of ["text", "reaction"]) expect(of(type, { original_message_id: "wamid.0" })).toBeNull()
    for (const message of [undefined, null, "three", {}, { text: { body: "three" } }]) expect(edit(message)).toBeNull()
    for (const content of [undefined, {}, { original_message_id: "" }, { original_message_id: "w".repeat(513) }]) {
      expect([of("edit", content), of("revoke", content)]).toEqual([null, null])
    }
  })

  it.each<[what: string, message: Delivered, type: string, text: string | null]>([
    ["text", inbound.text("Hi"), "text", "Hi"],
    ["an image with a caption", inbound.image("Look"), "image", "Look"],
    ["an image", inbound.image(), "image", null],
    ["audio", inbound.audio(), "audio", null],
    ["a voice message", inbound.voice(), "audio", null],
    ["a video", inbound.video("Look"), "video", "Look"],
    ["a document", inbound.document("Read"), "document", "Read"],
    ["a sticker", inbound.sticker(), "sticker", null],
    ["a place", inbound.location(), "location", null],
    ["the tap on a button", inbound.buttonReply("Yes"), "interactive", "Yes"],
    ["the choice of a list", inbound.listReply("Row"), "interactive", "Row"],
    ["the answer of a form", inbound.formReply("Sent"), "interactive", "Sent"],
    ["the leave to call", inbound.callPermission(), "interactive", null],
    ["the tap on a template's button", inbound.button("Stop"), "button", "Stop"],
    ["a reaction", inbound.reaction("👍"), "reaction", null],
    ["a reaction that is taken back", inbound.reaction(), "reaction", null],
    ["an order with a note", inbound.order("Quick"), "order", "Quick"],
    ["an order", inbound.order(), "order", null],
    ["a new number", inbound.changedNumber("16505550000"), "system", null],
    ["what the platform does not pass on", inbound.unsupported(), "unsupported", null],
    ["a type that nobody knows", inbound.unheardOf(), "hologram", null]
  ])("is %s, whole", (_, message, type, text) => {
    const read = only(message)
    expect(read).toMatchObject({ id: message.id, type, text, from: sampleCustomer.phone })
    expect(read.content).toEqual(JSON.parse(JSON.stringify(message[type])))
  })

  it("has what is no object under its type's name", () => {
    const contacts = inbound.contacts()
    expect(only(contacts)).toMatchObject({ type: "contacts", text: null })
    expect(only(contacts).content).toEqual({ contacts: contacts.contacts })
    expect(only(inboundMessage("gesture", "wave")).content).toEqual({ gesture: "wave" })
  })

  it("is its own content where its type names nothing", () => {
    const welcome = inbound.welcome()
    expect(only(welcome)).toMatchObject({ type: "request_welcome", text: null, content: welcome })
    const bare = { id: "wamid.1", from: "16505551234", news: { n: 1 } }
    expect(only(bare)).toMatchObject({ type: "unknown", content: bare })
    // Names of what every object has in JavaScript are types like any other.
    for (const type of ["constructor", "__proto__", "toString"]) {
      expect(only({ ...bare, type })).toMatchObject({ type, content: { ...bare, type } })
    }
  })

  it("of a customer without a phone number is theirs all the same", () => {
    const hidden = { from: undefined }
    expect(only(inbound.text("Hi", hidden))).toMatchObject({ from: null, userRef: sampleCustomer.userRef, name: "Ada" })
    // As it is where the id of the person stands in the phone's place.
    const inPlace = { from: "US.13491208655302741918", from_user_id: undefined }
    expect(only(inbound.text("Hi", inPlace))).toMatchObject({ from: null, userRef: null })
  })

  it("of a customer without an id of the platform's is theirs all the same", () => {
    const old = inbound.text("Hi", { from_user_id: undefined })
    expect(only(old)).toMatchObject({ from: sampleCustomer.phone, userRef: null, name: "Ada" })
  })

  it("has the phone, user ref and name of the contact beside it", () => {
    const contacts = [
      { profile: { name: "Grace" }, wa_id: "16505559999", user_id: "US.2" },
      { profile: { username: "ada.l" }, wa_id: "16505551234", user_id: "US.1" }
    ]
    const byPhone = inbound.text("Hi", { from_user_id: undefined })
    expect(only(byPhone, { contacts })).toMatchObject({ from: "16505551234", userRef: "US.1", name: "ada.l" })
    const byRef = inbound.text("Hi", { from: undefined, from_user_id: "US.2" })
    expect(only(byRef, { contacts })).toMatchObject({ from: "16505559999", userRef: "US.2", name: "Grace" })
    const stranger = inbound.text("Hi", { from: "4915112345678", from_user_id: "DE.3" })
    expect(only(stranger, { contacts })).toMatchObject({ from: "4915112345678", userRef: "DE.3", name: null })
  })

  it("is not from a contact that lacks what it lacks", () => {
    const [phoneAlone, refAlone] = [
      { wa_id: "16505559999", profile: { name: "Grace" } },
      { user_id: "US.2", profile: { name: "Ann" } }
    ]
    const contacts = [phoneAlone, refAlone]
    const byPhone = inbound.text("Hi", { from_user_id: undefined })
    expect(only(byPhone, { contacts })).toMatchObject({ from: sampleCustomer.phone, userRef: null, name: null })
    const byRef = inbound.text("Hi", { from: undefined })
    expect(only(byRef, { contacts: [refAlone, phoneAlone] })).toMatchObject({ from: null, name: null })
  })

  it("without an id, or with one that is none, is left out", () => {
    for (const id of [undefined, null, "", {}, "w".repeat(513)])
      expect(decode(inboundMessages(inbound.text("Hi", { id })))[0]?.messages).toEqual([])
    expect(only(inbound.text("Hi", { id: "w".repeat(512) })).id).toHaveLength(512)
  })

  it("with an empty text has none", () => {
    expect([only(inbound.text("")).text, only(inbound.image("")).text]).toEqual([null, null])
  })

  it("that names nobody is from the only contact, and of several from none", () => {
    const nobody = inbound.text("Hi", { from: undefined, from_user_id: undefined })
    const [ada, grace] = [{ wa_id: "16505551234", profile: { name: "Ada" } }, { user_id: "US.2" }]
    expect(only(nobody, { contacts: [ada] })).toMatchObject({ from: "16505551234", name: "Ada" })
    expect(only(nobody, { contacts: [ada, grace] })).toMatchObject({ from: null, userRef: null, name: null })
  })

  it.each<[from: unknown, digits: string | null]>([
    ["16505551234", "16505551234"],
    ["+1 (650) 555-1234", "16505551234"],
    [16505551234, "16505551234"],
    ["", null],
    ["1234", null],
    ["1".repeat(21), null],
    ["US.16505551234", null],
    ["anonymous", null],
    [{ phone: 1 }, null],
    [null, null]
  ])("from %j is from %s", (from, digits) => {
    expect(only(inbound.text("Hi", { from }), { contacts: [] }).from).toBe(digits)
  })

  it.each<[timestamp: unknown, at: string | null]>([
    [String(sampleSecond), "2026-11-21T09:30:00.000Z"],
    [sampleSecond, "2026-11-21T09:30:00.000Z"],
    [sampleSecond * 1000, null],
    ["0", null],
    [-5, null],
    ["soon", null],
    ["", null],
    ["1e400", null],
    [null, null],
    [{}, null],
    ["999999999", null],
    ["4102444801", null]
  ])("with the timestamp %j was sent at %s", (timestamp, at) => {
    const { at: read } = only(inbound.text("Hi", { timestamp }))
    expect(read === null ? null : new Date(read).toISOString()).toBe(at)
  })
})

describe("an echo", () => {
  it("is what the number's own app has sent, and names the customer", () => {
    const [change] = decode(inboundBody([inboundChange({ echoes: [inboundEcho("On my way")] })]))
    expect(change?.messages).toMatchObject([{ isEcho: true, to: sampleCustomer.phone, toRef: null, text: "On my way" }])
  })

  it("is a message among echoes, or in a change of echoes, whatever sender it names", () => {
    const foreign = { from: "15559990000" }
    const among = inboundChange({ echoes: [inboundEcho("Hi", foreign)] })
    const body = { ...inboundChange({ messages: [inbound.text("Hi", foreign)] }), field: "smb_message_echoes" }
    for (const change of [{ ...among, field: "messages" }, body])
      expect(decode(inboundBody([change]))[0]?.messages).toMatchObject([{ isEcho: true }])
    expect(only(inbound.text("Hi", foreign)).isEcho).toBe(false)
  })

  it("is whatever comes from the number itself, by its digits or its id", () => {
    for (const from of ["15550783881", "+15550783881", sampleNumber.phoneNumberId]) {
      const echo = inbound.text("Hi", { from, to: sampleCustomer.phone, to_user_id: "US.1" })
      expect(only(echo)).toMatchObject({ isEcho: true, name: null, to: sampleCustomer.phone, toRef: "US.1" })
    }
    expect(only(inbound.text("Hi"), { displayPhoneNumber: "" }).isEcho).toBe(false)
    expect(only(inbound.text("Hi", { from: undefined }), { displayPhoneNumber: "" }).isEcho).toBe(false)
  })
})

describe("a customer who moved", () => {
  it.each(["user_changed_number", "customer_changed_number"])("is reported by %s", (type) => {
    const moved = (more: Delivered) => only(inboundMessage("system", { type, body: "Ada moved", ...more }))
    expect(moved({ wa_id: "16505550000" })).toMatchObject({
      from: "16505551234",
      newPhone: "16505550000",
      newUserRef: null
    })
    expect(moved({ new_wa_id: "16505550000" }).newPhone).toBe("16505550000")
    expect(moved({ wa_id: "16505550000", user_id: "US.9" }).newUserRef).toBe("US.9")
    expect(moved({}).newPhone).toBeNull()
  })

  it("has another id of the platform's", () => {
    expect(only(inbound.changedUserRef("US.9"))).toMatchObject({ newPhone: null, newUserRef: "US.9" })
  })

  it("is reported by nothing else", () => {
    const identity = inboundMessage("system", {
      type: "customer_identity_changed",
      wa_id: "16505550000",
      user_id: "US.9"
    })
    expect(only(identity)).toMatchObject({ newPhone: null, newUserRef: null })
    const text = inboundMessage("text", { type: "user_changed_number", wa_id: "16505550000", user_id: "US.9" })
    expect(only(text)).toMatchObject({ newPhone: null, newUserRef: null })
  })
})

describe("a report", () => {
  it("is read as a whole", () => {
    const more = { biz_opaque_callback_data: "0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11", recipient_user_id: "US.1" }
    expect(reported(inboundStatus("wamid.1", "delivered", more))).toEqual([
      {
        msgid: "wamid.1",
        status: "delivered",
        at: Date.UTC(2026, 10, 21, 9, 30),
        recipient: sampleCustomer.phone,
        recipientRef: "US.1",
        error: null,
        ref: "0190f2a4-7c1e-7b3a-9a55-2f1f0c5d8e11",
        isOptOut: false,
        pricing: { category: "service", type: "regular", billable: true }
      }
    ])
  })

  it.each([
    [
      { billable: false, pricing_model: "PMP", category: "utility", type: "free_customer_service" },
      { category: "utility", type: "free_customer_service", billable: false }
    ],
    [
      { billable: true, pricing_type: "regular", category: "marketing" },
      { category: "marketing", type: "regular", billable: true }
    ],
    [{ category: "marketing" }, { category: "marketing", type: null, billable: null }],
    [
      { billable: "true", category: 7, type: ["x"], pricing_type: "free" },
      { category: null, type: "free", billable: null }
    ],
    [{ category: "x".repeat(513), type: "", billable: 1 }, null],
    [{ pricing_model: "CBP" }, null],
    [{}, null],
    [[], null],
    ["marketing", null],
    [null, null],
    [undefined, null]
  ])("with the pricing %j costs %j", (pricing, expected) => {
    expect(reported(inboundStatus("wamid.1", "delivered", { pricing }))[0]?.pricing).toEqual(expected)
  })

  it.each([
    ...["sent", "delivered", "read", "failed"].map((word) => [word, word] as const),
    ["played", "read"],
    ...["deleted", "warning", "accepted", "SENT", "queued", "sending", "unknown", "received", "constructor"].map(
      (word) => [word, null] as const
    )
  ] as const)("%s is the status %s", (word, status) => {
    expect(reported(inboundStatus("wamid.1", word))).toMatchObject([{ status }])
  })

  // Verifies: N-51.
  it("of a failure has the platform's code and a sentence of our own, never the platform's text", () => {
    const failed = (errors: unknown) => reported(inboundStatus("wamid.1", "failed", { errors }))[0]?.error
    const unexplained = "The platform reported that the message could not be delivered."
    expect(reported(inboundStatus("wamid.1", "failed"))[0]?.error).toEqual({
      code: 131026,
      message: "The message cannot be delivered: the customer may not use the platform, or not its present version."
    })
    expect(failed([{ code: "131047", message: "Re-engagement message" }])).toEqual({
      code: 131047,
      message:
        "More than 24 hours have passed since the customer's last message. Send a template, or wait for the customer to write."
    })
    expect(failed([{ code: "x", title: "Oops" }, { code: 2 }])).toEqual({ code: null, message: unexplained })
    expect(failed({ code: 424242, message: "Oops" })).toEqual({ code: 424242, message: unexplained })
    expect(failed(["broken"])).toEqual({ code: null, message: unexplained })
    expect(failed([])).toBeNull()
    expect(failed("broken")).toBeNull()
  })

  it("of a message to a group names the group, and nobody's phone", () => {
    const group = { recipient_type: "group", recipient_id: "120363040000000001", recipient_participant_id: "1650555" }
    expect(reported(inboundStatus("wamid.1", "read", group))).toMatchObject([
      { recipient: null, recipientRef: "120363040000000001" }
    ])
  })

  it("without recipient, time and the rest is a report", () => {
    expect(reported({ id: "wamid.1", status: "sent" })).toMatchObject([{ msgid: "wamid.1", at: null, recipient: null }])
  })

  it("without an id or a word is none", () => {
    expect(reported({ status: "sent" })).toEqual([])
    expect(reported({ id: "wamid.1" })).toEqual([])
    expect(reported({ id: "w".repeat(513), status: "sent" })).toEqual([])
  })
})

describe("a delivery", () => {
  // Verifies: N-21.
  it("is read to its end: all entries, changes, messages and reports, in their order", () => {
    const change = (n: number) =>
      inboundChange({
        phoneNumberId: `number-${n % 2}`,
        messages: [1, 2, 3].map((m) => inbound.text(`${n}.${m}`)),
        statuses: [1, 2].map((m) => inboundStatus(`wamid.${n}.${m}`, "read"))
      })
    const changes = decode(inboundBody([change(1), change(2)], [change(3), change(4)]))
    expect(changes.map(({ connectionId }) => connectionId)).toEqual(["number-1", "number-0", "number-1", "number-0"])
    expect(changes.flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(
      [1, 2, 3, 4].flatMap((n) => [1, 2, 3].map((m) => `${n}.${m}`))
    )
    expect(changes.flatMap(({ statuses }) => statuses)).toHaveLength(8)
    expect(changes[0]).toMatchObject({
      displayPhoneNumber: sampleNumber.displayPhoneNumber,
      contacts: [{ phone: sampleCustomer.phone, userRef: sampleCustomer.userRef, name: sampleCustomer.name }]
    })
  })

  it("that is about no number has nothing for anybody", () => {
    const update = { field: "message_template_status_update", value: { event: "APPROVED", message_template_id: 1 } }
    const good = inboundChange({ messages: [inbound.text("Hi")] })
    expect(decode(inboundBody([update, good, { field: "account_update" }]))).toHaveLength(1)
  })

  it("that is none at all is read as nothing", () => {
    for (const body of [
      null,
      1,
      "text",
      [],
      {},
      { entry: null },
      { entry: "x" },
      { entry: [null, 1, []] },
      { entry: [{ changes: 7 }] }
    ])
      expect(decodeInbound(body)).toEqual([])
  })

  it("loses nothing to whatever stands beside it", () => {
    const junk: fc.Arbitrary<unknown> = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>(
        { id: 5 },
        { id: "" },
        { id: null, type: "text", text: null },
        { id: "wamid.junk", type: 7, text: [], timestamp: {}, from: [], context: "x" },
        { id: "wamid.junk", type: "system", system: { type: "user_changed_number", wa_id: {} } },
        { id: "wamid.junk", status: "failed", errors: [null] },
        { changes: [{ value: { metadata: { phone_number_id: {} }, messages: "x" } }] },
        { value: { metadata: { phone_number_id: "elsewhere" }, messages: [{ id: "wamid.junk" }], statuses: {} } },
        { profile: null, wa_id: {}, user_id: 1 }
      )
    )
    const spliced = (list: ReadonlyArray<unknown>) =>
      fc.array(fc.tuple(fc.nat({ max: list.length }), junk), { maxLength: 4 }).map((all) => {
        const into = [...list]
        for (const [place, one] of all) into.splice(Math.min(place, into.length), 0, one)
        return into
      })
    const good = Array.from({ length: 4 }, (_, n) => ({
      messages: inboundOfEveryKind().filter((_, m) => m % 4 === n),
      statuses: ["sent", "failed", "played"].map((word, m) => inboundStatus(`wamid.${n}.${m}`, word)),
      contacts: [
        { profile: { name: sampleCustomer.name }, wa_id: sampleCustomer.phone, user_id: sampleCustomer.userRef }
      ]
    }))
    const plain = decode(inboundBody(good.slice(0, 2).map(inboundChange), good.slice(2).map(inboundChange)))
    const change = (n: number) =>
      fc
        .tuple(spliced(good[n]!.messages), spliced(good[n]!.statuses), spliced(good[n]!.contacts))
        .map(([messages, statuses, contacts]) => inboundChange({ messages, statuses, contacts }))
    const entry = (...which: ReadonlyArray<number>) =>
      fc
        .tuple(...which.map(change))
        .chain(spliced)
        .map((changes) => ({ id: "1", changes }))
    const body = fc
      .tuple(entry(0, 1), entry(2, 3))
      .chain(spliced)
      .map((all) => ({ object: "whatsapp_business_account", entry: all }))
    fc.assert(
      fc.property(body, (given) => {
        const changes = decode(given)
        const messages = new Map(changes.flatMap((one) => one.messages.map((message) => [message.id, message])))
        const statuses = new Map(changes.flatMap((one) => one.statuses.map((status) => [status.msgid, status])))
        for (const wanted of plain) {
          for (const message of wanted.messages) expect(messages.get(message.id)).toEqual(message)
          for (const status of wanted.statuses) expect(statuses.get(status.msgid)).toEqual(status)
        }
      }),
      { numRuns: 150 }
    )
    expect(plain.flatMap(({ messages }) => messages)).toHaveLength(good.flatMap(({ messages }) => messages).length)
  })

  it("never makes the reader throw", () => {
    fc.assert(fc.property(fc.anything({ withNullPrototype: true }), (body) => void decodeInbound(body)))
  })

  it("says what people want of marketing messages", () => {
    const wanted = (preference: object, contacts: ReadonlyArray<object> = []) =>
      decodeInbound({
        entry: [
          {
            id: "1",
            changes: [
              {
                field: "user_preferences",
                value: { metadata: { phone_number_id: "2" }, contacts, user_preferences: [preference] }
              }
            ]
          }
        ]
      }).flatMap(({ preferences = [] }) => preferences)
    const of = (value: unknown, more: object = {}) => ({
      category: "marketing_messages",
      value,
      wa_id: "16505551234",
      ...more
    })
    for (const value of ["stop", "resume", "signup"]) {
      expect(wanted(of(value, { user_id: "US.1" }))).toEqual([{ phone: "16505551234", userRef: "US.1", value }])
    }
    const nobody = { wa_id: undefined }
    expect(wanted(of("stop", nobody), [{ wa_id: "16505551234", user_id: "US.1" }])).toEqual([
      { phone: "16505551234", userRef: "US.1", value: "stop" }
    ])
    for (const other of [
      of("pause"),
      of("stop", { category: "other" }),
      of("stop", nobody),
      of({}),
      {},
      null,
      "stop"
    ]) {
      expect(wanted(other as never)).toEqual([])
    }
  })
})
