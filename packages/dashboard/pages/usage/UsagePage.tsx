/** What the account has used over time, what its plan has left, and where its credits went. */
import { say } from "../frame/Say.ts"
import { settings } from "../frame/Settings.ts"
import { Heading } from "../parts/Heading.tsx"
import { CreditsSection } from "./CreditsSection.tsx"
import { PlanSection } from "./PlanSection.tsx"
import { SeriesSection } from "./SeriesSection.tsx"

export const UsagePage = () => {
  const hasModels = settings.areas.includes("gateway")
  return (
    <>
      <Heading title={say("usage.heading")} />
      <div className="grid grid-cols-1 gap-10">
        {hasModels ? <SeriesSection /> : null}
        {hasModels ? <PlanSection /> : null}
        <CreditsSection />
      </div>
    </>
  )
}
