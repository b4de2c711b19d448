/** The region "Recording": a player of what was said. */
import type { CallDetails } from "@trunkline/client"
import { useEffect, useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { say } from "../frame/Say.ts"
import { isStatus } from "../frame/ServerRequests.ts"
import { Downloaded } from "../parts/Download.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Icon } from "../parts/Icons.tsx"
import { recordingPath, useRecording } from "./CallReads.ts"

/** An address of the page for bytes that it has; it is forgotten with the component. */
const useAddress = (blob: Blob | undefined): string | null => {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (blob === undefined) return
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => {
      setAddress(null)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return address
}

const Player = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useRecording(id, true)
  const address = useAddress(data)
  // The conversation has not ended: the call is read again when it has.
  if (isStatus(error, 409)) return <p className="text-soft">{say("call-page.recording-live")}</p>
  if (error !== null) return <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
  return (
    <>
      {address === null ? (
        <span aria-busy="true" className="skeleton block h-13 rounded-full" />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: the transcript stands beside it.
        <audio controls src={address} aria-label={say("call-page.recording")} className="w-full" />
      )}
      <p className="text-sm text-soft">{say("call-page.recording-sides")}</p>
      <Downloaded path={recordingPath(id)} name={`call-${id}.wav`} className="button is-small justify-self-start">
        <Icon name="download" className="size-4 flex-none" />
        {say("call-page.recording-download")}
      </Downloaded>
    </>
  )
}

export const Recording = ({ call }: { readonly call: CallDetails }) => (
  <section aria-label={say("call-page.recording")} className="panel grid gap-3 p-5">
    <h3 className="font-semibold">{say("call-page.recording")}</h3>
    {call.recording === "available" ? (
      <Player id={call.id} />
    ) : (
      <p className="text-soft">
        {say(call.recording === "deleted" ? "call-page.recording-deleted" : "call-page.recording-none")}
      </p>
    )}
  </section>
)
