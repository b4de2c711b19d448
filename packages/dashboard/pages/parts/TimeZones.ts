/** The zones that a person may choose. Browsers go on listing places under names that they no longer have. */
import type { Option } from "./FormFields.tsx"

const renamed: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk"
}

const presentName = (zone: string): string => renamed[zone] ?? zone

/** The browser's. */
export const ownZone = presentName(Intl.DateTimeFormat().resolvedOptions().timeZone)

/** All zones by their present names, and the one that is chosen by the name that it has. */
export const zoneOptions = (chosen: string): ReadonlyArray<Option> =>
  [...new Set([chosen, ownZone, "UTC", ...Intl.supportedValuesOf("timeZone").map(presentName)])]
    .filter((zone) => zone !== "")
    .toSorted()
    .map((value) => ({ value, text: value.replaceAll("_", " ") }))
