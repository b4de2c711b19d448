/** The preview desk: a campaign, and one person of its list after the other. */
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { type ReactNode, useEffect } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { say } from "../frame/Say.ts"
import { isStatus } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Empty } from "../parts/Empty.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FilterSelect } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { optionOf } from "../parts/RecordChoices.ts"
import { Desk } from "./Desk.tsx"
import { leaveDesk } from "./DeskOrders.ts"
import { useCampaigns, useDeskLive, usePreviewed } from "./PreviewReads.ts"

const Chosen = ({ campaignSelect, id }: { readonly id: string; readonly campaignSelect: ReactNode }) => {
  const campaign = usePreviewed(id)
  const live = useDeskLive(id)
  const failed = [campaign, live].find(
    ({ data, error }) => data === undefined && error !== null && !isStatus(error, 401)
  )
  if (failed !== undefined)
    return (
      <>
        <div className="mb-4">{campaignSelect}</div>
        <FaultAlert
          fault={{
            sentence: isStatus(failed.error, 404) ? say("campaign.gone-lead") : faultOfRead(failed.error),
            again: () => void failed.refetch()
          }}
        />
      </>
    )
  return (
    <Desk
      campaign={campaign.data}
      campaignId={id}
      campaignSelect={campaignSelect}
      live={live.data}
      liveAt={live.dataUpdatedAt}
    />
  )
}

const NoCampaigns = () => (
  <div className="panel">
    <Empty icon="preview" title={say("preview.no-campaigns")} sentence={say("preview.no-campaigns-lead")}>
      <Link to="/campaigns" className="button is-primary">
        {say("preview.see-campaigns")}
      </Link>
    </Empty>
  </div>
)

export const PreviewPage = () => {
  const { id } = useParams({ from: "/preview/{-$id}" })
  const navigate = useNavigate()
  const me = useMe()
  const campaigns = useCampaigns()
  const present = usePreviewed(id)
  const choices = campaigns.data ?? []
  const only = choices.length === 1 ? choices[0] : undefined
  const choose = (next: string, replace = false) =>
    void navigate({ to: "/preview/{-$id}", params: next === "" ? {} : { id: next }, replace })
  // biome-ignore lint/correctness/useExhaustiveDependencies: where there is one campaign nobody has to choose.
  useEffect(() => {
    if (id === undefined && only !== undefined) choose(only.id, true)
  }, [id, only?.id])
  // One that has ended, or does not fit any more, stays to be seen.
  const own = present.data !== undefined && choices.every((one) => one.id !== present.data?.id) ? [present.data] : []
  const campaignSelect = (
    <FilterSelect
      label={say("preview.campaign")}
      value={id ?? ""}
      onChange={(next) => {
        if (id !== undefined) leaveDesk(me, id)
        choose(next)
      }}
      options={[{ value: "", text: say("preview.choose") }, ...[...own, ...choices].map(optionOf)]}
    />
  )
  if (id !== undefined)
    return (
      <>
        <Heading title={say("preview.heading")} lead={say("preview.lead")} />
        <Chosen key={id} id={id} campaignSelect={campaignSelect} />
      </>
    )
  return (
    <>
      <Heading title={say("preview.heading")} lead={say("preview.lead")} />
      <div className="mb-4">{campaignSelect}</div>
      {campaigns.error !== null && campaigns.data === undefined ? (
        <FaultAlert fault={{ sentence: faultOfRead(campaigns.error), again: () => void campaigns.refetch() }} />
      ) : campaigns.data === undefined ? (
        <span aria-busy="true" className="skeleton block h-48 rounded-lg" />
      ) : choices.length === 0 ? (
        <NoCampaigns />
      ) : (
        <div className="panel">
          <Empty icon="preview" title={say("preview.choose")} sentence={say("preview.choose-lead")} />
        </div>
      )}
    </>
  )
}
