/**
 * Shows each person at the preview desk another contact that waits for an approval, with what is known of the person.
 *
 * Promises  PREV-1 of many at once, over all processes, each is shown another contact; one who asks again is shown the same.
 *           PREV-2 a hold delays, prevents and causes no call; it ends by an approval, a skip, its release, or after its time.
 *           PREV-3 a skipped contact comes after all others; a number is suppressed in the transaction that fails its contact.
 * Needs     HoldStore, CampaignContactStore, Suppression, Contacts, CallListStore.  Emits  nothing.
 * Not here  the approval itself (calling/campaigns), and who is called when.
 * Read      PreviewDesk.ts. Source: docs/reference/campaigns.md#preview-desk.
 */
export { ContactHeld, previewErrors } from "./PreviewErrors.ts"
