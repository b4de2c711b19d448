/** What a read or a delivery changes of what is known of a template. Pure. Source: docs/reference/messaging.md#known-templates. */
import type { Instant } from "../../platform/kernel/index.ts"
import type { TemplateFacts, TemplateNews } from "../channels/index.ts"
import type { KnownTemplate, TemplateOwner } from "./KnownTemplate.ts"

export const templateChanges = ["status", "quality", "category", "components"] as const
export type TemplateChange = (typeof templateChanges)[number]

export interface ChangedTemplate {
  readonly template: KnownTemplate
  readonly previousStatus: string | null
  readonly changes: ReadonlyArray<TemplateChange>
}

/** A template of which nothing is known yet. */
export const unknownTemplate = (owner: TemplateOwner, id: string, at: Instant.Instant): KnownTemplate => ({
  ...owner,
  id,
  name: null,
  language: null,
  status: null,
  category: null,
  quality: null,
  components: null,
  reason: null,
  rejection: null,
  disableAt: null,
  reportedAt: null,
  readDueAt: null,
  updatedAt: at
})

/** A delivery about one template. */
export interface TemplateReport {
  readonly id: string
  readonly name: string | null
  readonly language: string | null
  readonly news: TemplateNews
  /** When the network wrote it; null where it does not say. */
  readonly writtenAt: Instant.Instant | null
}

const isOlder = (report: TemplateReport, known: KnownTemplate): boolean =>
  report.writtenAt !== null && known.reportedAt !== null && report.writtenAt < known.reportedAt

/** What a delivery makes of a template; null where an earlier delivery was written later. */
export const afterReport = (
  known: KnownTemplate,
  report: TemplateReport,
  at: Instant.Instant
): ChangedTemplate | null => {
  if (isOlder(report, known)) return null
  const template = {
    ...known,
    ...partOf(report.news, at),
    name: report.name ?? known.name,
    language: report.language ?? known.language,
    reportedAt: report.writtenAt ?? known.reportedAt,
    updatedAt: at
  }
  const changes = report.news._tag === "Components" ? (["components"] as const) : differences(known, template)
  return { template, previousStatus: known.status, changes }
}

const partOf = (news: TemplateNews, at: Instant.Instant): Partial<KnownTemplate> => {
  switch (news._tag) {
    case "Status": {
      const { disableAt, reason, rejection, status } = news
      return { status, reason, rejection, disableAt }
    }
    case "Quality":
      return { quality: news.quality }
    case "Category":
      return { category: news.category }
    case "Components":
      // What its words are now only the network can say.
      return { readDueAt: at }
  }
}

/** A value that was not known before is no change. */
const isAnother = <A>(before: A | null, after: A | null): boolean =>
  before !== null && after !== null && JSON.stringify(before) !== JSON.stringify(after)

const differences = (before: KnownTemplate, after: KnownTemplate): ReadonlyArray<TemplateChange> =>
  templateChanges.filter((name) => name !== "components" && after[name] !== null && before[name] !== after[name])

/** What a read makes of a template: what the answer does not name stays. Null where it changes nothing. */
export const afterRead = (known: KnownTemplate, facts: TemplateFacts, at: Instant.Instant): ChangedTemplate | null => {
  const read = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null))
  const template: KnownTemplate = { ...known, ...read, updatedAt: at }
  if (isSame(known, template)) return null
  // Receivers have heard of words that were reported as changed.
  const isReported = known.readDueAt !== null
  const changes = templateChanges.filter(
    (name) => isAnother(known[name], template[name]) && !(name === "components" && isReported)
  )
  return { template, previousStatus: known.status, changes }
}

const isSame = ({ updatedAt: _, ...one }: KnownTemplate, { updatedAt: __, ...other }: KnownTemplate): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
