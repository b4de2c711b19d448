/**
 * Client libraries of the chat platform, unchanged, against a running server in front of a platform: what they send, what they
 * read, and how often they ask. Verifies: CHAT-7.
 */
import { Client } from "@great-detail/whatsapp"
import { GraphApiError, WhatsAppClient } from "@kapso/whatsapp-cloud-api"
import {
  type FakePlatform,
  inbound,
  inboundMessages,
  sampleNumber,
  startFakePlatform
} from "@trunkline/testing/messaging"
import { HTTPError } from "ky"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { WhatsAppAPI } from "whatsapp-api-js"
import {
  ActionButtons,
  ActionNavigateFlow,
  ActionProductList,
  Body,
  Button,
  Header,
  Image,
  Interactive,
  Product,
  ProductSection,
  Template,
  Text
} from "whatsapp-api-js/messages"
import { accountOf, cleanUp, client, folder, json, keyOf, type Server, serve } from "./Spawned.ts"

const number = sampleNumber.phoneNumberId
const token = "EAAG-the-platforms-own-token"
const appSecret = "what deliveries are signed with"

interface Taken {
  readonly id: string
  readonly contact: unknown
  readonly status?: string
}

/** What a library makes of an error. */
interface Refused {
  readonly code: unknown
  readonly message: unknown
  readonly details: unknown
  readonly trace: unknown
}

type Wire = Readonly<Record<string, unknown>>

/** One library, asked for the same things as the others. */
interface Library {
  readonly text: (to: string, body: string) => Promise<Taken>
  readonly toRef: (ref: string, body: string) => Promise<Taken>
  readonly template: (to: string) => Promise<Taken>
  readonly image: (to: string) => Promise<Taken>
  readonly buttons: (to: string) => Promise<Taken>
  readonly flow: (to: string) => Promise<Taken>
  readonly products: (to: string) => Promise<Taken>
  readonly read: (id: string, typing: boolean) => Promise<unknown>
  /** What comes of a text that is refused. */
  readonly refused: (to: string, body?: string) => Promise<Refused>
}

interface Place {
  /** Where the channel's paths begin. */
  readonly base: string
  readonly key: string
  readonly phone?: string
}

/** Bodies as the libraries wrote them, and the statuses that they got. */
const asked: Array<{ readonly body: Wire; readonly status: number; readonly path: string }> = []

const listening: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const body = (await request.clone().json()) as Wire
  const answer = await fetch(request)
  asked.push({ body, status: answer.status, path: new URL(request.url).pathname })
  return answer
}

const link = "https://example.com/a.jpg"

const whatsappApiJs = ({ base, key, phone = number }: Place): Library => {
  const api = new WhatsAppAPI({
    token: key,
    v: "v23.0",
    secure: false,
    ponyfill: {
      // The library knows one host: another one is set here.
      fetch: (input: string | URL | Request, init?: RequestInit) =>
        listening(String(input).replace("https://graph.facebook.com", base), init)
    }
  })
  type Message = Parameters<typeof api.sendMessage>[2]
  const send = async (recipient: { readonly phone: string } | { readonly bsuid: string }, message: Message) => {
    const answer = (await api.sendMessage(phone, recipient as never, message)) as unknown as {
      readonly contacts: ReadonlyArray<unknown>
      readonly messages: ReadonlyArray<{ readonly id: string; readonly message_status?: string }>
      readonly error?: { readonly error_data: Wire } & Wire
    }
    return answer
  }
  const taken = async (...sent: Parameters<typeof send>): Promise<Taken> => {
    const { contacts, error, messages } = await send(...sent)
    if (error !== undefined) throw new Error(JSON.stringify(error))
    const { id, message_status } = messages[0]!
    return { id, contact: contacts[0], ...(message_status === undefined ? {} : { status: message_status }) }
  }
  return {
    text: (to, body) => taken({ phone: to }, new Text(body)),
    toRef: (bsuid, body) => taken({ bsuid }, new Text(body)),
    template: (to) => taken({ phone: to }, new Template("welcome", "en_US")),
    image: (to) => taken({ phone: to }, new Image(link, false, "A picture")),
    buttons: (to) =>
      taken({ phone: to }, new Interactive(new ActionButtons(new Button("yes", "Yes")), new Body("Which?"))),
    flow: (to) =>
      taken(
        { phone: to },
        new Interactive(new ActionNavigateFlow("token", "4711", "Book", "WELCOME"), new Body("Book a table"))
      ),
    products: (to) =>
      taken(
        { phone: to },
        new Interactive(
          new ActionProductList("2400", new ProductSection("Tea", new Product("green"), new Product("black"))),
          new Body("What we have"),
          new Header("Tea")
        )
      ),
    read: (id, typing) => api.markAsRead(phone, id, typing ? "text" : undefined) as Promise<unknown>,
    refused: async (to, body = "Hi") => {
      const { code, error_data, fbtrace_id, message } = (await send({ phone: to }, new Text(body))).error!
      return { code, message, details: error_data.details, trace: fbtrace_id }
    }
  }
}

