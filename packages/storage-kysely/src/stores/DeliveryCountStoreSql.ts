/** Counts of messages in SQL: each interval is a range of an index that begins with the number or the campaign. */
import { DeliveryCountStore, type Ids, type Instant, type StatusCount } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type RawBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { rows } from "../Session.ts"
import { plain, statement } from "../Statement.ts"

interface Asked {
  readonly tenantId: Ids.AccountId
  readonly type: string | null
  readonly bounds: ReadonlyArray<Instant.Instant>
  readonly first: Instant.Instant
  readonly last: Instant.Instant
}

/** `n` is how many there are. */
type Counted = Omit<StatusCount, "count"> & { readonly n: number }

/** As wide as a code may be; a message that was delivered in the end may keep the fault of a report before it. */
const code = sql`case when m.status in ('failed', 'unknown') then ${sql.raw("(m.fault ->> 'code')")} end`

const isOfType = ({ type }: Asked) => sql<boolean>`(cast(${type} as text) is null or m.type = ${type})`

/** An account's messages are those of its numbers. */
const ofNumbers = (value: Asked, dialect: SqlDialect, which: RawBuilder<unknown>) => {
  const numbers = sql`select number.id from connected_numbers as number
    where number.tenant_id = ${value.tenantId}${which}`
  const { from, isWithin, place } = dialect.intervals("m.created_at", value)
  return sql<Counted>`select ${place} as place, m.status as status, ${dialect.cast(code, "bigint")} as code, count(*) as n
    from ${from} chat_messages as m
    where ${dialect.isAmong(sql`m.phone_id`, numbers)} and m.tenant_id = ${value.tenantId} and ${isWithin}
      and ${isOfType(value)}
    group by 1, 2, 3`
}

const ofAccount = statement<Asked>("deliveryCounts.ofAccount")(
  plain<Asked, Counted>((value, dialect) => ofNumbers(value, dialect, sql``))
)

type OfNumber = Asked & { readonly phoneNumberId: string }

const ofNumber = statement<OfNumber>("deliveryCounts.ofNumber")(
  plain<OfNumber, Counted>((value, dialect) =>
    ofNumbers(value, dialect, sql` and number.phone_number_id = ${value.phoneNumberId}`)
  )
)

type OfCampaign = Asked & { readonly campaignId: Ids.TemplateCampaignId }

/** What a campaign has sent, and the first answer of each of its contacts. */
const ofCampaign = statement<OfCampaign>("deliveryCounts.ofCampaign")(
  plain<OfCampaign, Counted>((value, dialect) => {
    const sent = dialect.intervals("m.created_at", value)
    const replied = dialect.intervals("contact.replied_at", value)
    return sql`select ${sent.place} as place, m.status as status, ${dialect.cast(code, "bigint")} as code, count(*) as n
        from ${sent.from} chat_messages as m
        where m.campaign_id is not null and m.campaign_id = ${value.campaignId} and m.tenant_id = ${value.tenantId}
          and ${sent.isWithin} and ${isOfType(value)}
        group by 1, 2, 3
      union all
      select ${replied.place}, 'received', null, count(*)
        from ${replied.from} template_contacts as contact
        where contact.replied_at is not null and contact.campaign_id = ${value.campaignId}
          and contact.tenant_id = ${value.tenantId} and ${replied.isWithin}
          and (cast(${value.type} as text) is null or exists (select 1 from chat_messages as m
            where m.id = ${dialect.cast(sql.raw("(contact.reply ->> 'messageId')"), "uuid")} and m.type = ${value.type}))
        group by 1`
  })
)

const countOf = ({ n, ...count }: Counted): StatusCount => ({ ...count, count: n })

export const layer = Layer.succeed(DeliveryCountStore, {
  count: (tenantId, { campaignId, phoneNumberId, type }, bounds) => {
    const asked = { tenantId, type, bounds, first: bounds[0]!, last: bounds.at(-1)! }
    const found =
      campaignId !== null
        ? rows(ofCampaign, { ...asked, campaignId })
        : phoneNumberId !== null
          ? rows(ofNumber, { ...asked, phoneNumberId })
          : rows(ofAccount, asked)
    return Effect.map(found, (counts) => counts.map(countOf))
  }
})
