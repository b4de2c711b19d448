/** The configuration file's settings: those of the library that a file can hold, and what only a server has. Pure. */

import { dashboardSettings, type FileOptions, merged, optionSettings, Settings } from "@trunkline/core/provider"
import * as Kinds from "./ProviderKinds.ts"
import { entriesOf, namesOf, sectionsOf, settingsOf } from "./ProviderSections.ts"
import { standInSettings } from "./StandInEngine.ts"

export type { Environment } from "@trunkline/core/provider"

const { entry, folder, list, oneOf, orNull, record, required, secret, section, standard, text, web, whole } = Settings

const carrierNames = namesOf(Kinds.carriers)

/** A file names an image, and the library has the image itself. */
const logoFile = section({ logo: text })

/** Keys that the library does not have, or has in another form. */
const own = {
  brand: section({ theme: logoFile }),
  server: section({
    /** Where people and programs reach this server, with the prefix of a proxy: `https://calls.example.com`. Without it that is `HOST` and `PORT`. `portal link` and the lines of a start print it, and the API's description names it as its server. Source: docs/reference/http-conventions.md#description. */
    publicUrl: web,
    /** The areas of the product that this server has, of `gateway`, `agents`, `calling`, `messaging`, `webhooks`, `voice` and `dashboard`. Default: all. What is left out has no routes, no background work, no metrics and no options. Source: docs/reference/embedding.md#areas. */
    areas: list(oneOf("gateway", "agents", "calling", "messaging", "webhooks", "voice", "dashboard"))
  }),
  auth: section({ jwt: section({ jwksUrl: text }) }),
  secrets: section({
    /** The former values of `TRUNKLINE_SECRET`, to change it: not the present one, none empty, none twice. Source: docs/reference/operations.md#keys. */
    previous: list(secret)
  }),
  database: section({
    /** The schema of the tables, the same in all processes and commands. Default `trunkline`. */
    schema: text,
    /** The connections of this process at most. Default 10. */
    connections: whole({ min: 1 }),
    /** The time of a statement, in milliseconds. Default 30,000. */
    statementTimeoutMs: whole({ min: 1 }),
    /** The mode of a pooler between this process and the database. Default `session`. Source: docs/reference/storage.md#poolers. */
    pooler: oneOf("session", "transaction"),
    /** The address of the server itself, where `DATABASE_URL` is a pooler's. */
    directUrl: secret,
    /** The time of looking up what a fail-over may have lost, in milliseconds. Default 3,600,000. Source: docs/reference/storage.md#fail-over. */
    failoverLookUpMs: whole({ min: 0 })
  }),
  telephony: section({
    /** Who places calls. Default `simulator`. */
    provider: standard(oneOf(...carrierNames), carrierNames[0]!),
    ...sectionsOf(Kinds.carriers)
  }),
  messaging: section({
    ...Kinds.platform.settings,
    ...entriesOf(Kinds.channels)
  }),
  models: section({
    catalogue: text,
    /** Who runs models, by a name that routes use. Source: docs/reference/upstreams.md#settings. */
    upstreams: record(
      entry({
        /** What the upstream speaks. */
        kind: required(oneOf(...namesOf(Kinds.upstreams))),
        ...settingsOf(Kinds.upstreams)
      })
    ),
    ...standInSettings
  }),
  search: section({
    /** Who searches, by a name that callers use. Without any, searches are refused. Source: docs/reference/search.md#settings. */
    providers: record(
      entry({
        /** What the provider is. */
        kind: required(oneOf(...namesOf(Kinds.searches))),
        ...settingsOf(Kinds.searches)
      })
    )
  }),
  voice: section({
    /** The folder of recordings. Default `./data/recordings`. Source: docs/reference/voice.md#recording. */
    recordingsFolder: folder,
    /** The days for which recordings are kept. Default 30. */
    recordingsKeepDays: whole({ min: 1, max: 36_500 })
  }),
  webhooks: section({
    // A stop waits for attempts, and an endpoint that hangs occupies its slots for this time.
    timeoutMs: whole({ min: 1, max: 60_000, default: 10_000 }),
    portal: section({ theme: logoFile })
  }),
  dashboard: section({ logo: orNull(text), logoDark: orNull(text), icon: orNull(text) }),
  metrics: section({
    /** The port of metrics and health, as `METRICS_PORT`, which comes first. */
    port: whole({ min: 0, max: 65_535 })
  })
}

const order = [
  ...["brand", "server", "auth", "secrets", "database", "telephony", "messaging", "models", "search", "voice"],
  ...["webhooks", "dashboard", "limits", "pricing", "workers", "retention", "metrics"]
]

/** Where a section stands: one without a place comes last. */
const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)

const library = optionSettings.form.fields ?? {}

/** Sections alone are in the file: what stands beside them in the library is a provider, a key or a function. */
const ofLibrary = Object.entries(library).filter(
  ([, { form }]) => form.fields !== undefined && !form.isWhole && !form.isHostOnly
)

const answer = library.answer ?? Settings.anything

/** The sections of the file. Source: docs/reference/configuration.md#file. */
export const sections: Settings.Settings = Object.fromEntries(
  Object.entries(
    merged([Object.fromEntries(ofLibrary), dashboardSettings, { telephony: section({ answer }) }, own])
  ).sort(([one], [other]) => placeOf(one) - placeOf(other))
)

/** What the library has beside its sections. */
type Beside = "answer" | "previousEncryptionKeys" | "encryptionKey"

type Whole = Omit<FileOptions, Beside> &
  Settings.FileValuesOf<typeof dashboardSettings> &
  Settings.FileValuesOf<typeof own>

export type SectionName = keyof Whole

/** The content of the file with its secrets, under the library's names; a missing section is empty. */
export type Sections = { readonly [Name in SectionName]-?: NonNullable<Whole[Name]> } & {
  readonly telephony: Pick<FileOptions, "answer">
}