const kapso = ({ base, key, phone = number }: Place): Library => {
  const { messages } = new WhatsAppClient({ accessToken: key, baseUrl: base, graphVersion: "v23.0", fetch: listening })
  const taken = async (answer: Awaited<ReturnType<typeof messages.sendText>>): Promise<Taken> => {
    const { contacts, messages: sent } = answer
    const { id, messageStatus } = sent[0]! as { readonly id: string; readonly messageStatus?: string }
    const { input, userId, waId } = contacts[0]! as { readonly input: string; waId?: string; userId?: string }
    const contact = {
      input,
      ...(waId === undefined ? {} : { wa_id: waId }),
      ...(userId === undefined ? {} : { user_id: userId })
    }
    return { id, contact, ...(messageStatus === undefined ? {} : { status: messageStatus }) }
  }
  const phoneNumberId = phone
  return {
    text: async (to, body) => taken(await messages.sendText({ phoneNumberId, to, body })),
    toRef: async (recipient, body) => taken(await messages.sendText({ phoneNumberId, recipient, body })),
    template: async (to) =>
      taken(
        await messages.sendTemplate({ phoneNumberId, to, template: { name: "welcome", language: { code: "en_US" } } })
      ),
    image: async (to) => taken(await messages.sendImage({ phoneNumberId, to, image: { link, caption: "A picture" } })),
    buttons: async (to) =>
      taken(
        await messages.sendInteractiveButtons({
          phoneNumberId,
          to,
          bodyText: "Which?",
          buttons: [{ id: "yes", title: "Yes" }]
        })
      ),
    flow: async (to) =>
      taken(
        await messages.sendInteractiveFlow({
          ...{ phoneNumberId, to, bodyText: "Book a table" },
          parameters: {
            ...{ flowMessageVersion: "3", flowToken: "token", flowId: "4711", flowCta: "Book" },
            ...{ flowAction: "navigate", flowActionPayload: { screen: "WELCOME" } }
          }
        })
      ),
    products: async (to) =>
      taken(
        await messages.sendInteractiveProductList({
          ...{ phoneNumberId, to, bodyText: "What we have", header: { type: "text", text: "Tea" }, catalogId: "2400" },
          sections: [{ title: "Tea", productItems: [{ productRetailerId: "green" }, { productRetailerId: "black" }] }]
        })
      ),
    read: (messageId, typing) =>
      messages.markRead({ phoneNumberId, messageId, ...(typing ? { typingIndicator: { type: "text" } } : {}) }),
    refused: async (to, body = "Hi") => {
      const error = await messages.sendText({ phoneNumberId, to, body }).then(
        () => undefined,
        (reason: unknown) => reason
      )
      expect(error).toBeInstanceOf(GraphApiError)
      const { code, details, fbtraceId, message } = error as GraphApiError
      return { code, message, details, trace: fbtraceId }
    }
  }
}

