/** The models that an agent may have. The gateway's part of the client is loaded with the page. */
import { useQuery } from "@tanstack/react-query"
import { createClient, gateway, type Model } from "@trunkline/client"
import { say } from "../frame/Say.ts"
import { clientOptions } from "../frame/ServerRequests.ts"
import { settings } from "../frame/Settings.ts"
import type { Option } from "../parts/FormFields.tsx"
import { withChosen } from "../parts/RecordChoices.ts"

const { models } = createClient({ ...clientOptions, areas: [gateway] })

export const useModels = (): ReadonlyArray<Model> | undefined =>
  useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => models.list({ signal }),
    enabled: settings.areas.includes("gateway"),
    staleTime: 60_000
  }).data

/** The models of a kind: those that can be used come first, and the others say that they cannot. */
export const modelOptions = (
  all: ReadonlyArray<Model> | undefined,
  category: Model["category"],
  chosen: string
): ReadonlyArray<Option> => {
  // A model that thinks and is marked for voice hears and speaks by itself: no agent has it. One that listens needs the mark.
  const marked = category === "tts" ? null : category === "stt"
  const ofKind = (all ?? []).filter((one) => one.category === category && (marked === null || one.voice === marked))
  const sorted = [...ofKind.filter(({ available }) => available), ...ofKind.filter(({ available }) => !available)]
  return withChosen(chosen, [
    { value: "", text: say("agents.default-model") },
    ...sorted.map(({ available, id }) => ({ value: id, text: available ? id : say("agents.model-off", { model: id }) }))
  ])
}
