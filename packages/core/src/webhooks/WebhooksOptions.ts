/** What a host decides about webhooks and their portal. Pure. */
import { frameAncestorFault, wordFaults } from "../platform/brand/index.ts"
import { type SettingFault, Settings, theme } from "../platform/settings/index.ts"
import { retentionDays } from "../platform/storage/index.ts"
import { languageOf, portalWords } from "./portal/index.ts"
import { standardLimits } from "./WebhookSettings.ts"

const { flag, list, record, section, standard, text, value, whole } = Settings

const host = value<string>("must be a host name alone, such as hooks.slack.com", (given) => {
  const url = typeof given === "string" ? URL.parse(`https://${given}/`) : null
  return url !== null && url.hostname === String(given).toLowerCase()
})

const language = value<string>(
  "must be a language tag such as de or pt-BR",
  (given) => typeof given === "string" && languageOf(given) !== null
)

export const settings = {
  webhooks: section({
    /** The hosts that get chat messages. Default `["hooks.slack.com"]`. Source: docs/reference/webhooks-receiving.md#team-chat. */
    teamChatHosts: standard(list(host), ["hooks.slack.com"]),
    /** The time of one attempt, in milliseconds. Default 10,000. Source: docs/reference/webhooks.md#attempt. */
    timeoutMs: whole({ min: 1, default: 10_000 }),
    /** The attempts that this process makes at a time. Default 64. Source: docs/reference/webhooks.md#fairness. */
    concurrency: whole({ min: 1, default: standardLimits.slots }),
    /** The attempts that are made to one endpoint at a time. Default 16. */
    perEndpoint: whole({ min: 1, default: standardLimits.perEndpoint }),
    portal: section({
      /** The origins of pages that may show the portal in a frame. Default `["'self'"]`. Source: docs/reference/webhooks-portal.md#policy. */
      frameAncestors: standard(list(text, { faultOf: frameAncestorFault }), ["'self'"]),
      /** The colour, font, colour scheme and logo of the portal, where they differ from those of `brand.theme`. Source: docs/reference/webhooks-portal.md#theme. */
      theme,
      /** The language tag of the page, its dates and times, such as `de`. Default `en`. Source: docs/reference/webhooks-portal.md#words. */
      language: standard(language, "en"),
      /** The texts of the page by their keys, in place of the English ones. Source: docs/reference/webhooks-portal.md#words. */
      words: record(text)
    })
  }),
  workers: section({
    /** Whether `start` delivers webhooks. Default true. Source: docs/reference/webhooks.md. */
    deliveries: flag(true)
  }),
  retention: section({
    /** The days for which deliveries are kept at least that are not tried any more; null keeps them for ever. Default null. Source: docs/reference/storage.md#retention. */
    deliveriesDays: whole({ min: retentionDays.min.deliveries, max: retentionDays.max, default: null, orNull: true })
  })
}

export type WebhooksOptions = Settings.ValuesOf<typeof settings>

/** What must hold of several options together, by the section in which it is reported. */
export const rules = {
  webhooks: ({ webhooks }: WebhooksOptions): ReadonlyArray<SettingFault> =>
    wordFaults(webhooks?.portal?.words ?? {}, portalWords).map(({ key, message }) => ({
      path: ["webhooks", "portal", "words", key],
      message
    }))
}