const greatDetail = ({ base, key, phone = number }: Place): Library => {
  const sdk = new Client({
    prefixUrl: base,
    graphVersion: "v23.0",
    request: { headers: { Authorization: `Bearer ${key}` }, fetch: listening }
  })
  type Message = Parameters<typeof sdk.message.createMessage>[0]
  const send = (message: object) => sdk.message.createMessage({ phoneNumberID: phone, ...message } as Message)
  const taken = async (message: object): Promise<Taken> => {
    const { contacts, messages } = (await send(message).json()) as unknown as {
      readonly contacts: ReadonlyArray<unknown>
      readonly messages: ReadonlyArray<{ readonly id: string; readonly message_status?: string }>
    }
    const { id, message_status } = messages[0]!
    return { id, contact: contacts[0], ...(message_status === undefined ? {} : { status: message_status }) }
  }
  return {
    text: (to, body) => taken({ to, type: "text", text: { body } }),
    toRef: (recipient, body) => taken({ recipient, type: "text", text: { body } }),
    template: (to) => taken({ to, type: "template", template: { name: "welcome", language: { code: "en_US" } } }),
    image: (to) => taken({ to, type: "image", image: { link, caption: "A picture" } }),
    buttons: (to) =>
      taken({
        to,
        type: "interactive",
        interactive: {
          type: "button",
          body: { text: "Which?" },
          action: { buttons: [{ type: "reply", reply: { id: "yes", title: "Yes" } }] }
        }
      }),
    flow: (to) =>
      taken({
        to,
        type: "interactive",
        interactive: {
          type: "flow",
          body: { text: "Book a table" },
          action: {
            name: "flow",
            parameters: {
              ...{ flow_message_version: "3", flow_token: "token", flow_id: "4711", flow_cta: "Book" },
              ...{ flow_action: "navigate", flow_action_payload: { screen: "WELCOME" } }
            }
          }
        }
      }),
    products: (to) =>
      taken({
        to,
        type: "interactive",
        interactive: {
          type: "product_list",
          header: { type: "text", text: "Tea" },
          body: { text: "What we have" },
          action: {
            catalog_id: "2400",
            sections: [
              { title: "Tea", product_items: [{ product_retailer_id: "green" }, { product_retailer_id: "black" }] }
            ]
          }
        }
      }),
    read: (message_id, typing) =>
      sdk.message
        .createStatus({
          phoneNumberID: phone,
          status: "read",
          message_id,
          ...(typing ? { typing_indicator: { type: "text" } } : {})
        } as Parameters<typeof sdk.message.createStatus>[0])
        .json(),
    refused: async (to, body = "Hi") => {
      const error = await send({ to, type: "text", text: { body } })
        .json()
        .then(
          () => undefined,
          (reason: unknown) => reason
        )
      expect(error).toBeInstanceOf(HTTPError)
      const said = (await (error as HTTPError).response.json()) as { readonly error: Wire & { error_data: Wire } }
      const { code, error_data, fbtrace_id, message } = said.error
      return { code, message, details: error_data.details, trace: fbtrace_id }
    }
  }
}

let platform: FakePlatform
let server: Server
/** A server whose channel has the platform's own words. */
let branded: Server
let keys: { readonly send: string; readonly other: string; readonly branded: string }

const begin = async (brand: object) => {
  const cwd = folder(200, {
    brand,
    messaging: { base_url: platform.baseUrl, product: "whatsapp", app_secret: appSecret }
  })
  return { cwd, started: await serve(cwd) }
}

const connect = async (at: Server, key: string, channel: string) => {
  const { body, status } = await client(at, key)("POST", `/api/v1/${channel}/phone_numbers`, {
    phone_number_id: number,
    business_account_id: "102290129340398",
    access_token: token,
    display_phone_number: "+1 555-078-3881"
  })
  expect(status, JSON.stringify(body)).toBe(201)
}

beforeAll(async () => {
  platform = await startFakePlatform({ tokens: [token] })
  const [one, two] = await Promise.all([
    begin({ product_aliases: [{ product: "whatsapp", user_id_field: "wa_id" }] }),
    begin({ channel: "whatsapp", user_id_field: "wa_id", message_id_field: "wamid", message_ids_field: "wamids" })
  ])
  server = one.started
  branded = two.started
  const scopes = ["key", "create", "--account", accountOf(server), "--scopes", "messaging:read"]
  keys = { send: keyOf(server), other: (await json(one.cwd, ...scopes)).key, branded: keyOf(branded) }
  await connect(server, keys.send, "messaging")
  await connect(branded, keys.branded, "whatsapp")
})

afterAll(async () => {
  await platform.close()
  cleanUp()
})

const here = (): Place => ({ base: `${server.url}/api/v1/messaging`, key: keys.send })
const there = (): Place => ({ base: `${branded.url}/api/v1/whatsapp`, key: keys.branded })

const libraries: ReadonlyArray<readonly [name: string, library: (place: Place) => Library]> = [
  ["whatsapp-api-js", whatsappApiJs],
  ["@kapso/whatsapp-cloud-api", kapso],
  ["@great-detail/whatsapp", greatDetail]
]

/** The body that a library wrote last, as the platform must get it. */
const written = () => asked.at(-1)!.body

