/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { campaignEvents } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import {
  queueLag,
  type ReadMetrics,
  type RoomMetrics,
  room,
  type SetupStep,
  setupState,
  type Worker
} from "../../platform/room/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import { TelephonyConfigured } from "../calls/index.ts"
import { begun, type CampaignState } from "./Campaign.ts"
import * as CampaignCalls from "./CampaignCalls.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import { CampaignContacts } from "./CampaignContacts.ts"
import { campaignErrors } from "./CampaignErrors.ts"
import { CampaignContactStore, CampaignStore, everyCampaign } from "./CampaignStore.ts"
import { Campaigns } from "./Campaigns.ts"
import { campaignsGroup } from "./CampaignsApi.ts"
import * as CampaignsHttp from "./CampaignsHttp.ts"
import * as CampaignUses from "./CampaignUses.ts"
import { ContactListStore } from "./ContactListStore.ts"
import { Dialer } from "./Dialer.ts"
import { DialerSignal } from "./DialerSignal.ts"
import { HoldStore } from "./HoldStore.ts"
import { LiveView } from "./LiveView.ts"

const workers = Effect.gen(function* () {
  if (!(yield* TelephonyConfigured)) return []
  const dialer = yield* Dialer
  return [
    {
      name: "dialer",
      switch: "dialer",
      signal: yield* DialerSignal,
      nextDue: dialer.nextDue,
      showsPasses: true,
      // A campaign that failed may still be due, and is not retried at once.
      tick: Effect.map(dialer.tick, ({ failed }) => (failed > 0 ? "failed" : "idle"))
    },
    { name: "dialer's sweep", switch: "dialer", everyMs: 10 * Instant.second, tick: dialer.sweep }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {},
  reader: Effect.succeed<ReadMetrics>((counted) => queueLag("campaigns", counted))
} satisfies RoomMetrics

const ofCampaign = ({ id, tenantId }: Pick<CampaignState, "id" | "tenantId">) =>
  change(tenantId, "campaigns", `campaign:${id}`)

const ofContact = ({ campaignId, tenantId }: Pick<CampaignContact, "campaignId" | "tenantId">) =>
  change(tenantId, `campaign:${campaignId}`)

const changes = [
  storeTopics(CampaignStore, {
    add: ofCampaign,
    save: ofCampaign,
    remove: (tenantId, id) => ofCampaign({ tenantId, id }),
    // Nobody sees what is left of a campaign that was removed.
    sweep: nothing
  }),
  storeTopics(CampaignContactStore, { add: (contacts) => contacts.map(ofContact), save: ofContact }),
  storeTopics(ContactListStore, { remove: ofContact, retry: ofContact }),
  storeTopics(HoldStore, { put: ofContact, release: ofContact, releaseContact: ofContact })
]

const setup = Effect.map(CampaignStore, ({ count }) => [
  {
    id: "campaign",
    look: (tenantId) => Effect.map(count(tenantId, { ...everyCampaign, statuses: begun }), (n) => setupState(n > 0))
  } satisfies SetupStep<StorageError, Read>
])

export const Room = room({
  name: "calling/campaigns",
  stores: [CampaignStore, CampaignContactStore, ContactListStore, HoldStore],
  changes,
  ports: Layer.provideMerge(Layer.merge(CampaignCalls.layer, CampaignUses.layer), DialerSignal.layer),
  layer: Layer.provideMerge(Layer.mergeAll(Dialer.layer, LiveView.layer, CampaignContacts.layer), Campaigns.layer),
  api: () => [campaignsGroup],
  handlers: CampaignsHttp.layer,
  setup,
  workers,
  events: campaignEvents,
  errors: campaignErrors,
  metrics
})
