export type { CrmContact } from "./CrmContact.ts"
