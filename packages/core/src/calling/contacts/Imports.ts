/** The import of a CSV file: into the address book and onto a campaign, all of it or nothing. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { traced } from "../../platform/kernel/index.ts"
import type {
  CsvRefused,
  ImportedList,
  ImportReport,
  ListUpload,
  MappingRefused
} from "../../platform/overview/index.ts"
import type { LimitReached, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import {
  acceptsContacts,
  type Campaign,
  type CampaignNotFound,
  CampaignStore,
  Campaigns,
  ContactsClosed
} from "../campaigns/index.ts"
import { makeListImporter } from "./ListImporter.ts"

/** Source: docs/reference/contacts.md#form. */
export interface CsvUpload extends ListUpload {
  /** Who imports. */
  readonly actor: Actor
}

export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Creates or updates a contact for every row, and adds to the campaign each that is not on it. A dry run does all of
     * this but the writing, so that it answers with the same numbers. The campaign's status is judged when the import
     * begins and again, under its lock, when it is committed. Source: docs/reference/contacts.md#import.
     */
    readonly importCsv: (
      tenantId: Ids.AccountId,
      campaignId: Ids.CampaignId,
      upload: CsvUpload
    ) => Effect.Effect<
      ImportReport,
      CampaignNotFound | ContactsClosed | CsvRefused | LimitReached | MappingRefused | StorageError
    >
  }
>()("@trunkline/core/calling/contacts/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const campaigns = yield* Campaigns
      const store = yield* CampaignStore
      const { importCsv } = yield* makeListImporter

      const listOf = (
        tenantId: Ids.AccountId,
        id: Ids.CampaignId,
        actor: Actor
      ): ImportedList<CampaignNotFound | ContactsClosed> => ({
        kind: "campaign",
        id,
        total: Effect.map(Effect.flatMap(campaigns.get(tenantId, id), open), ({ totalContacts }) => totalContacts),
        locked: Effect.map(Effect.flatMap(campaigns.locked(tenantId, id), open), (campaign) => ({
          total: campaign.totalContacts,
          nextSeq: campaign.nextSeq,
          attached: Effect.fnUntraced(function* (many, at) {
            yield* store.save({
              ...campaign,
              totalContacts: campaign.totalContacts + many,
              nextSeq: campaign.nextSeq + many,
              updatedAt: at
            })
            yield* accounts.record(tenantId, actor, "campaign.import", id, campaign.name)
          })
        }))
      })

      return Imports.of({
        importCsv: flow(
          (tenantId: Ids.AccountId, campaignId: Ids.CampaignId, { actor, ...upload }: CsvUpload) =>
            importCsv(tenantId, listOf(tenantId, campaignId, actor), upload),
          traced("Imports.importCsv")
        )
      })
    })
  )
}

const open = <C extends Pick<Campaign, "status">>(campaign: C): Effect.Effect<C, ContactsClosed> =>
  acceptsContacts(campaign.status)
    ? Effect.succeed(campaign)
    : Effect.fail(new ContactsClosed({ status: campaign.status }))
