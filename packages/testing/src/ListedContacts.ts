/** A campaign's contact list, as suites and models read it. */
import type { Ids } from "@trunkline/core/effect"
import { ContactListStore, type Page } from "@trunkline/core/storage"
import { everyContact } from "@trunkline/core/testing"

export const listedContacts = (id: Ids.CampaignId, page: Page) =>
  ContactListStore.use((store) => store.list(id, everyContact, page))
