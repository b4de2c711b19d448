/** The library's options as the environment and the file say: everything that a server runs with. */
import type { StorageProvider, TrunklineOptions } from "@trunkline/core"
import { type KindHost, optionNames } from "@trunkline/core/provider"
import { dashboard } from "@trunkline/dashboard"
import { apiReference, audioLength, outbound, recordings } from "@trunkline/node"
import type { Config } from "./ConfigReader.ts"
import { defined } from "./Defined.ts"
import { write } from "./Log.ts"
import { basicOptions } from "./Product.ts"
import * as Kinds from "./ProviderKinds.ts"
import { carrierIn, channelsIn, platformIn, searchesIn, upstreamsIn } from "./ProviderParts.ts"
import { allMade, made } from "./ProviderSections.ts"
import { detectorOf, withStandIn } from "./StandInEngine.ts"

const host: KindHost = { log: (message) => write({ level: "info", message, at: new Date() }) }

type Options<Name extends keyof TrunklineOptions> = NonNullable<TrunklineOptions[Name]>

const modelsOf = async ({ catalogue, models }: Config): Promise<Options<"models">> => {
  const { catalogue: _, upstreams, ...others } = models
  return {
    ...(await withStandIn(others, host)),
    ...(catalogue === null ? {} : { catalogue }),
    upstreams: await allMade(upstreamsIn(models), host)
  }
}

const searchOf = async ({ search }: Config): Promise<Options<"search">> => ({
  ...search,
  providers: await allMade(searchesIn(search), host)
})

const settingsOfChannels = new Set([...Object.keys(Kinds.platform.settings), ...Kinds.channels.map(({ name }) => name)])

const messagingOf = async ({ messaging }: Config): Promise<Options<"messaging">> => {
  const { appSecret, verifyToken, ...others } = messaging
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !settingsOfChannels.has(name))),
    platform: await made(platformIn(messaging), host),
    channels: await Promise.all(channelsIn(messaging).map((channel) => made(channel, host))),
    ...defined({ appSecret: appSecret?.text, verifyToken: verifyToken?.text })
  }
}

/** Beside the database and the secret, where nothing else is named. */
const recordingsOf = ({ voice }: Config) =>
  recordings({
    folder: voice.recordingsFolder ?? "./data/recordings",
    ...defined({ keepDays: voice.recordingsKeepDays })
  })

const voiceOf = async ({ models, voice }: Config): Promise<Options<"voice">> => {
  const { recordingsFolder, recordingsKeepDays, ...others } = voice
  return { ...others, ...defined({ detector: await detectorOf(models, host) }) }
}

/** The options that are read before a storage is opened. */
export interface ServerSettings {
  readonly config: Config
  readonly storage: StorageProvider
  readonly secret: string
}

/** What the library does not know as a section, or has in another form. */
const withoutOwn = ({
  auth,
  catalogue,
  dashboard,
  database,
  keySet,
  messaging,
  metrics,
  models,
  search,
  secrets,
  server,
  telephony,
  voice,
  ...sections
}: Config) => sections

/** The providers that are there without one in the file. */
const plainOptions = (settings: ServerSettings): TrunklineOptions => {
  const { config } = settings
  const { auth, keySet, telephony } = config
  const basic = basicOptions(settings)
  const { jwt: _, oidc, signIn: __, ...others } = auth
  return {
    ...withoutOwn(config),
    ...basic,
    auth: {
      ...others,
      ...basic.auth,
      jwt: { ...basic.auth?.jwt, ...keySet },
      ...(oidc === undefined ? {} : { oidc: { ...oidc, clientSecret: oidc.clientSecret.text } })
    },
    outbound: outbound(),
    dashboard: dashboard(config.dashboard),
    reference: apiReference(defined({ url: config.server.publicUrl })),
    audioLength: audioLength(),
    recordings: recordingsOf(config),
    ...defined({ answer: telephony.answer })
  }
}

/** Options with providers of the file, which are loaded to be made. */
const providerOptions = {
  telephony: ({ telephony }) => made(carrierIn(telephony), host),
  models: modelsOf,
  search: searchOf,
  voice: voiceOf,
  messaging: messagingOf
} satisfies { readonly [Name in keyof TrunklineOptions]?: (config: Config) => Promise<TrunklineOptions[Name]> }

/** The sections are under the names of the library: what a file cannot hold is made here, for the areas that the server has. */
export const optionsOf = async (settings: ServerSettings): Promise<TrunklineOptions> => {
  const { areas } = settings.config.server
  const known = areas === undefined ? null : new Set(optionNames(areas))
  const isKnown = ([name]: readonly [name: string, value: unknown]): boolean => known?.has(name) ?? true
  const plain = Object.entries(plainOptions(settings)).filter(isKnown)
  const makers = Object.entries(providerOptions).filter(isKnown)
  const loaded = await Promise.all(makers.map(async ([name, make]) => [name, await make(settings.config)] as const))
  return {
    ...(Object.fromEntries([...plain, ...loaded]) as unknown as TrunklineOptions),
    ...(areas === undefined ? {} : { areas: areas.map((area) => ({ area })) })
  }
}
