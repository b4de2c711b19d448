/**
 * Keeps the account's address book, and decides what a CSV file makes of it and of a list, whosever that is.
 *
 * Promises  CONT-1 an import is written as a whole, address book and campaign together, or not at all.
 *           CONT-2 a dry run writes nothing and answers with the numbers of the real run.
 *           CONT-3 a row that is rejected is never put on a campaign; one bad row spoils no other.
 *           CONT-4 uploading a file again adds no person to the campaign a second time, however numbers are written.
 *           CONT-5 an import never takes consent away.
 *           CONT-6 however large the file, other work continues while it is read, compared and written.
 *           CONT-7 only a principal who may write contacts withdraws consent or deletes a contact.
 * Needs     ContactStore, ImportStore, SuppressionStore, campaigns' Campaigns.   Emits  nothing.
 * Not here  how a file is read and its columns mapped (calling/csv); contacts from JSON and the life of a campaign's contact (calling/campaigns); whether a number may be called (calling/suppression).
 * Read      ContactImport.ts, then ListImporter.ts and Imports.ts. Source: docs/reference/contacts.md.
 */

export * as ContactDirectory from "./ContactDirectory.ts"
export { ContactExists, CrmContactNotFound, contactErrors } from "./ContactErrors.ts"
export type { ImportFields, ImportPerson } from "./ContactImport.ts"
export { ContactStore, type CrmContactSearch } from "./ContactStore.ts"
export { type ContactChange, type ContactFilter, Contacts, type NewCrmContact } from "./Contacts.ts"
export { type CrmContact, CrmContactRecord, crmContactEntity } from "./CrmContact.ts"
export { type ImportJob, ImportStore, type ImportTerms, type StagedPerson } from "./ImportStore.ts"
export { type CsvUpload, Imports } from "./Imports.ts"
export * as ListImporter from "./ListImporter.ts"
