/** Decides what a search among contacts looks for. Pure. Source: docs/reference/campaigns.md#contacts. */
import { type PersonSearch, personSearch } from "../../platform/numbers/index.ts"

export type ContactSearch = PersonSearch

/** Digits from which on a text is also looked for in numbers. */
const minDigits = 3

export const contactSearch = (text: string): ContactSearch => personSearch(text, minDigits)
