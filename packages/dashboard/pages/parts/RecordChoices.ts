/** Records that others name: what they are called, and what may be chosen. Without the right to see them there is no choice. */
import { useQuery } from "@tanstack/react-query"
import type { PhoneNumber } from "@trunkline/client"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import type { Option } from "./FormFields.tsx"

/** A record as a choice. */
export const optionOf = ({ id, name }: { readonly id: string; readonly name: string }): Option => ({
  value: id,
  text: name
})

export const useAgents = () =>
  useQuery({
    queryKey: ["agents", "choices"],
    queryFn: async ({ signal }) => (await api.bots.list({ limit: 500 }, { signal })).items,
    enabled: useMay("messaging:read"),
    meta: { topics: ["agents"] }
  })

export const useNumbers = () =>
  useQuery({
    queryKey: ["numbers", "choices"],
    queryFn: async ({ signal }) => (await api.numbers.list({ limit: 500 }, { signal })).items,
    enabled: useMay("calls:read"),
    meta: { topics: ["numbers"] }
  })

/** The newest campaigns. Each call changes one: a note does not read all of them again. */
export const useCampaignNames = () =>
  useQuery({
    queryKey: ["campaigns", "choices"],
    queryFn: async ({ signal }) => (await api.campaigns.list({ limit: 100 }, { signal })).items,
    enabled: useMay("campaigns:read"),
    staleTime: 60_000
  })

/** `Sales (+49 30 901820)`. */
export const numberName = ({ label, phone }: Pick<PhoneNumber, "label" | "phone">): string =>
  label === null ? phone : `${label} (${phone})`

/** The choices with the present one, which may not be among them any more. */
export const withChosen = (chosen: string, options: ReadonlyArray<Option>): ReadonlyArray<Option> =>
  chosen === "" || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, text: chosen }]