describe.each(libraries)("%s", (name, library) => {
  const to = "16505551234"

  beforeEach(() => {
    asked.length = 0
    platform.behave(null)
  })

  it.each([
    ["beside the channel's own product value", here],
    ["where the channel has the platform's words", there]
    // Verifies: N-45.
  ])("sends a text, a template, a picture and buttons, %s", async (_, place) => {
    const { buttons, image, template, text } = library(place())
    for (const send of [() => text(to, "Hello 👋"), () => template(to), () => image(to), () => buttons(to)]) {
      const { contact, id } = await send()
      const message = platform.messages.at(-1)!
      expect(id).toBe(message.id)
      expect(contact).toEqual({ input: to, wa_id: to })
      expect(message.phoneNumberId).toBe(number)
      expect(message.body).toEqual({ ...written(), biz_opaque_callback_data: expect.any(String) })
      expect(platform.of("send").at(-1)!.token).toBe(token)
    }
    expect(platform.messages.slice(-4).map(({ body }) => body.type)).toEqual([
      "text",
      "template",
      "image",
      "interactive"
    ])
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it("sends a flow and a list of products, which come to the platform as they were written", async () => {
    const { flow, products } = library(here())
    for (const send of [() => flow(to), () => products(to)]) {
      const { id } = await send()
      const message = platform.messages.at(-1)!
      expect(id).toBe(message.id)
      expect(message.body).toEqual({ ...written(), biz_opaque_callback_data: expect.any(String) })
    }
    expect(platform.messages.slice(-2).map(({ body }) => body.interactive)).toMatchObject([
      { type: "flow", action: { name: "flow", parameters: { flow_id: "4711", flow_token: "token" } } },
      { type: "product_list", action: { catalog_id: "2400", sections: [{ title: "Tea" }] } }
    ])
  })

  it("reaches a person by the platform's own id", async () => {
    const ref = "US.13491208655302741918"
    const { contact } = await library(here()).toRef(ref, "Hi")
    expect(contact).toEqual({ input: ref, wa_id: ref, user_id: ref })
    expect(platform.messages.at(-1)).toMatchObject({ to: ref, body: { recipient: ref } })
  })

  it("sees that a template is held back", async () => {
    platform.next({
      does: "answer",
      status: 200,
      body: {
        messaging_product: "whatsapp",
        contacts: [{ input: to, wa_id: to }],
        messages: [{ id: "wamid.HELD", message_status: "held_for_quality_assessment" }]
      }
    })
    expect(await library(here()).template(to)).toMatchObject({
      id: "wamid.HELD",
      status: "held_for_quality_assessment"
    })
  })

  // Verifies: N-45.
  it("marks a message read, and shows that somebody is writing", async () => {
    const { read } = library(here())
    for (const typing of [false, true]) {
      expect(await read("wamid.SEEN", typing)).toEqual({ success: true })
      expect(platform.marked.at(-1)).toEqual({ id: "wamid.SEEN", typing })
    }
  })

  interface Wrong {
    readonly place?: () => Place
    readonly whom?: string
    readonly body?: string
    readonly status: number
    readonly code: number
    readonly said: RegExp
  }
  const wrong: ReadonlyArray<readonly [what: string, wrong: Wrong]> = [
    [
      "a key that there is not",
      { place: () => ({ ...here(), key: "svc_nobody" }), status: 401, code: 190, said: /access token/ }
    ],
    [
      "a key that may not send",
      { place: () => ({ ...here(), key: keys.other }), status: 403, code: 10, said: /permission/ }
    ],
    [
      "a number that is not connected",
      { place: () => ({ ...here(), phone: "1" }), status: 400, code: 100, said: /does not exist/ }
    ],
    ["a phone that is none", { whom: "nobody", status: 400, code: 100, said: /to must be a phone number/ }],
    ["a text that is too long", { body: "x".repeat(4097), status: 400, code: 100, said: /text\.body .* at most 4096/ }]
  ]

  it.each(wrong)(
    "reads our refusal of %s as the platform's",
    async (_, { body = "Hi", place = here, whom = to, ...as }) => {
      // This one counts by itself, and asks nobody.
      if (body.length > 4096 && name === "whatsapp-api-js") return
      // What is known of the number is read beside it.
      const before = platform.of("send").length
      const { code, details, message, trace } = await library(place()).refused(whom, body)
      expect(code).toBe(as.code)
      expect(message).toMatch(as.said)
      expect(details).toMatch(/\w/)
      expect(trace).toMatch(/^[0-9a-f-]{36}$/)
      expect(asked.map((one) => one.status)).toEqual([as.status])
      expect(platform.of("send")).toHaveLength(before)
    }
  )

  it.each([
    [131047, 400],
    [130429, 400],
    [131056, 400],
    [80007, 400],
    [190, 401],
    [131031, 403],
    [132001, 404],
    [131000, 500],
    [2, 503]
  ])("reads the platform's refusal %s as the platform says it, and asks once", async (code, status) => {
    platform.next({ does: "refuse", code, message: "as it is", details: "why" })
    const before = platform.of("send").length
    const refused = await library(here()).refused(to)
    expect(refused).toMatchObject({ code, message: `(#${code}) as it is`, details: "why" })
    expect(asked.map((one) => one.status)).toEqual([status])
    expect(platform.of("send")).toHaveLength(before + 1)
  })

  it("is refused for a closed window before the platform is asked", async () => {
    const customer = "16505559999"
    platform.deliverTo({ url: `${server.url}/api/v1/messaging/inbound`, appSecret })
    const timestamp = String(Math.floor(Date.now() / 1000) - 25 * 3600)
    const message = inbound.text("Hi", { from: customer, from_user_id: undefined, timestamp })
    expect(await platform.deliver(inboundMessages(message))).toBe(200)
    const before = platform.of("send").length
    const { code, details } = await library(here()).refused(customer)
    expect([code, asked.at(-1)!.status]).toEqual([131047, 400])
    expect(details).toMatch(/The window closed at \d{4}-/)
    expect(platform.of("send")).toHaveLength(before)
    expect((await library(here()).template(customer)).id).toBe(platform.messages.at(-1)!.id)
  })

  it("gets 503 when the platform is unreachable, and does not send twice", async () => {
    for (const takes of [false, true]) {
      platform.next({ does: "reset", takes })
      const before = platform.of("send").length
      const { code, details } = await library(here()).refused(to)
      expect([code, asked.at(-1)!.status]).toEqual([2, 503])
      expect(details).toMatch(/not known/)
      expect(platform.of("send")).toHaveLength(before + 1)
    }
  })

  it("asks below the platform's version", async () => {
    await library(here()).text(to, "Hi")
    expect(asked.map(({ path }) => path)).toEqual([`/api/v1/messaging/v23.0/${number}/messages`])
  })
})

describe("@kapso/whatsapp-cloud-api", () => {
  const send = (place = here()) => {
    const { messages } = new WhatsAppClient({ accessToken: place.key, baseUrl: place.base })
    return messages.sendText({ phoneNumberId: number, to: "16505551234", body: "Hi" }).then(
      () => undefined,
      (reason: unknown) => reason as GraphApiError
    )
  }

  it("sorts refusals by what can be done about them, and reads how long to wait", async () => {
    const sorted = async (code: number, retryAfter?: number) => {
      platform.next({ does: "refuse", code, ...(retryAfter === undefined ? {} : { retryAfter }) })
      const { category, retry } = (await send())!
      return [category, retry]
    }
    expect(await sorted(130429, 7)).toEqual(["throttling", { action: "retry_after", retryAfterMs: 7000 }])
    expect(await sorted(131047)).toEqual(["reengagementWindow", { action: "do_not_retry" }])
    expect(await sorted(132001)).toEqual(["template", { action: "fix_and_retry" }])
    expect(await sorted(131000)).toEqual(["server", { action: "retry" }])
    const unknown = (await send({ ...here(), key: "svc_nobody" }))!
    expect([unknown.category, unknown.retry]).toEqual(["authorization", { action: "refresh_token" }])
  })

  it("reads what there is not, below the platform's version, as an error of the platform's", async () => {
    const { media } = new WhatsAppClient({ accessToken: keys.send, baseUrl: here().base })
    const error = await media.get({ mediaId: "1", phoneNumberId: number }).then(
      () => undefined,
      (reason: unknown) => reason as GraphApiError
    )
    expect(error).toMatchObject({ httpStatus: 404, code: 100, type: "OAuthException" })
  })
})

it("neither the platform's token nor a key is in what the server says", () => {
  for (const { logged, printed } of [server, branded]) {
    expect(logged() + printed).not.toContain(token)
    expect(logged()).not.toMatch(/svc_\w{10}/)
  }
})
