/** What a start says: who answers each service, and what an operator can do first. Pure. Source: docs/reference/configuration.md#start. */
import type { Account } from "@trunkline/core/effect"
import { type Capability, Models, serviceOf, type Upstreams } from "@trunkline/core/provider"

/** What the product that has started is made of, as far as a start speaks of it. */
export interface Started {
  /** Null where the gateway is left out. */
  readonly gateway: Gateway | null
  /** The first two. */
  readonly accounts: ReadonlyArray<{ readonly id: string; readonly plan: Account["plan"] }>
}

export interface Gateway {
  readonly upstreams: Upstreams["Service"]
  readonly models: ReadonlyArray<Models.Model>
  /** Names of the providers that search the web. */
  readonly searches: ReadonlyArray<string>
}

/** Where the product is, and how an operator calls its command. */
export interface Place {
  readonly url: string
  readonly command: string
}

const services = [
  ["generate", "language models"],
  ["transcribe", "speech to text"],
  ["speak", "text to speech"],
  ["embed", "embeddings"],
  ["generateImages", "images"]
] as const satisfies ReadonlyArray<readonly [Capability, string]>

const none = "none (docs/guides/add-a-model.md)"

const shownIds = 3

/** The first ids, and how many more there are. */
const some = (ids: ReadonlyArray<string>): string =>
  [...ids.slice(0, shownIds), ...(ids.length > shownIds ? [`${ids.length - shownIds} more`] : [])].join(", ")

const isOf = (capability: Capability) => (model: Models.Model) =>
  model.category === serviceOf[capability] && model.status === "active"

/** The upstreams of a service, each with the models that go there first. */
const routed = (capability: Capability, { models, upstreams }: Gateway): ReadonlyArray<string> =>
  upstreams.serving(capability).map(({ name }) => {
    const ids = models
      .filter(isOf(capability))
      .filter(({ id }) => upstreams.route(capability, id)?.entries[0].upstream.name === name)
      .map(({ id }) => id)
    return ids.length === 0 ? name : `${name} (${some(ids)})`
  })

const answeredBy = (capability: Capability, gateway: Gateway): string => {
  const standIn = gateway.upstreams.standIn(capability)
  if (standIn !== null) return `the embedded engine (${standIn}), English alone`
  return routed(capability, gateway).join("; ") || none
}

/** What requests for a service will fail with until the operator has installed it. */
const faultOf = (capability: Capability, { upstreams }: Gateway): string | null => {
  const faults = upstreams.serving(capability).flatMap(({ fault }) => fault?.(capability) ?? [])
  return faults.length === 0 ? null : faults.join("; ")
}

/** Services whose requests fail: for the log. */
export const serviceFaults = ({ gateway }: Started): ReadonlyArray<string> =>
  gateway === null
    ? []
    : services.flatMap(([capability, name]) => {
        const fault = faultOf(capability, gateway)
        return fault === null ? [] : [`requests for ${name} will fail: ${fault}`]
      })

/** One line for each service. */
export const serviceLines = ({ gateway }: Started): ReadonlyArray<string> =>
  gateway === null
    ? []
    : [
        ...services.map(([capability, name]) => {
          const broken = faultOf(capability, gateway) === null ? "" : ", which is not installed"
          return `${name}: ${answeredBy(capability, gateway)}${broken}`
        }),
        `web search: ${gateway.searches.join(", ") || "none (docs/reference/search.md)"}`
      ]

/** The plan of the only account, with the command that changes it. */
const planLine = ({ accounts }: Started, { command }: Place): string => {
  const [account, other] = accounts
  return account === undefined || other !== undefined
    ? `to see accounts and plans: ${command} account list`
    : `the account ${account.id} is on the plan ${account.plan}; to change it: ${command} account set --account ${account.id} --plan ${account.plan === "pro" ? "enterprise" : "pro"}`
}

/** Which language models can be asked, with a request to paste; nothing where no route leads to one. */
const askLines = ({ accounts, gateway }: Started, { url }: Place): ReadonlyArray<string> => {
  if (gateway === null) return []
  const { models, upstreams } = gateway
  const here = models.filter((model) => isOf("generate")(model) && upstreams.route("generate", model.id) !== null)
  const plans = accounts.map(({ plan }) => plan)
  const askable = here.filter((model) => plans.some((plan) => Models.mayCall(model, plan)))
  const [model] = askable
  if (here.length === 0) return []
  if (model === undefined) return [`no plan here has one of the language models ${some(here.map(({ id }) => id))}`]
  const body = JSON.stringify({ model: model.id, messages: [{ role: "user", content: "Say hello" }] })
  const others = here.filter((one) => !askable.includes(one)).map(({ id }) => id)
  return [
    `language models that can be asked: ${some(askable.map(({ id }) => id))}${others.length === 0 ? "" : `; of another plan: ${some(others)}`}`,
    `  curl -s ${url}/v1/chat/completions -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`
  ]
}

/** Everything, in the order in which it is printed. */
export const startLines = (started: Started, place: Place): ReadonlyArray<string> => [
  ...serviceLines(started),
  planLine(started, place),
  ...askLines(started, place),
  `API reference: ${place.url}/docs`
]
